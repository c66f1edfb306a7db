// The tree that is shown: only what is listed here can come out of a text, whatever the text holds. Raw HTML is text, pictures are
// their description, and a link is an address on the web, a place in a file of the workspace, or nothing.

export type Place = { path: string; from: number | null; to: number | null };
export type Inline =
  | { t: "text"; v: string }
  | { t: "em" | "strong" | "del"; c: Inline[] }
  | { t: "code" | "math" | "picture"; v: string }
  | { t: "break" }
  | { t: "link"; href: string; c: Inline[] }
  | { t: "evidence"; place: Place; quote: string | null; c: Inline[] };
export type Item = { checked: boolean | null; c: Block[] };
export type Block =
  | { t: "heading"; level: number; c: Inline[] }
  | { t: "p"; c: Inline[] }
  | { t: "list"; start: number | null; tight: boolean; items: Item[] }
  | { t: "quote"; c: Block[] }
  | { t: "pre"; lang: string | null; v: string }
  | { t: "maths"; v: string }
  | { t: "table"; align: ("left" | "right" | "center" | null)[]; rows: Inline[][][] }
  | { t: "rule" }
  /** Text that is shown as it is: too long, too deep or too slow to be read as markdown. */
  | { t: "plain"; v: string };

/** A place in a workspace file: a path below it, perhaps with lines. Nothing absolute, nothing that climbs. */
const PLACE = /^([^#?:\\]+\.md)(?:#L(\d{1,7})(?:-L?(\d{1,7}))?)?$/;

export function placeOf(url: string): Place | null {
  let decoded = url;
  try {
    decoded = decodeURI(url);
  } catch {
    return null;
  }
  const found = PLACE.exec(decoded);
  const path = found?.[1]?.replace(/^\.\//, "");
  if (!found || !path || path.startsWith("/") || path.split("/").includes("..")) return null;
  const from = found[2] ? Number(found[2]) : null;
  const to = found[3] ? Number(found[3]) : from;
  return { path, from, to: from !== null && to !== null && to < from ? from : to };
}

/** An address on the web as it may be followed; none for every other kind. */
export function webAddress(url: string): string | null {
  if (!/^https?:\/\//i.test(url)) return null;
  try {
    const parsed = new URL(url);
    return (parsed.protocol === "https:" || parsed.protocol === "http:") && !parsed.username && !parsed.password ? parsed.href : null;
  } catch {
    return null;
  }
}

/** The words of a piece of the tree. */
export function wordsOf(inlines: Inline[]): string {
  return inlines
    .map((it) => {
      if ("v" in it) return it.v;
      return "c" in it ? wordsOf(it.c) : " ";
    })
    .join("");
}
