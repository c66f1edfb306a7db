// Problems of a file as the server words them: `file:line: field: message [code]`, and a hint on the next line.

export type FileProblem = { line: number | null; message: string; hint: string | null; code: string | null };

/** Reads a problem; a text of any other form is its message. */
export function problem(text: string, path: string): FileProblem {
  const [first = "", ...rest] = text.split("\n");
  const hint = rest.join("\n").trim().replace(/^hint:\s*/, "");
  const code = /\s\[([\w.-]+)\]\s*$/.exec(first);
  let message = code ? first.slice(0, code.index) : first;
  if (message.startsWith(path)) message = message.slice(path.length);
  const line = /^(?::|line\s+)(\d+):\s*/.exec(message);
  message = message.slice(line?.[0].length ?? 0).replace(/^:\s*/, "");
  return { line: line ? Number(line[1]) : null, message, hint: hint === "" ? null : hint, code: code?.[1] ?? null };
}
