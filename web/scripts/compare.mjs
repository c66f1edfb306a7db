// Fails where two built pages differ, naming the files:  node scripts/compare.mjs OLD NEW
// A compressed file may differ, since each version of Node compresses in its own way, but must hold what lies beside it.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";

function* files(path, below = "") {
  for (const entry of readdirSync(join(path, below), { withFileTypes: true })) {
    const name = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) yield* files(path, name);
    else yield name;
  }
}

const [, , before, after] = process.argv;
const names = new Set([...files(before), ...files(after)]);
const differ = [...names].sort().filter((name) => {
  try {
    const read = (directory) => {
      const bytes = readFileSync(join(directory, name));
      return name.endsWith(".br") ? brotliDecompressSync(bytes) : bytes;
    };
    const [old, built] = [read(before), read(after)];
    return !old.equals(built) || (name.endsWith(".br") && !old.equals(readFileSync(join(before, name.slice(0, -3)))));
  } catch {
    return true;
  }
});
if (differ.length > 0) {
  console.error(`The page is not the one that its sources give:\n  ${differ.join("\n  ")}`);
  process.exit(1);
}
console.log(`${names.size} files of the page are those that were committed`);
