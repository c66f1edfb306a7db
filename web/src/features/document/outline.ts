// A lesson as its sections: a heading of the second level and what stands under it. Pure text, no markdown tree.

export type Piece = {
  /** Stable within the text: the plain heading, numbered where it occurs twice; empty for what stands before the first. */
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
  const seen = new Map<string, number>();
  found.forEach(({ at, title }, index) => {
    const plain = plainHeading(title);
    const times = (seen.get(plain) ?? 0) + 1;
    seen.set(plain, times);
    const id = times === 1 ? plain : `${plain} ${times}`;
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
