import { expect, test } from "vitest";
import { changes } from "./difference";

const kinds = (before: string, after: string) => changes(before, after)?.map((row) => row.map((it) => it.kind[0]).join(""));

test("a line that is new, gone or moved in its list is marked as a whole, or not at all", () => {
  expect(kinds("1. one two\n2. three four", "1. one two\n2. new words here\n3. three four")).toEqual(["s", "a", "s"]);
  expect(kinds("keep this\ndrop this line", "keep this")).toEqual(["s", "r"]);
});

test("in a line that was changed the words are marked", () => {
  const rows = changes("Pupils write five short answers alone", "Pupils write three short answers alone");
  expect(rows?.[0]?.filter((it) => it.kind !== "same")).toEqual([
    { kind: "removed", text: "five" },
    { kind: "added", text: "three" },
  ]);
});

test("put together without what was removed, the rows are the new text", () => {
  const before = "a b c d\ne f g\nh i";
  const after = "a b x d\nnew\nh i";
  const text = changes(before, after)?.map((row) => row.filter((it) => it.kind !== "removed").map((it) => it.text).join("")).filter((it) => it !== "");
  expect(text).toEqual(after.split("\n"));
});

test("texts that share next to nothing are different throughout", () => {
  expect(changes("Back to the criteria each pupil writes", "Because but so in writing everybody")).toBeNull();
  expect(changes("x".repeat(50_000), "y")).toBeNull();
});
