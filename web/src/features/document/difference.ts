// What changed between two texts, word by word, as a person would mark it.
import { diffWordsWithSpace } from "diff";
import { wordsOf, type Block } from "./markdown/tree";

export type Change = { kind: "same" | "added" | "removed"; text: string };

/** Longest texts that are compared, in characters together. */
const COMPARED_MAX = 40_000;
const DEADLINE_MS = 400;
/** Below this share of common words two texts are simply different: marking every word would say nothing. */
const ALIKE_MIN = 0.3;

/** The words of a tree, line by line, without the marks of markdown. */
export function plainLines(blocks: Block[], indent = ""): string {
  return blocks.map((block) => plainBlock(block, indent)).join("\n");
}

function plainBlock(block: Block, indent: string): string {
  switch (block.t) {
    case "heading":
    case "p":
      return indent + wordsOf(block.c);
    case "quote":
      return plainLines(block.c, indent);
    case "list":
      return block.items
        .map((item, at) => {
          const mark = block.start === null ? "•" : `${block.start + at}.`;
          return `${indent}${mark} ${plainLines(item.c, `${indent}   `).trimStart()}`;
        })
        .join("\n");
    case "table":
      return block.rows.map((row) => indent + row.map(wordsOf).join(" | ")).join("\n");
    case "rule":
      return "";
    default:
      return block.v;
  }
}

/** The changes from one text to the other; none where they are too long, or differ throughout. */
export function changes(before: string, after: string): Change[] | null {
  if (before.length + after.length > COMPARED_MAX) return null;
  const found = diffWordsWithSpace(before, after, { timeout: DEADLINE_MS });
  if (!found) return null;
  const list = found.map((it) => ({ kind: it.added ? "added" : it.removed ? "removed" : "same", text: it.value }) satisfies Change);
  const same = list.filter((it) => it.kind === "same").reduce((sum, it) => sum + it.text.trim().length, 0);
  const longest = Math.max(before.trim().length, after.trim().length, 1);
  return same / longest < ALIKE_MIN ? null : list;
}
