import assert from "node:assert/strict";
import { test } from "node:test";
import { unfinished } from "../src/unfinished.js";

test("a finished text has no findings", () => {
  assert.deepEqual(unfinished("All is said.", "TODO"), []);
});

test("the lines are named", () => {
  const lines = unfinished("One\nTODO: two\nthree TODO", "TODO").map((finding) => finding.line);
  assert.deepEqual(lines, [2, 3]);
});
