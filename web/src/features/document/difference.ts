// What changed between two texts, as a person would mark it: whole lines where they are new or gone, words where a line was changed.
import { diffArrays, diffWordsWithSpace } from "diff";
import { wordsOf, type Block } from "./markdown/tree";

export type Change = { kind: "same" | "added" | "removed"; text: string };

/** Longest texts that are compared, in characters together. */
const COMPARED_MAX = 40_000;
const DEADLINE_MS = 400;
/** Below this share of common words two texts are simply different: marking every word would say nothing. */
const ALIKE_MIN = 0.2;
/** Above this share of common words a line counts as the same line, changed. */
const LINE_ALIKE_MIN = 0.55;

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

/** A line without its bullet or number: moving a line within a list does not change it. */
const bare = (line: string): string => line.replace(/^\s*(?:•|\d+\.)\s+/, "").trim();
const words = (line: string): string[] => bare(line).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function alike(one: string, other: string): number {
  const first = new Set(words(one));
  const second = new Set(words(other));
  const common = [...first].filter((word) => second.has(word)).length;
  return common / Math.max(first.size, second.size, 1);
}

/** A line that was changed: its words, with what is only a word or two between changes taken as changed. */
function line(before: string, after: string): Change[] {
  const found = diffWordsWithSpace(before, after, { timeout: DEADLINE_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, added: true, removed: false },
  ];
  return found.map((it) => ({ kind: it.added ? "added" : it.removed ? "removed" : "same", text: it.value }));
}

/** Lines that stand against each other: those that are alike are one line, changed; the others are gone or new. */
function against(removed: string[], added: string[]): Change[][] {
  const rows: Change[][] = [];
  let at = 0;
  for (const now of added) {
    const match = removed.findIndex((was, index) => index >= at && alike(was, now) >= LINE_ALIKE_MIN);
    if (match < 0) {
      rows.push([{ kind: "added", text: now }]);
      continue;
    }
    for (const gone of removed.slice(at, match)) rows.push([{ kind: "removed", text: gone }]);
    rows.push(line(removed[match] ?? "", now));
    at = match + 1;
  }
  for (const gone of removed.slice(at)) rows.push([{ kind: "removed", text: gone }]);
  return rows;
}

/** The changes from one text to the other, line by line; none where they are too long, or differ throughout. */
export function changes(before: string, after: string): Change[][] | null {
  if (before.length + after.length > COMPARED_MAX) return null;
  const full = (text: string) => text.split("\n").filter((it) => it.trim() !== "");
  const first = full(before);
  const second = full(after);
  const found = diffArrays(first, second, { comparator: (a, b) => bare(a) === bare(b), timeout: DEADLINE_MS });
  if (!found) return null;
  const rows: Change[][] = [];
  let removed: string[] = [];
  let place = 0;
  for (const part of found) {
    if (part.removed) {
      removed = part.value;
      continue;
    }
    if (part.added) rows.push(...against(removed, part.value));
    else {
      for (const gone of removed) rows.push([{ kind: "removed", text: gone }]);
      for (let at = 0; at < part.value.length; at += 1) rows.push([{ kind: "same", text: second[place + at] ?? "" }]);
    }
    removed = [];
    place += part.value.length;
  }
  for (const gone of removed) rows.push([{ kind: "removed", text: gone }]);
  return common(rows, second) < ALIKE_MIN ? null : rows;
}

/** The share of the new text that was there before. */
function common(rows: Change[][], after: string[]): number {
  const same = rows.flat().filter((it) => it.kind === "same").reduce((sum, it) => sum + it.text.trim().length, 0);
  return same / Math.max(after.join("").length, 1);
}
