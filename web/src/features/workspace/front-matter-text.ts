/** The front matter of a text, without its marks, and what follows it. */
export function split(text: string): { head: string | null; body: string } {
  const found = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return found ? { head: found[1] ?? "", body: text.slice(found[0].length) } : { head: null, body: text };
}
