// The built page as it is committed: no older than its sources, no heavier than promised.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { digest } from "../scripts/sources.mjs";

const dist = join(import.meta.dirname, "..", "dist");
const rebuild = "the built page is older than its sources: run `npm run build` in web/ and commit web/dist";
/** What the first page may weigh, compressed. */
const FIRST_LOAD_BYTES_MAX = 180_000;

type Chunk = { file: string; imports?: string[]; css?: string[] };
const manifest = () => JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as Record<string, Chunk>;

function files(entries: string[]): string[] {
  const chunks = manifest();
  const seen = new Set<string>();
  const walk = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const next of chunks[name]?.imports ?? []) walk(next);
  };
  entries.forEach(walk);
  return [...new Set([...seen].flatMap((name) => [chunks[name]?.file ?? "", ...(chunks[name]?.css ?? [])]))].filter(Boolean);
}

const weight = (names: string[]) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 6 }).length, 0);

test("dist was built from the sources that are here", () => {
  expect(existsSync(join(dist, "BUILT.json")), rebuild).toBe(true);
  const built = JSON.parse(readFileSync(join(dist, "BUILT.json"), "utf8")) as { sources_sha256: string };
  expect(built.sources_sha256, rebuild).toBe(digest());
});

test("the first load stays within 180 kB, and so does a lesson that is opened directly", () => {
  const start = weight(files(["index.html"])) + weight(["index.html"]);
  const lesson = weight(files(["index.html", "src/features/plan/session-page.tsx"])) + weight(["index.html"]);
  console.info(`first load: ${start} bytes; a lesson opened directly: ${lesson} bytes`);
  expect(start).toBeLessThan(FIRST_LOAD_BYTES_MAX);
  expect(lesson).toBeLessThan(FIRST_LOAD_BYTES_MAX + 22_000);
});

test("editor and maths are not in the first load", () => {
  const text = files(["index.html", "src/features/plan/session-page.tsx"]).filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(dist, name), "utf8")).join("");
  expect(text).not.toContain("cm-content");
  expect(text).not.toContain("katex-html");
});

test("the page asks nobody but its own address, and runs no script of its own markup", () => {
  const html = readFileSync(join(dist, "index.html"), "utf8");
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
  expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  const css = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".css")).map((name) => readFileSync(join(dist, "assets", name), "utf8")).join("");
  expect(css).not.toMatch(/url\(["']?(?:https?:|data:|\/\/)/);
  expect(css).not.toMatch(/@import/);
});
