// The journal's parts of a conversation, read into what is drawn.
import type { ShownMessage } from "@/api/events";
import type { Part } from "./calls";
import { readDrawing, type Drawing } from "./drawing/kinds";

type Where = {
  key: string;
  /** Its number in the journal, where it is known. */
  seq: number | null;
  /** When, in milliseconds since 1970-01-01 UTC. */
  at: number;
};
export type Line =
  | (Where & { by: "learner"; role: string; text: string })
  | (Where & { by: "tutor"; display: string; speech: string; emotion: string | null; drawing: Drawing | null });

/** Drawings before this many messages of the tutor are out of sight, and are drawn again. */
const IN_SIGHT = 2;

const shownLine = (message: ShownMessage, where: Where): Line => ({
  ...where,
  by: "tutor",
  display: message.display,
  speech: message.speech,
  emotion: message.emotion ?? null,
  drawing: readDrawing(message.visual),
});

/** What was said and shown. */
export function linesOf(parts: Part[]): Line[] {
  return parts.flatMap(({ seq, at_ms, role = "learner", text, messages }): Line[] => {
    const said: Line[] = text === undefined ? [] : [{ key: `${seq}`, seq, at: at_ms, by: "learner", role, text }];
    return [...said, ...messages.map((message, at) => shownLine(message, { key: `${seq}.${at}`, seq, at: at_ms }))];
  });
}

/** What is added by an exchange of this page. */
export function exchanged(after: number, said: string, messages: ShownMessage[], now: number): Line[] {
  const own: Line = { key: `said ${after}`, seq: null, at: now, by: "learner", role: "learner", text: said };
  return [own, ...messages.map((message, at) => shownLine(message, { key: `${after} ${at}`, seq: null, at: now }))];
}

/** The lines as they are drawn: a drawing that stands just above is not drawn once more. */
export function withoutRepeats(lines: Line[]): Line[] {
  let before: (string | null)[] = [];
  return lines.map((line) => {
    if (line.by === "learner") return line;
    const drawing = line.drawing ? JSON.stringify(line.drawing) : null;
    const repeated = drawing !== null && before.includes(drawing);
    before = [...before, repeated ? null : drawing].slice(-IN_SIGHT);
    return repeated ? { ...line, drawing: null } : line;
  });
}

/** What has just been shown, as one text to be read out. */
export const spoken = (lines: Line[]): string =>
  lines.flatMap((line) => (line.by === "tutor" ? [line.speech.trim(), line.drawing ? `A drawing: ${line.drawing.alternative}` : ""] : [])).filter(Boolean).join(" ");
