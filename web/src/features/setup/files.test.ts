import { expect, it } from "vitest";
import { replaced, shownFiles, type SetupFile } from "./files";

const file = (path: string, sha256_before: string | null): SetupFile => ({ path, text: "", exists: sha256_before !== null, sha256_before, problems: [] });

it("replaces what the teacher said to write anew, and otherwise what was picked", () => {
  const list = [file("teacher.md", "a"), file("pedagogy.md", null), file("classes/3B.md", "b"), file("classes/2A.md", "c")];
  expect(replaced(list, {})).toEqual({ "teacher.md": "a" });
  expect(replaced(list, { "teacher.md": null, "classes/3B.md": "b" })).toEqual({ "classes/3B.md": "b" });
});

it("does not show what it would not touch", () => {
  const list = [file("soul.md", "a"), file("curriculum/cfe-maths.md", "b"), file("curriculum/cfe-french.md", null), file("classes/3B.md", "c")];
  expect(shownFiles(list).map((it) => it.path)).toEqual(["curriculum/cfe-french.md", "classes/3B.md"]);
});
