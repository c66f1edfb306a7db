import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { BookOpen, ChevronRight, FileText, Folder, GraduationCap, Lightbulb, Library, Sparkles, UserRound } from "lucide-react";
import type { FileNode, FileRole } from "@/api/types";
import { visible } from "@/lib/visible";
import { cx } from "@/ui";
import { above, allFiles, roleName, rows, step, typeAhead, type Row } from "./tree";

const ICONS: Record<FileRole, typeof FileText> = {
  soul: Sparkles,
  teacher: UserRound,
  pedagogy: Lightbulb,
  class: GraduationCap,
  curriculum: Library,
  lesson: BookOpen,
  other: FileText,
};
const FIRST_OPEN = ["classes", "lessons"];
/** Letters typed within this time belong together. */
const TYPING_MS = 700;

/** A name as people read it: no ending, the three files about the teacher by what they are. */
function nameOf(row: Row): string {
  if (row.kind === "directory") return visible(row.name.charAt(0).toUpperCase() + row.name.slice(1));
  if (row.level === 1 && (row.role === "teacher" || row.role === "pedagogy" || row.role === "soul")) return roleName(row.role);
  return visible(row.name.replace(/\.md$/, ""));
}

type Props = { root: FileNode; selected: string | null; unsaved: readonly string[]; onPick: (path: string) => void };

/** The files of the workspace, as a tree that the keyboard walks. */
export function FileTree({ root, selected, unsaved, onPick }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set([...FIRST_OPEN, ...(selected ? above(selected) : [])]));
  const list = useMemo(() => rows(root.children ?? [], open), [root, open]);
  const [focus, setFocus] = useState<string | null>(selected);
  const box = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: "", at: 0 });
  const sizes = useMemo(() => new Map((root.children ?? []).filter((it) => it.kind === "directory").map((it) => [it.path, allFiles(it).length])), [root]);

  useEffect(() => {
    if (!selected) return;
    setFocus(selected);
    setOpen((was) => (above(selected).every((it) => was.has(it)) ? was : new Set([...was, ...above(selected)])));
  }, [selected]);

  const focused = list.some((row) => row.path === focus) ? focus : (list[0]?.path ?? null);
  const go = (path: string) => {
    setFocus(path);
    box.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  };
  const toggle = (path: string) => setOpen((was) => (was.has(path) ? new Set([...was].filter((it) => it !== path)) : new Set([...was, path])));

  const press = (event: KeyboardEvent, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const found = step(list, index, event.key);
    if (found) {
      event.preventDefault();
      if (found.to) go(found.to);
      if (found.toggle) toggle(found.toggle);
      if (found.pick) onPick(found.pick);
    } else if (event.key.length === 1) {
      const { text, at } = typed.current;
      typed.current = { text: event.timeStamp - at < TYPING_MS ? text + event.key : event.key, at: event.timeStamp };
      const path = typeAhead(list.map((row) => ({ ...row, name: nameOf(row) })), index, typed.current.text);
      if (path) go(path);
    }
  };

  return (
    <ul ref={box} role="tree" aria-label="Files" className="px-1.5 py-1">
      {list.map((row, index) => {
        const Icon = row.kind === "directory" ? Folder : (ICONS[row.role] ?? FileText);
        const dirty = unsaved.includes(row.path);
        const titled = nameOf(row);
        return (
          <li
            key={row.path}
            role="treeitem"
            data-path={row.path}
            tabIndex={row.path === focused ? 0 : -1}
            aria-level={row.level}
            aria-posinset={row.position}
            aria-setsize={row.of}
            aria-expanded={row.kind === "directory" ? row.open : undefined}
            aria-selected={row.path === selected}
            title={visible(row.path)}
            onKeyDown={(event) => press(event, index)}
            onFocus={() => setFocus(row.path)}
            onClick={() => (row.kind === "directory" ? toggle(row.path) : onPick(row.path))}
            className={cx(
              "flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-md pe-2 text-ink hover:bg-sunken",
              "aria-selected:bg-accent-wash aria-selected:font-medium aria-selected:text-accent",
              row.level === 1 ? "ps-1.5" : row.level === 2 ? "ps-6" : "ps-10",
            )}
          >
            {row.kind === "directory" ? (
              <ChevronRight className={cx("-me-1 size-4 shrink-0 text-soft transition-transform", row.open && "rotate-90")} aria-hidden />
            ) : (
              <Icon className="size-4 shrink-0 text-soft" aria-hidden />
            )}
            <span className="min-w-0 flex-1 truncate">{titled}</span>
            {row.kind === "directory" && sizes.has(row.path) ? <span className="text-xs text-soft">{sizes.get(row.path)}</span> : null}
            {row.kind === "file" && row.level > 1 ? <span className="sr-only">, {roleName(row.role).toLowerCase()}</span> : null}
            {dirty ? <span className="size-2 shrink-0 rounded-full bg-ask" /> : null}
            {dirty ? <span className="sr-only">, not saved</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
