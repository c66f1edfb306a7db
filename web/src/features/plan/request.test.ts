import { expect, test } from "vitest";
import { requestText } from "./composer";
import { NOTHING, requestOf, topicsFor } from "./request";

const topic = (code: string, title: string, subject: string, level: string) => ({ code, title, subject, level, path: `curriculum/cfe-${subject}.md` });
const TOPICS = [topic("MNU 3-07a", "compares offers by percentages", "maths", "third"), topic("TCH 3-14a", "explains loops", "computing", "third"), topic("TCH 2-14a", "names loops", "computing", "second")];
const GROUP = { id: "3B", title: "3B", subject: "computing", subjects: ["computing"], level: "third", minutes: 50, needs: [] };

test("what was picked becomes the sentence that a teacher would type", () => {
  const picked = { ...NOTHING, classId: "3B", topic: "iteration", minutes: 45, skills: ["retrieval-practice", "metacognition"], wish: "no laptops" };
  expect(requestOf(picked, 50)).toBe("iteration for 3B, 45 minutes, leaning on retrieval practice and metacognition, no laptops");
  expect(requestOf({ ...picked, minutes: 50, skills: [], wish: "" }, 50)).toBe("iteration for 3B");
  expect(requestOf(NOTHING, null)).toBe("");
});

test("topics of the class and its level come first, others when they are typed", () => {
  expect(topicsFor(TOPICS, GROUP, "").map((it) => it.code)).toEqual(["TCH 3-14a", "TCH 2-14a"]);
  expect(topicsFor(TOPICS, GROUP, "perc").map((it) => it.code)).toEqual(["MNU 3-07a"]);
  expect(topicsFor(TOPICS, GROUP, "nothing like it")).toEqual([]);
});

test("a change names the lesson that it is about, once", () => {
  expect(requestText("shorter starter", "refine-lesson", "lessons/3B.md")).toBe("lessons/3B.md: shorter starter");
  expect(requestText("lessons/3B.md: shorter", "refine-lesson", "lessons/3B.md")).toBe("lessons/3B.md: shorter");
  expect(requestText("loops for 3B", "create-lesson", "lessons/3B.md")).toBe("loops for 3B");
});
