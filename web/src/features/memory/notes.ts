// Memory files as people see them: whose they are, their notes, and a text with one note changed. No page in here.
import type { MemoryAudit, MemoryFile, MemoryNote } from "@/api/types";

export type Owner = { key: string; title: string; class: string | null; files: MemoryFile[] };

const bare = (path: string) => path.replace(/^memory\//, "");
const classOf = (path: string) => /^classes\/([^/]+)\//.exec(bare(path))?.[1] ?? null;
const fileOf = (path: string) => bare(path).split("/").pop() ?? path;

/** What a file of memory is for. */
export function purpose(path: string): { title: string; text: string; settled: boolean } {
  switch (fileOf(path)) {
    case "MEMORY.md": return { title: "Remembered", text: "Shown to the assistant before each lesson.", settled: true };
    case "working-notes.md": return { title: "Working notes", text: "Taken by the assistant while it worked, without asking. They move up when two lessons come to the same.", settled: false };
    case "archive.md": return { title: "Put away", text: "Older notes that made room. Not shown to the assistant by itself.", settled: false };
    default: return { title: fileOf(path).replace(/\.md$/, ""), text: "Read by the assistant when it looks for it.", settled: false };
  }
}

const PLACE = ["MEMORY.md", "working-notes.md", "archive.md"];

/** Files by whom they are about: the teacher first, then the classes. */
export function owners(files: MemoryFile[]): Owner[] {
  const made = new Map<string, Owner>();
  for (const file of files) {
    const name = classOf(file.path);
    const key = name ?? "";
    const owner = made.get(key) ?? { key, title: name ?? "You and your teaching", class: name, files: [] };
    owner.files.push(file);
    made.set(key, owner);
  }
  const place = (file: MemoryFile) => (PLACE.indexOf(fileOf(file.path)) + PLACE.length + 1) % (PLACE.length + 1);
  for (const owner of made.values()) owner.files.sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path));
  return [...made.values()].sort((a, b) => a.key.localeCompare(b.key, "en-GB", { numeric: true }));
}

const isNote = (line: string, text: string) => line.startsWith("- ") && line.slice(2).trim() === text.trim();

/** The text with one note in other words, or without it. `null` where it does not stand there (any more). */
export function withNote(text: string, note: string, now: string | null): string | null {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => isNote(line, note));
  if (at < 0) return null;
  if (now === null) lines.splice(at, 1);
  else lines[at] = `- ${oneLine(now)}`;
  return lines.join("\n");
}

/** Longest note, in characters. */
export const NOTE_MAX = 500;
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** What keeps a note from being written, in a sentence. */
export function wrongNote(text: string): string | null {
  const line = oneLine(text);
  if (line === "") return "Write what to remember, or delete the note.";
  if (line.length > NOTE_MAX) return `A note has at most ${NOTE_MAX} characters.`;
  return null;
}

/** The text with a note more at its end. */
export function withNewNote(text: string, note: string): string {
  const body = text.replace(/\s+$/, "");
  const gap = body === "" ? "" : /(^|\n)- [^\n]*$/.test(body) ? "\n" : "\n\n";
  return `${body}${gap}- ${oneLine(note)}\n`;
}

/** The path of the file that a class's, or the teacher's, own notes go to. */
export const entry = (name: string | null): string => (name === null ? "memory/MEMORY.md" : `memory/classes/${name}/MEMORY.md`);
export const firstText = (name: string | null): string => (name === null ? "# What I have learned about you\n" : `# What I have learned about ${name}\n`);

/** What a note is about, as a badge says it; nothing for the default kind. What the plugin counts first stands out. */
export function badge({ kind, first }: Pick<MemoryNote, "kind" | "first">): { text: string; tone: "ask" | "plain" } | null {
  if (!kind || kind === "other") return null;
  return { text: kind, tone: first ? "ask" : "plain" };
}

/** Who a note comes from, in words. */
export function origin(note: MemoryNote): string {
  if (note.by === "person") return "written by you";
  if (note.by === "memory-capture") return "you agreed to it after a lesson";
  if (note.by === "consolidation") return "came up in several lessons";
  return note.by ? "noted by the assistant while it worked" : "from a lesson";
}

export function evidence(note: MemoryNote): string[] {
  if (!note.evidence) return [];
  return (Array.isArray(note.evidence) ? note.evidence : [note.evidence]).filter((it) => it !== "");
}

const NAMES: Record<string, string> = {
  prompt: "the assistant",
  consolidation: "the tidying after a lesson",
  person: "you",
  accept: "you",
  feedforward: "the look ahead",
  privacy: "the privacy check",
  "memory-capture": "the proposals after a lesson",
};

/** A line of the audit in words. */
export function told(row: MemoryAudit): { who: string; did: string; detail: string } {
  const who = NAMES[row.by] ?? row.by;
  const digest = /^[0-9a-f]{64}$/.test(row.detail);
  switch (row.kind) {
    case "read": return { who, did: "read it", detail: digest ? "" : row.detail };
    case "written": return { who, did: "changed it", detail: row.detail };
    default: return { who, did: "decided", detail: row.detail };
  }
}
