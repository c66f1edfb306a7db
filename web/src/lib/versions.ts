// Two versions of a text, side by side: which lines differ, and the text that comes out of what was chosen.
import { diffLines, diffWordsWithSpace } from "diff";

export type Pick = "mine" | "theirs" | "both";
export type Part = { same: true; text: string } | { same: false; mine: string; theirs: string };
export type Piece = { text: string; changed: boolean };

/** The parts of two texts, in order: what is the same, and what differs. */
export function parts(mine: string, theirs: string): Part[] {
  const made: Part[] = [];
  for (const change of diffLines(theirs, mine)) {
    const last = made.at(-1);
    if (!change.added && !change.removed) made.push({ same: true, text: change.value });
    else if (last && !last.same) {
      if (change.added) last.mine += change.value;
      else last.theirs += change.value;
    } else made.push({ same: false, mine: change.added ? change.value : "", theirs: change.removed ? change.value : "" });
  }
  return made;
}

export const differences = (list: Part[]): number => list.filter((part) => !part.same).length;

const ended = (text: string) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

/** The text that comes of the choices, one for each difference; mine where nothing was chosen. */
export function merged(list: Part[], picks: readonly (Pick | undefined)[]): string {
  let at = 0;
  return list
    .map((part) => {
      if (part.same) return part.text;
      const pick = picks[at] ?? "mine";
      at += 1;
      return pick === "mine" ? part.mine : pick === "theirs" ? part.theirs : ended(part.theirs) + part.mine;
    })
    .join("");
}

/** Longest difference that is compared word by word, in characters. */
const WORDS_MAX = 8_000;

/** Both sides of a difference in pieces, with the words that differ marked. */
export function marked(mine: string, theirs: string): { mine: Piece[]; theirs: Piece[] } {
  if (mine === "" || theirs === "" || mine.length + theirs.length > WORDS_MAX) {
    return { mine: mine ? [{ text: mine, changed: true }] : [], theirs: theirs ? [{ text: theirs, changed: true }] : [] };
  }
  const changes = diffWordsWithSpace(theirs, mine);
  return {
    mine: changes.filter((it) => !it.removed).map((it) => ({ text: it.value, changed: Boolean(it.added) })),
    theirs: changes.filter((it) => !it.added).map((it) => ({ text: it.value, changed: Boolean(it.removed) })),
  };
}

/** Lines at the beginning and the end of a long part that is the same, for what is around a difference. */
export function shortened(text: string, around = 2): { head: string; hidden: number; tail: string } {
  const lines = text.replace(/\n$/, "").split("\n");
  if (lines.length <= around * 2 + 2) return { head: text.replace(/\n$/, ""), hidden: 0, tail: "" };
  return { head: lines.slice(0, around).join("\n"), hidden: lines.length - around * 2, tail: lines.slice(-around).join("\n") };
}
