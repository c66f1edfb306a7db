// What the built page is made of, and its digest: path and bytes of every source, in order of path.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const sources = ["index.html", "learn.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "public", "src"];

function* files(path) {
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path)) yield* files(join(path, name));
}

/** Paths below web/ with `/` between their parts, sorted by their bytes. Tests of the sources are left out. */
export function sourceFiles() {
  const all = sources.flatMap((name) => [...files(join(root, name))]);
  const names = all.map((path) => relative(root, path).split(sep).join("/"));
  return names.filter((name) => !/\.test\.tsx?$/.test(name)).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** SHA-256 over, for each file: its path, a zero byte, its bytes, a zero byte. */
export function digest() {
  const hash = createHash("sha256");
  for (const name of sourceFiles()) hash.update(name).update("\0").update(readFileSync(join(root, name))).update("\0");
  return hash.digest("hex");
}
