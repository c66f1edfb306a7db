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

/** What the page of whoever has an access code may weigh with all that it ever loads, compressed; formulas not counted. */
const LEARN_BYTES_MAX = 200_000;

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; css?: string[] };
const manifest = () => JSON.parse(readFileSync(join(dist, "manifest.json"), "utf8")) as Record<string, Chunk>;

/** Files of these entries; with `later`, those that they load at some time as well, but for those of these names. */
function files(entries: string[], later: { but: RegExp } | null = null): string[] {
  const chunks = manifest();
  const seen = new Set<string>();
  const walk = (name: string): void => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const next of chunks[name]?.imports ?? []) walk(next);
    if (later) for (const next of chunks[name]?.dynamicImports ?? []) if (!later.but.test(next)) walk(next);
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

test("the page of whoever has an access code stays within 200 kB with all that it loads, but for formulas", () => {
  // Markdown is read by the worker, which holds the parser itself.
  const worker = readdirSync(join(dist, "assets")).filter((name) => /^worker-.*\.js$/.test(name)).map((name) => `assets/${name}`);
  expect(worker).toHaveLength(1);
  const own = files(["learn.html"], { but: /katex|markdown\/parse/ });
  const bytes = weight([...own, ...worker, "learn.html"]);
  const first = weight(files(["learn.html"])) + weight(["learn.html"]);
  console.info(`the page of a code: ${bytes} bytes, ${first} of them at first`);
  expect(bytes).toBeLessThan(LEARN_BYTES_MAX);
  expect(own.some((name) => /picture/.test(name))).toBe(true);
  const text = own.filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(dist, name), "utf8")).join("");
  expect(text).not.toContain("katex-html");
  // Nothing of the page of those who sign in.
  expect(text).not.toContain("What are you planning?");
});

test("editor and maths are not in the first load", () => {
  const text = files(["index.html", "src/features/plan/session-page.tsx"]).filter((name) => name.endsWith(".js")).map((name) => readFileSync(join(dist, name), "utf8")).join("");
  expect(text).not.toContain("cm-content");
  expect(text).not.toContain("katex-html");
});

test("the page asks nobody but its own address, and runs no script of its own markup", () => {
  for (const name of ["index.html", "learn.html"]) {
    const html = readFileSync(join(dist, name), "utf8");
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
    expect(html).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  }
  const css = readdirSync(join(dist, "assets")).filter((name) => name.endsWith(".css")).map((name) => readFileSync(join(dist, "assets", name), "utf8")).join("");
  expect(css).not.toMatch(/url\(["']?(?:https?:|data:|\/\/)/);
  expect(css).not.toMatch(/@import/);
});
