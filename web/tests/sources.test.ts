// Rules for the sources that a reader would have to check by eye.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root, sourceFiles } from "../scripts/sources.mjs";

const sources = sourceFiles().filter((name: string) => /^src\/.*\.tsx?$/.test(name));
const text = (name: string) => readFileSync(join(root, name), "utf8");

test.each([
  ["sets no inner HTML", /dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|insertAdjacentHTML|document\.write/],
  ["evaluates nothing", /\beval\(|new Function\(/],
  ["sets no style attribute as text", /setAttribute\(\s*["']style/],
])("the page %s", (_, pattern) => {
  expect(sources.filter((name: string) => pattern.test(text(name)))).toEqual([]);
});

test("no file grows beyond what can be held in the head", () => {
  const long = sources.filter((name: string) => !/src\/api\/(events|openapi)\.ts$/.test(name) && text(name).split("\n").length > 350);
  expect(long).toEqual([]);
});

test("types made from the event catalogue and from the server's description are as new as those", () => {
  expect(() => execFileSync(process.execPath, [join(root, "scripts", "types.mjs"), "--check"], { stdio: "pipe" })).not.toThrow();
});
