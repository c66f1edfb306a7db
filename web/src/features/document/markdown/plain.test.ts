import { expect, test } from "vitest";
import { parts } from "./plain";

test.each([
  ["nothing", ""],
  ["a line", "one line\n"],
  ["short lines", "a line of words\n".repeat(20_000)],
  ["no line at all", "word ".repeat(50_000)],
  ["characters of two halves", `x${"\u{1F600}".repeat(20_000)}`],
])("the parts of %s, put together, are the text", (_, text) => {
  const found = parts(text);
  expect(found.join("")).toBe(text);
  expect(Math.max(0, ...found.map((it) => it.length))).toBeLessThanOrEqual(4_096);
  for (const part of found) expect(part).not.toMatch(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/);
});

test("parts end where lines end", () => {
  for (const part of parts("a line of words\n".repeat(2_000))) expect(part.endsWith("\n")).toBe(true);
});
