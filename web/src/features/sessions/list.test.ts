import { describe, expect, it } from "vitest";
import { range } from "@/lib/days";
import { filters, group, lines, pieces, standing, type Row } from "./list";

const now = new Date(2026, 10, 22, 15, 0).getTime();
const row = (id: string, created_ms: number, more: Partial<Row> = {}): Row => ({
  id, plugin: "lesson-planning", command: "create-lesson", agent: "planner", subject: { kind: "class", id: "3B" }, owner: "local", title: id,
  created_ms, updated_ms: created_ms, runs: 1, state: "finished", last_status: "success", last_run: "r", ...more,
});

describe("filters", () => {
  it("are read from the address, and what is none is left out", () => {
    expect(filters({ q: " ", class: 3, from: "2026-11-01", to: "soon" })).toEqual({ class: "3", from: "2026-11-01" });
    expect(filters({ q: "loops", from: "2026-99-99" })).toEqual({ q: "loops" });
  });
  it("cover whole days, the last one too", () => {
    const { since_ms, until_ms } = range({ from: "2026-11-21", to: "2026-11-21" });
    expect(since_ms).toBe(new Date(2026, 10, 21).getTime());
    expect(until_ms).toBe(new Date(2026, 10, 22).getTime() - 1);
  });
});

describe("groups", () => {
  it("are named as people name days", () => {
    expect(group(now - 3_600_000, now)).toBe("Today");
    expect(group(new Date(2026, 10, 21, 23, 59).getTime(), now)).toBe("Yesterday");
    expect(group(new Date(2026, 10, 16).getTime(), now)).toBe("Earlier this week");
    expect(group(new Date(2026, 10, 15).getTime(), now)).toBe("November 2026");
  });
  it("stand before their rows and count them", () => {
    const list = lines([row("a", now), row("b", now - 1), row("c", now - 86_400_000)], now);
    expect(list.map((it) => (it.kind === "heading" ? `${it.text} ${it.count}` : `${it.position} ${it.row.id}`))).toEqual([
      "Today 2", "1 a", "2 b", "Yesterday 1", "3 c",
    ]);
  });
});

describe("how a lesson stands", () => {
  it("is said in words", () => {
    expect(standing(row("a", now, { state: "parked" }), true)).toMatchObject({ tone: "ask", goOn: false });
    expect(standing(row("a", now, { state: "parked" }), false)).toMatchObject({ words: "interrupted", goOn: true });
    expect(standing(row("a", now, { last_status: "error_max_budget" }), false).words).toBe("stopped at its budget");
    expect(standing(row("a", now, { last_status: "error_new" }), false).words).toBe("stopped");
    expect(standing(row("a", now), false).words).toBe("finished");
  });
});

it("marks what was found", () => {
  expect(pieces("…## Starter **I do.** [loop]").map((it) => it.text)).toEqual(["…## Starter I do. ", "loop"]);
  expect(pieces("a [trace] [table] b")).toEqual([
    { text: "a ", found: false }, { text: "trace", found: true }, { text: " ", found: false }, { text: "table", found: true }, { text: " b", found: false },
  ]);
});
