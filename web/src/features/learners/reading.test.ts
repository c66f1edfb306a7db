import { expect, test } from "vitest";
import { alerts, figures, label, parts, reasons, standing, struggles, urgent } from "./reading";

const maths = {
  topic: "Fractions",
  status: "active",
  currentSection: "sums",
  sectionHistory: [
    { id: "equal", title: "Equal fractions", enteredAt: 1_000, masteredAt: 61_000, questionsAttempted: 4, questionsCorrect: 3, hintsUsed: 2 },
    { id: "sums", title: "Adding", enteredAt: 61_000, masteredAt: null, questionsAttempted: 1, questionsCorrect: 0, hintsUsed: 3 },
    { id: "times", title: "Multiplying", enteredAt: null, masteredAt: null, questionsAttempted: 0, questionsCorrect: 0, hintsUsed: 0 },
  ],
  levels: [{ section: "equal", level: "mastery", solutions: 0 }, { section: "sums", level: "struggling", solutions: 1 }],
  counts: { right: 3, wrong: 2, undecided: 5 },
  alerts: [{ at: 5, kind: "stuck", section: "sums", says: "Nothing was said for a while." }, { at: 9, kind: "off-topic", section: "sums", says: "Four messages." }],
  exchanges: [{ at: 7, section: "sums", problem: 5, given: "2/7", taken: "wrong", action: "HINT", reasoning: "It is 5/6.", differs: "a new problem" }],
};
const plan = {
  status: "intervention",
  replan_count: 3,
  totals: { replies: 6, hints: 1 },
  off_topic_rate: 0.25,
  duration_ms: 125_000,
  alerts: [{ timestamp: "2026-11-23T10:00:00Z", kind: "intervention", message: "Another change was asked for." }],
  study_plan: {
    todo_list: [
      { step_id: "a", title: "Parts", status: "completed", status_info: { questions_asked: 2, questions_correct: 2, attempts: 2, started_at: "2026-11-23T09:00:00Z", completed_at: "2026-11-23T09:02:00Z" } },
      { step_id: "b", title: "More", status: "blocked", status_info: { questions_asked: 3, questions_correct: 0, attempts: 4, blocked: "three wrong in a row" } },
    ],
  },
  agent_logs: [{ agent: "planner", timestamp: "2026-11-23T09:00:00Z", input_summary: "A plan", output: {}, reasoning: "From the file.", duration_ms: 3 }],
};

test("alerts of both forms are read, the newest first, and a plan that changes often is one", () => {
  expect(alerts(maths).map((it) => [it.kind, it.name, it.at])).toEqual([["off_topic", "Off topic", 9], ["stuck", "Long silence", 5]]);
  expect(alerts(plan).map((it) => it.kind)).toEqual(["replans", "intervention"]);
  expect(alerts(plan)[0]?.says).toBe("The plan was changed 3 times in 6 replies.");
  expect(alerts({ ...plan, replan_count: 2, totals: { replies: 12 } }).map((it) => it.kind)).toEqual(["intervention"]);
  expect(alerts({})).toEqual([]);
});

test("figures stand side by side, and what is not known is left out", () => {
  const named = (view: object) => Object.fromEntries(figures(view as Record<string, unknown>, 1_000, 63_000).map((it) => [it.name, it.value]));
  expect(named(maths)).toEqual({ "From first to last": "1 min 02 s", Right: "3 of 5", Hints: "5", "Worked solutions": "1", "Not read as answers": "50 %" });
  expect(named(plan)).toEqual({ "From first to last": "2 min 05 s", Right: "2 of 6", Hints: "1", "Changes of the plan": "3", "Off topic": "25 %" });
});

test("time of each part, what was asked in it, and why it is held up", () => {
  expect(parts(maths).map((it) => [it.title, it.took_ms, it.note])).toEqual([["Equal fractions", 60_000, "mastery"], ["Adding", null, "struggling"], ["Multiplying", null, ""]]);
  expect(parts(plan)[0]?.took_ms).toBe(120_000);
  expect(parts(plan)[1]?.note).toBe("Held up: three wrong in a row");
});

test("who may need a person is named first, with the reason", () => {
  const now = Date.parse("2026-11-23T12:00:00Z");
  const kept = { alerts: [{ at: now - 120_000, kind: "safeguarding", says: "A message was kept back." }] };
  expect(urgent({ waits_for: "learner", view: kept }, now)).toBe("a message was kept back 2 minutes ago");
  expect(urgent({ waits_for: "teacher", view: kept }, now)).toBe("a message was kept back 2 minutes ago, and waits for you");
  expect(urgent({ waits_for: "teacher", view: plan }, now)).toBe("waits for you");
  expect(urgent({ waits_for: "learner", view: kept }, now + 2 * 86_400_000)).toBeNull();
  expect(urgent({ waits_for: "learner", view: maths }, now)).toBeNull();
});

test("reasons are told in words", () => {
  expect(reasons(maths)[0]).toEqual({ at: 7, who: "Problem 5", what: "“2/7” was taken as wrong; what followed: hint", why: "It is 5/6. The evaluator wanted something else: a new problem", took_ms: null });
  expect(reasons(plan)[0]).toMatchObject({ who: "planner", what: "A plan", why: "From the file.", took_ms: 3 });
});

test("what a class finds hard stands in the topic's order and names nobody", () => {
  expect(struggles([maths, maths])).toEqual([
    { title: "Equal fractions", begun: 2, solutions: 0, right: 6, tried: 8 },
    { title: "Adding", begun: 2, solutions: 2, right: 0, tried: 2 },
  ]);
});

test("how a session stands, and what it is called", () => {
  const of = (waits_for: string | null, ended: string | null, view: object) => standing({ waits_for, ended, view: view as Record<string, unknown> }).words;
  expect([of("teacher", null, plan), of("learner", null, maths), of(null, "success", { status: "completed" }), of(null, "success", { status: "ended" })]).toEqual(["Waits for you", "At work", "Finished", "Ended"]);
  expect(label("a3f91c0d", "3B")).toBe("3B · A3F91");
});
