// Names and first texts of new files.
import type { FileNode } from "@/api/types";
import { allFiles } from "./tree";

export type NewKind = "class" | "lesson" | "other";
export const KINDS: { value: NewKind; label: string; directory: string; hint: string }[] = [
  { value: "class", label: "A class", directory: "classes/", hint: "Its short name, such as 3B. Describe needs, never names." },
  { value: "lesson", label: "A lesson", directory: "lessons/", hint: "What it is about, such as 3B-loops." },
  { value: "other", label: "Another text", directory: "", hint: "A name, with directories if you like: notes/trips." },
];

/** Longest name of a file, in characters. */
const NAME_MAX = 120;

/** The path that a typed name means. */
export function newPath(kind: NewKind, typed: string): string {
  const name = typed.trim().replace(/^\/+/, "");
  const directory = KINDS.find((it) => it.value === kind)?.directory ?? "";
  const path = name.startsWith(directory) ? name : directory + name;
  return /\.(md|txt)$/i.test(path) ? path : `${path}.md`;
}

/** What is wrong with a new path, in a sentence. */
export function wrongPath(path: string, tree: FileNode | undefined): string | null {
  const parts = path.split("/");
  const bare = (parts.at(-1) ?? "").replace(/\.(md|txt)$/i, "");
  if (bare === "") return "Give it a name.";
  if (path.length > NAME_MAX) return `Use at most ${NAME_MAX} characters.`;
  if (parts.some((part) => part === "" || part.startsWith(".") || part.trim() !== part)) return "Parts of the name cannot be empty, or begin with a dot or a space.";
  if (/[<>:"\\|?*\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/u.test(path)) return "Leave out the characters < > : \" \\ | ? * and hidden ones.";
  const there = tree && allFiles(tree).find((it) => it.path.toLowerCase() === path.toLowerCase());
  return there ? `There is a file ${there.path} already.` : null;
}

/** What a new file begins with. */
export function firstText(kind: NewKind, path: string): string {
  const name = (path.split("/").pop() ?? path).replace(/\.(md|txt)$/i, "");
  if (kind !== "class") return `# ${name.replaceAll("-", " ")}\n\n`;
  return `---
class: ${name}
level: third
period_minutes: 50
needs:
  - group: two pupils with English as an additional language
    need: reading long instructions
    support: keywords with pictures before the task
---

# ${name}

## What they know already

- 

## What works

- 

## What does not

- 

## The room

`;
}
