import { expect, test } from "vitest";
import type { JournalRecord } from "@/api/events";
import { parseRecord } from "@/api/record";
import { recorded } from "../../../../tests/journal";
import { reduce, reduceShared } from "./reduce";
import { costOf, EMPTY, openQuestion, type QuestionEntry, type View, type WorkEntry } from "./view";

const full = recorded("lesson-for-3b");
const kinds = (view: View) => view.entries.map((entry) => entry.kind);
const questions = (view: View) => view.entries.filter((entry): entry is QuestionEntry => entry.kind === "question");
const steps = (view: View) => view.entries.filter((entry): entry is WorkEntry => entry.kind === "work").flatMap((entry) => entry.steps);

test("a recorded lesson becomes a conversation from request to saved lesson", () => {
  const view = reduce(EMPTY, full);
  expect(view.phase).toBe("done");
  expect(view.open).toBeNull();
  expect(questions(view).map((it) => it.question.id)).toEqual(["context", "reflection", "sections", "alternatives:plenary", "sections", "memory"]);
  expect(kinds(view)[0]).toBe("request");
  expect(kinds(view).at(-1)).toBe("end");
  expect(view.lesson).toMatchObject({ final: true, round: 1 });
  expect(view.lesson?.text).toContain("**Because, but, so.**");
  expect(view.runs[0]).toMatchObject({ subject: "3B", status: "success", saved: "lessons/3B-iteration.md", provider: "offline" });
});

test("steps are said in plain words, without tool names", () => {
  const said = steps(reduce(EMPTY, full)).map((step) => step.text);
  expect(said).toContain("Read the profile of 3B");
  expect(said).toContain("Read the computing curriculum");
  expect(said).toContain("Read the advice on retrieval practice");
  expect(said).toContain("Read the advice on additional support needs");
  expect(said.join(" ")).not.toMatch(/hook|tool|read_|update_tasks|component|sha256/);
  expect(steps(reduce(EMPTY, full)).every((step) => step.state === "done")).toBe(true);
});

test("a question that waits is open until it has its answer, whatever the batches", () => {
  const asked = full.findIndex((record) => record.type === "request.made");
  const half = reduce(EMPTY, full.slice(0, asked + 4));
  expect(half.phase).toBe("asking");
  expect(openQuestion(half)?.theme).toBe("context");
  expect(Object.keys(openQuestion(half)?.decided ?? {})).toHaveLength(3);
  const answered = full.findIndex((record) => record.type === "request.answered");
  expect(reduce(half, full.slice(0, answered + 1)).open).toBeNull();
});

test("one by one and all at once come to the same, and the view before is left alone", () => {
  const all = reduce(EMPTY, full);
  let view: View = EMPTY;
  for (const record of full) {
    const before = view;
    const text = JSON.stringify(before);
    view = reduce(view, [record]);
    expect(JSON.stringify(before)).toBe(text);
  }
  expect(view).toEqual(all);
});

test("records that were seen and kinds that are not known change nothing but the place", () => {
  const view = reduce(EMPTY, full);
  expect(reduce(view, full)).toBe(view);
  const strange = { session: "s", run: "r", at_ms: 1, seq: view.seq + 1, type: "weather.changed" } as unknown as JournalRecord;
  const next = reduce(view, [strange]);
  expect(next.seq).toBe(view.seq + 1);
  expect(next.entries).toEqual(view.entries);
});

test("a revised section and alternatives know what stood there before", () => {
  const view = reduce(EMPTY, full);
  const second = questions(view)[4];
  expect(Object.keys(second?.before ?? {}).sort()).toEqual(["plenary", "starter"]);
  expect(second?.before["starter"]).toContain("## Starter (7 minutes)");
  expect(questions(view)[3]?.before[""]).toContain("## Plenary");
  expect(questions(view)[2]?.before).toEqual({});
});

test("a run that waits for its model says so and can go on", () => {
  const until = full.findIndex((record) => record.type === "model.called") + 1;
  const at = { session: "s", run: full[0]?.run ?? "", at_ms: 1 };
  const error = { code: "model.unreachable", message: "The model does not answer.", hint: "Try again later." };
  const view = reduce(EMPTY, [
    ...full.slice(0, until),
    { ...at, seq: until + 1, type: "model.failed", turn: 1, error },
    { ...at, seq: until + 2, type: "run.parked", reason: "provider" },
  ]);
  expect(view.phase).toBe("failed");
  expect(view.entries.at(-1)).toMatchObject({ kind: "problem", code: "model.unreachable" });
  expect(reduce(view, [{ ...at, seq: until + 3, type: "run.resumed", host: "0.1.0" }]).phase).toBe("working");
});

test("a fork shows the shared past and then its own records from one", () => {
  const shared = reduceShared(full.slice(0, 40));
  const start = full[0];
  if (start?.type !== "run.started") throw new Error("a journal begins with its run");
  const own: JournalRecord = { session: "f", run: "g", at_ms: 2, seq: 1, type: "run.forked", through: 40, start: { ...start, input: "for 45 minutes" } } as JournalRecord;
  const view = reduce(shared, [own]);
  expect(view.entries.length).toBe(shared.entries.length + 1);
  expect(view.entries.at(-1)).toMatchObject({ kind: "request", from: "fork", text: "for 45 minutes" });
  expect(view.runs).toHaveLength(1);
  expect(view.runs[0]).toMatchObject({ id: "g", cost: 0 });
});

test("a fork from before an answer keeps the question open, for the run that goes on", () => {
  const asked = full.findIndex((record) => record.type === "request.made");
  const shared = reduceShared(full.slice(0, asked + 1));
  const start = full[0];
  if (start?.type !== "run.started") throw new Error("a journal begins with its run");
  const text = JSON.stringify({ session: "f", seq: 1, run: "g", at_ms: 2, type: "run.forked", through: 3, start });
  // As the host writes it: the names of the record's own place stand twice.
  const view = reduce(shared, [parseRecord(text.replace('"through"', '"session":"s","run":"old","through"'))]);
  expect(view.phase).toBe("asking");
  expect(openQuestion(view)).toMatchObject({ run: "g", theme: "context" });
  expect(view.entries.at(-1)?.kind).toBe("question");
});

test("ten thousand records are taken in at once in well under a second, and one more at a time in less than a frame", () => {
  const many: JournalRecord[] = [];
  for (let seq = 1; seq <= 10_000; seq += 1) many.push({ ...full[seq % full.length], seq } as JournalRecord);
  const from = performance.now();
  const view = reduce(EMPTY, many);
  expect(performance.now() - from).toBeLessThan(1_500);
  expect(view.seq).toBe(10_000);
  // The best of several: the machine may be busy with other things.
  const times = Array.from({ length: 20 }, () => {
    const one = performance.now();
    reduce(view, [{ ...many[35], seq: 10_001 } as JournalRecord]);
    return performance.now() - one;
  });
  expect(Math.min(...times)).toBeLessThan(16);
});

test("what it costs is what its calls cost, broken ones too", () => {
  const at = { session: "s", run: full[0]?.run ?? "", at_ms: 1 };
  const view = reduce(reduce(EMPTY, full), [
    { ...at, seq: 1_000, type: "model.partial", turn: 9, text: "half", usage: { input_tokens: 10, output_tokens: 5 }, cost_usd: 0.02 },
  ]);
  expect(costOf(view).usd).toBeCloseTo(0.02);
  expect(costOf(view).tokens).toBeGreaterThan(100_000);
});

test("a step whose call was refused is no success, whatever its tool said", () => {
  const at = full.findIndex((record) => record.type === "tool.finished" && record.result.name === "read_file");
  const own = full[at] as JournalRecord & { type: "tool.finished" };
  const result = { ...own.result, failed: true, text: "refused: not this one" };
  const refused = { ...own, type: "tool.settled", seq: own.seq + 1, result, refused_by: "person" } as JournalRecord;
  const view = reduce(EMPTY, [...full.slice(0, at + 1), refused]);
  expect(steps(view).filter((step) => step.state === "problem").map((step) => step.detail)).toEqual(["refused: not this one"]);
});
