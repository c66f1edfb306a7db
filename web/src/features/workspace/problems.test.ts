import { expect, it } from "vitest";
import { problem } from "./problems";

it("reads place, message, code and hint", () => {
  expect(problem("classes/3B.md:4: level: `thrid` is none of early, first [field.value]\n  hint: write one of these", "classes/3B.md")).toEqual({
    line: 4,
    message: "level: `thrid` is none of early, first",
    code: "field.value",
    hint: "write one of these",
  });
});
it("reads a problem of the file as a whole", () => {
  expect(problem("classes/3B.md: the class profile has no front matter [front-matter.missing]", "classes/3B.md")).toEqual({
    line: null,
    message: "the class profile has no front matter",
    code: "front-matter.missing",
    hint: null,
  });
});
it("takes any other text as it is", () => {
  expect(problem("line 12: too long", "a.md")).toEqual({ line: 12, message: "too long", code: null, hint: null });
  expect(problem("odd", "a.md").message).toBe("odd");
});
