// The tree of files as a list of rows, and what each key does in it. No page in here.
import type { FileNode, FileRole } from "@/api/types";

export type Row = { path: string; name: string; kind: "directory" | "file"; role: FileRole; level: number; position: number; of: number; open: boolean };

const ORDER: Record<string, number> = { teacher: 0, pedagogy: 1, soul: 2, class: 3, curriculum: 4, lesson: 5 };
const OTHER = 6;
const DIRECTORIES = ["classes", "lessons", "curriculum"];

/** Files about the teacher first, then the directories that are used most. Lessons stand newest first. */
export function sorted(nodes: FileNode[]): FileNode[] {
  const rank = (node: FileNode) => {
    if (node.kind === "file") return ORDER[node.role] ?? OTHER;
    const known = DIRECTORIES.indexOf(node.name);
    return known < 0 ? 20 : 10 + known;
  };
  return [...nodes].sort((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (a.role === "lesson" && b.role === "lesson" && a.kind === b.kind && a.changed_ms !== b.changed_ms) {
      return (b.changed_ms ?? 0) - (a.changed_ms ?? 0);
    }
    return a.name.localeCompare(b.name, "en-GB", { numeric: true });
  });
}

/** The rows that are to be seen, from top to bottom. */
export function rows(nodes: FileNode[], open: ReadonlySet<string>, level = 1): Row[] {
  const list = sorted(nodes);
  return list.flatMap((node, index) => {
    const row: Row = {
      path: node.path,
      name: node.name,
      kind: node.kind,
      role: node.role,
      level,
      position: index + 1,
      of: list.length,
      open: node.kind === "directory" && open.has(node.path),
    };
    return row.open ? [row, ...rows(node.children ?? [], open, level + 1)] : [row];
  });
}

/** All files of the tree, in the order in which they stand. */
export function allFiles(node: FileNode): FileNode[] {
  if (node.kind === "file") return [node];
  return sorted(node.children ?? []).flatMap(allFiles);
}

/** The directories above a path. */
export function above(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

export type Step = { to?: string; toggle?: string; pick?: string } | null;

const parentOf = (path: string) => above(path).at(-1);

/** What a key does while the row at `index` has the focus; nothing for keys that are not the tree's. */
export function step(list: Row[], index: number, key: string): Step {
  const row = list[index];
  if (!row) return null;
  const to = (at: number): Step => ({ to: (list[Math.max(0, Math.min(at, list.length - 1))] ?? row).path });
  switch (key) {
    case "ArrowDown": return to(index + 1);
    case "ArrowUp": return to(index - 1);
    case "Home": return to(0);
    case "End": return to(list.length - 1);
    case "ArrowRight":
      if (row.kind !== "directory") return {};
      return row.open ? to(index + ((list[index + 1]?.level ?? 0) > row.level ? 1 : 0)) : { toggle: row.path };
    case "ArrowLeft": {
      if (row.open) return { toggle: row.path };
      const parent = parentOf(row.path);
      return parent && list.some((it) => it.path === parent) ? { to: parent } : {};
    }
    case "Enter":
    case " ": return row.kind === "directory" ? { toggle: row.path } : { pick: row.path };
    default: return null;
  }
}

/** The next row whose name begins with what was typed; the same letter again goes on to the next. */
export function typeAhead(list: Row[], index: number, typed: string): string | null {
  const text = typed.toLowerCase();
  const same = text.length > 1 && [...text].every((letter) => letter === text[0]);
  const wanted = same ? (text[0] ?? "") : text;
  const from = wanted.length > 1 ? index : index + 1;
  for (let offset = 0; offset < list.length; offset += 1) {
    const row = list[(from + offset) % list.length];
    if (row?.name.toLowerCase().startsWith(wanted)) return row.path;
  }
  return null;
}

const ROLES: Record<FileRole, string> = {
  soul: "Who the assistant is",
  teacher: "About you",
  pedagogy: "How you teach",
  class: "Class",
  curriculum: "Curriculum",
  lesson: "Lesson",
  other: "File",
};

/** What a role is called where a person reads it; one of another plugin by its own word. */
export const roleName = (role: FileRole): string => ROLES[role] ?? role.charAt(0).toUpperCase() + role.slice(1);
