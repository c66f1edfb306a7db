// A lesson as its sections: a heading of the second level and what stands under it. Pure text, no markdown tree.

export type Piece = {
  /** The part's id, as questions name it; empty for what stands before the first. */
  id: string;
  /** The heading as it is written, without its marks; empty for what stands before the first. */
  title: string;
  /** The piece with its heading, byte for byte. */
  text: string;
};

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The heading without its minutes in brackets, its case and its spaces: "Starter (5 minutes)" and "starter" are one. */
export function plainHeading(heading: string): string {
  const bare = heading.trim().replace(/#+$/, "").trim().replace(/\s*\([^()]*\)$/, "");
  return bare.split(/\s+/).join(" ").toLowerCase();
}

/** A heading as an id: its words in lower case, joined by `-`, without what stands in brackets at its end. */
export function slugOf(heading: string): string {
  const bare = heading.trim();
  const open = bare.endsWith(")") ? bare.lastIndexOf("(") : -1;
  const named = open > 0 && bare.slice(0, open).trim() !== "" ? bare.slice(0, open) : bare;
  return named.split(/[^\p{Alphabetic}\p{N}]+/u).filter(Boolean).join("-").toLowerCase() || "part";
}

/** The minutes that a heading names. */
export function minutesOf(heading: string): number | null {
  const found = /\((\d+)\s*min/.exec(heading);
  return found?.[1] ? Number(found[1]) : null;
}

/** Where the headings of the second level begin, as offsets, with their titles. Headings inside fences do not count. */
function headings(text: string): { at: number; title: string }[] {
  const found: { at: number; title: string }[] = [];
  let fence: string | null = null;
  let at = 0;
  while (at <= text.length) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? text.length : end);
    const mark = line.length < 500 ? FENCE.exec(line) : null;
    if (mark?.[1]) {
      if (fence === null) fence = mark[1];
      else if (mark[1].startsWith(fence) && mark[2]?.trim() === "") fence = null;
    } else if (fence === null && line.startsWith("## ")) {
      found.push({ at, title: line.slice(3).trim().replace(/\s+#+$/, "") });
    }
    if (end < 0) break;
    at = end + 1;
  }
  return found;
}

/** The text in pieces that, put together, are the text. */
export function pieces(text: string): Piece[] {
  const found = headings(text);
  const list: Piece[] = [];
  const first = found[0]?.at ?? text.length;
  if (first > 0) list.push({ id: "", title: "", text: text.slice(0, first) });
  const taken = new Set<string>();
  found.forEach(({ at, title }, index) => {
    const slug = slugOf(title);
    let id = slug;
    for (let number = 2; taken.has(id); number++) id = `${slug}-${number}`;
    taken.add(id);
    list.push({ id, title, text: text.slice(at, found[index + 1]?.at ?? text.length) });
  });
  return list;
}

/** How many sections a text has. */
export function sectionCount(text: string): number {
  return headings(text).length;
}

/** The title of a lesson: its heading of the first level. */
export function titleOf(text: string): string | null {
  const found = /^# (.+)$/m.exec(text.slice(0, 4_000));
  return found?.[1]?.trim() ?? null;
}

/** Whether a text is a lesson and no remark: it has a section. */
export function isLesson(text: string): boolean {
  return /^## \S/m.test(text);
}
