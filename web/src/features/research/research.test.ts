import { describe, expect, it } from "vitest";
import { cell, runsCsv } from "./csv";
import { thinned, timescale } from "./timescale";
import { byVerdict, hookNumbers, loud, rows, total } from "./trace";
import type { ResearchRun, Span, Trace } from "./types";

const span = (seq: number, kind: string, at_ms: number, more: Partial<Span> = {}): Span => ({ seq, kind, name: `${kind}-${seq}`, at_ms, elapsed_us: null, attributes: {}, ...more });

describe("rows of a trace", () => {
  const spans = [span(1, "hook", 0), span(2, "subagent-start", 1), span(3, "model", 2, { parent: 2 }), span(4, "subagent-start", 3, { parent: 2 }), span(5, "tool", 4, { parent: 4 }), span(6, "run", 5, { parent: 99 })];
  it("nest what a subagent did, however deep; an unknown parent counts for none", () => {
    expect(rows(spans, new Set(), () => true).map((it) => [it.span.seq, it.depth])).toEqual([[1, 0], [2, 0], [3, 1], [4, 1], [5, 2], [6, 0]]);
  });
  it("leave out what is closed, and keep what holds others when filtered", () => {
    expect(rows(spans, new Set([2]), () => true).map((it) => it.span.seq)).toEqual([1, 2, 6]);
    expect(rows(spans, new Set(), (it) => it.kind === "tool").map((it) => it.span.seq)).toEqual([2, 4, 5]);
  });
  it("do not go round where a span is its own parent", () => {
    expect(rows([span(1, "hook", 0, { parent: 1 })], new Set(), () => true)).toHaveLength(1);
  });
  it("mark what changed or ended something", () => {
    expect(loud(span(1, "hook", 0, { attributes: { verdict: "rework" } }))).toBe(true);
    expect(loud(span(1, "hook", 0, { attributes: { verdict: "pass", findings: [{ class: "x" }] } }))).toBe(true);
    expect(loud(span(1, "hook", 0, { attributes: { verdict: "pass", findings: [], code: null } }))).toBe(false);
  });
});

it("adds up the calls of each hook, and keeps the most it used", () => {
  const call = (verdict: string, elapsed_us: number, fuel: number): Span => span(1, "hook", 0, { name: "privacy", elapsed_us, attributes: { verdict, point: "pre-tool", sha256: "ab", findings: [], report: { fuel, memory_bytes: 10 } } });
  const trace = { spans: [call("pass", 5, 100), call("modify", 9, 50)], components: { privacy: { sha256: "ab", fuel: 1000 } } } as unknown as Trace;
  expect(hookNumbers(trace)).toEqual([
    { hook: "privacy", points: ["pre-tool"], calls: 2, verdicts: { pass: 1, modify: 1 }, findings: 0, elapsed_us: 14, elapsed_us_max: 9, fuel_max: 100, memory_max: 10, pin: { sha256: "ab", fuel: 1000 }, sha256: "ab" },
  ]);
});

it("orders verdicts from quiet to loud, unknown ones last, and adds up runs", () => {
  expect(byVerdict({ odd: 1, rework: 2, pass: 3 }).map(([name]) => name)).toEqual(["pass", "rework", "odd"]);
  expect(total([{ hooks: { a: { pass: 1 } } }, { hooks: { a: { pass: 2, rework: 1 }, b: { pass: 1 } } }])).toEqual([["a", { pass: 3, rework: 1 }], ["b", { pass: 1 }]]);
});

describe("the line of time", () => {
  it("gives a long wait little room, and says how long it was", () => {
    const { placed, gaps, worked_ms } = timescale([span(1, "hook", 0), span(2, "question", 1_000), span(3, "answer", 86_401_000), span(4, "run", 86_402_000)]);
    expect(worked_ms).toBe(2_000);
    expect(gaps).toHaveLength(1);
    expect(gaps[0]?.ms).toBe(86_400_000);
    expect(placed[0]?.to).toBe(0);
    expect(placed[1]?.to).toBeCloseTo(1000 / 2060, 5);
    expect(placed[2]?.to).toBeCloseTo(1060 / 2060, 5);
    expect(placed[3]?.to).toBe(1);
  });
  it("does not take a long answer of a model for a wait", () => {
    const { gaps, placed } = timescale([span(1, "hook", 0), span(2, "model", 60_000, { elapsed_us: 60_000_000 })]);
    expect(gaps).toEqual([]);
    expect(placed[1]).toMatchObject({ from: 0, to: 1 });
  });
  it("takes the time that a person needs for a wait", () => {
    const { gaps, worked_ms } = timescale([span(1, "hook", 0), span(2, "decision", 3_600_000, { elapsed_us: 3_600_000_000 })]);
    expect(gaps.map((it) => it.ms)).toEqual([3_600_000]);
    expect(worked_ms).toBe(0);
  });
  it("draws at most so many marks, and every lane and everything loud among them", () => {
    const many = Array.from({ length: 10_000 }, (_, at) => span(at, at % 2 ? "hook" : "tool", at));
    const { placed } = timescale([...many, span(10_000, "hook", 5_000, { attributes: { verdict: "abort" } })]);
    const marks = thinned(placed, (it) => `${it.kind}${loud(it)}`);
    expect(marks.length).toBeLessThan(1_300);
    expect(marks.some((it) => it.span.seq === 10_000)).toBe(true);
  });
  it("holds for nothing and for one moment", () => {
    expect(timescale([]).placed).toEqual([]);
    expect(timescale([span(1, "hook", 5)]).placed[0]?.from).toBe(0);
  });
});

describe("tables for other programs", () => {
  it("quote what needs it and disarm formulas", () => {
    expect([cell('a "b", c'), cell("=1+1"), cell("@x"), cell(-1), cell(null)]).toEqual(['"a ""b"", c"', "'=1+1", "'@x", "-1", ""]);
  });
  it("have a column for each hook and verdict", () => {
    const run = { id: "r", session: "s", owner_alias: "T1", subject: { kind: "class", id: "3B" }, command: "create-lesson", status: "success", state: "finished", started_ms: 0, ended_ms: null, turns: 3, input_tokens: 1, output_tokens: 2, cost_usd: 0, first_seq: 1, last_seq: 2, hooks: { privacy: { pass: 4 }, "a.b": { rework: 1 } } } satisfies ResearchRun;
    const [head, line] = runsCsv([run]).split("\r\n");
    expect(head?.endsWith("cost_usd,a.b.rework,privacy.pass")).toBe(true);
    expect(line).toBe("r,s,T1,3B,create-lesson,success,1970-01-01T00:00:00.000Z,,3,1,2,0,1,4");
  });
});
