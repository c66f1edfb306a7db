import { expect, test } from "vitest";
import { linkOf, readCode, readLink } from "./code";
import { linesOf, spoken, withoutRepeats } from "./conversation";
import { readDrawing } from "./drawing/kinds";
import { progress, whereYouAre } from "./progress";
import { sentences } from "./speech";

const CODE = "7KQ2M-9XWPD-HT4ZB-E6RV1";

test("a code is read as people write it, and nothing else is one", () => {
  for (const typed of [CODE, CODE.toLowerCase(), "7kq2m9xwpdht4zbe6rvl", ` ${CODE.replaceAll("-", " ")} `]) expect(readCode(typed)).toBe(CODE);
  for (const typed of ["", "7KQ2M", `${CODE}X`, CODE.replace("7", "U")]) expect(readCode(typed)).toBeNull();
});

test("a link holds a code and a topic, and reads back as it was made", () => {
  const link = { code: CODE, topic: "fractions / 50 % of it" };
  const made = new URL(linkOf("http://127.0.0.1:1", link));
  expect([made.pathname, made.search]).toEqual(["/learn", ""]);
  expect(readLink(made.hash)).toEqual(link);
  expect(readLink(`#${CODE}/%E0%A4%A`)).toEqual({ code: CODE, topic: "" });
  expect(readLink("#nothing")).toBeNull();
});

const message = (display: string, visual: string | null = null) => ({ speech: display, display, visual, emotion: null });
const triangle = JSON.stringify({
  toolName: "rightTriangle",
  parameters: { vertices: "ABC", angleAt: "A", angle: "35°", opposite: "x", adjacent: "4", hypotenuse: "", turned: 0 },
  caption: "Not to scale",
  alternative: "A right-angled triangle",
});

test("a conversation is read in order, and a drawing that stands just above is not drawn again", () => {
  const lines = linesOf([
    { seq: 3, at_ms: 1, messages: [message("One", triangle)] },
    { seq: 5, at_ms: 2, role: "learner", text: "4", messages: [] },
    { seq: 9, at_ms: 3, messages: [message("Two", triangle), message("Three")] },
  ]);
  expect(lines.map((it) => [it.by, it.key])).toEqual([["tutor", "3.0"], ["learner", "5"], ["tutor", "9.0"], ["tutor", "9.1"]]);
  const drawn = withoutRepeats(lines).map((it) => it.by === "tutor" && it.drawing !== null);
  expect(drawn).toEqual([true, false, false, false]);
  expect(spoken(lines.slice(0, 1))).toBe("One A drawing: A right-angled triangle");
});

test("a drawing that cannot be drawn is told in words, and what is none is nothing", () => {
  expect(readDrawing(triangle)?.tool?.toolName).toBe("rightTriangle");
  expect(readDrawing(JSON.stringify({ toolName: "hologram", parameters: {}, alternative: "A cube" }))).toEqual({ tool: null, caption: "", alternative: "A cube" });
  for (const none of [null, "", "{", "[]", JSON.stringify({ toolName: "balance", parameters: { left: "x", right: "3" } })]) expect(readDrawing(none)).toBeNull();
  const bars = (parts: number) => JSON.stringify({ toolName: "fractionBars", parameters: { bars: [{ parts, shaded: 1, label: "" }] }, caption: "", alternative: "A bar" });
  expect([readDrawing(bars(8))?.tool !== null, readDrawing(bars(100_000))?.tool]).toEqual([true, null]);
});

test("sections and steps are read into places, and where somebody is into a sentence", () => {
  const sections = progress({ topic: "Fractions", currentSection: "b", sectionHistory: [{ id: "a", title: "A", masteredAt: 1, enteredAt: 1, questionsAttempted: 4, questionsCorrect: 3 }, { id: "b", title: "B", enteredAt: 2 }], problem: { number: 5, expects: "a number" } });
  expect(sections.places.map((it) => [it.state, it.jump, it.right])).toEqual([["done", "section 1", 3], ["here", "section 2", null]]);
  expect(whereYouAre(sections)).toBe("You are in section 2, B, at problem 5.");
  const steps = progress({ topic: "Plants", current_step: { step_id: "y" }, study_plan: { todo_list: [{ step_id: "x", title: "X", status: "completed" }, { step_id: "y", title: "Y", status: "in_progress" }, { step_id: "z", title: "Z", status: "pending" }] } });
  expect([steps.noun, ...steps.places.map((it) => it.state)]).toEqual(["Step", "done", "here", "ahead"]);
  expect(whereYouAre(progress({}))).toBe("Your place was kept.");
});

test("speech comes in sentences that are short enough to be said", () => {
  expect(sentences("One is 1.5 metres. Is it? Yes")).toEqual(["One is 1.5 metres.", "Is it?", "Yes"]);
  expect(Math.max(...sentences("word ".repeat(200)).map((it) => it.length))).toBeLessThanOrEqual(220);
});
