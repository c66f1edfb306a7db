import { expect, test } from "vitest";
import { recorded } from "../../../tests/journal";
import { isLesson, minutesOf, pieces, plainHeading, titleOf } from "./outline";

test("the pieces of a lesson, put together, are the lesson", () => {
  const last = recorded("lesson-for-3b").at(-1);
  const text = last?.type === "run.finished" ? (last.output ?? "") : "";
  const found = pieces(text);
  expect(found.map((it) => it.text).join("")).toBe(text);
  expect(found.map((it) => it.id)).toContain("starter");
  expect(titleOf(text)).toBe("Iteration");
});

test("headings inside a fence are code", () => {
  const text = "# T\n\n## A\n\n```md\n## no\n~~~\n## no\n```\n\n## B\n## A\n";
  expect(pieces(text).map((it) => it.id)).toEqual(["", "a", "b", "a-2"]);
  expect(pieces(text).map((it) => it.text).join("")).toBe(text);
});

test("minutes and case make no other section", () => {
  expect(plainHeading("Starter (5 minutes)")).toBe(plainHeading("starter"));
  expect(minutesOf("Starter (5 minutes)")).toBe(5);
  expect(minutesOf("Starter")).toBeNull();
});

test("a remark is no lesson", () => {
  expect(isLesson("I need to know the class.")).toBe(false);
  expect(isLesson("# T\n\n## Outcomes\n")).toBe(true);
});
