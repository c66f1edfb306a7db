import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from "react";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowLeft, BookOpen, CircleCheck, EllipsisVertical, ExternalLink, FileWarning, GitCompare, PenLine, Save, Trash2, Undo2 } from "lucide-react";
import { ApiError } from "@/api/errors";
import { visible } from "@/lib/visible";
import { count } from "@/lib/words";
import { Badge, Button, Confirm, ErrorNote, IconButton, Menu, MenuItem, Skeleton } from "@/ui";
import type { Lines } from "./editor";
import { problem, type FileProblem } from "./problems";
import { roleName } from "./tree";
import { useFile, type OpenFile } from "./use-file";

const Editor = lazy(() => import("./editor"));
const Reading = lazy(() => import("./reading"));
const Conflict = lazy(() => import("./conflict-view"));

function Note({ tone, children, actions }: { tone: "ask" | "bad"; children: ReactNode; actions?: ReactNode }) {
  const tones = { ask: "border-ask-line bg-ask-wash", bad: "border-bad-line bg-bad-wash" };
  return (
    <div role="status" className={`flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-4 py-2 ${tones[tone]}`}>
      <div className="min-w-40 flex-1">{children}</div>
      <div className="flex flex-wrap gap-1.5">{actions}</div>
    </div>
  );
}

function Problems({ list, onLine }: { list: FileProblem[]; onLine: (line: number) => void }) {
  const [open, setOpen] = useState(true);
  if (list.length === 0) return null;
  return (
    <section aria-label="Problems in this file" className="max-h-[40%] shrink-0 overflow-auto border-t border-bad-line bg-bad-wash">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex w-full items-center gap-2 px-4 py-1.5 text-start font-medium">
        <FileWarning className="size-4 text-bad" aria-hidden />
        {count(list.length, "problem")} in this file
      </button>
      {open ? (
        <ul className="flex flex-col gap-1.5 px-4 pb-2.5">
          {list.map((it, index) => (
            <li key={index} className="flex gap-2">
              {it.line === null ? (
                <span className="w-14 shrink-0 text-soft">file</span>
              ) : (
                <button type="button" className="w-14 shrink-0 self-start text-start text-accent underline underline-offset-3" onClick={() => onLine(it.line ?? 1)}>
                  line {it.line}
                </button>
              )}
              <span>
                {it.message}
                {it.hint ? <span className="block text-soft">{it.hint}</span> : null}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function Standing({ it }: { it: OpenFile }) {
  if (it.standing === "parted") {
    return (
      <Note tone="ask" actions={<><Button size="small" icon={<GitCompare className="size-4" aria-hidden />} onClick={it.compare}>Compare</Button><Button size="small" onClick={it.drop}>Take theirs</Button></>}>
        This file was changed elsewhere while you were writing. Nothing is overwritten.
      </Note>
    );
  }
  if (it.standing === "orphan") {
    return (
      <Note tone="ask" actions={<><Button size="small" busy={it.saving} onClick={() => void it.saveOver(it.text, null)}>Save it again</Button><Button size="small" onClick={it.drop}>Let it go</Button></>}>
        This file is not there any more. What you changed is kept here.
      </Note>
    );
  }
  return null;
}

type HeadProps = { it: OpenFile; onClose?: (() => void) | undefined; ownPage?: boolean | undefined; reading: boolean; onReading: (reading: boolean) => void; onDelete: () => void };

function Head({ it, onClose, ownPage, reading, onReading, onDelete }: HeadProps) {
  const unsaved = it.standing !== "clean";
  const name = visible(it.path.split("/").pop() ?? it.path);
  const role = it.now?.role ?? "other";
  const writable = it.now?.writable !== false;
  return (
    <header className="flex min-h-13 shrink-0 items-center gap-2 border-b border-line ps-2 pe-2">
      {onClose ? (
        <IconButton label="Back to the files" size="small" onClick={onClose}>
          <ArrowLeft className="size-4.5" aria-hidden />
        </IconButton>
      ) : null}
      <div className="min-w-0 flex-1 ps-1">
        <h2 className="truncate leading-tight" title={visible(it.path)}>{name}</h2>
        <p className="flex items-center gap-1.5 truncate text-xs text-soft">
          {roleName(role)}
          {writable ? null : " · read only"}
          {unsaved ? <Badge tone="ask">not saved</Badge> : null}
        </p>
      </div>
      <IconButton label={reading ? "Write in it" : "Read it"} size="small" onClick={() => onReading(!reading)}>
        {reading ? <PenLine className="size-4.5" aria-hidden /> : <BookOpen className="size-4.5" aria-hidden />}
      </IconButton>
      {writable ? (
        <Button size="small" look={unsaved ? "primary" : "quiet"} disabled={!unsaved || it.standing === "orphan"} busy={it.saving} icon={unsaved ? <Save className="size-4" aria-hidden /> : <CircleCheck className="size-4" aria-hidden />} onClick={() => void it.save()}>
          {unsaved ? "Save" : "Saved"}
        </Button>
      ) : null}
      <Menu
        trigger={
          <IconButton label={`More for ${name}`} size="small">
            <EllipsisVertical className="size-4.5" aria-hidden />
          </IconButton>
        }
      >
        {unsaved ? (
          <MenuItem icon={<Undo2 aria-hidden />} onSelect={it.drop}>Drop my changes</MenuItem>
        ) : null}
        {unsaved && it.now ? (
          <MenuItem icon={<GitCompare aria-hidden />} onSelect={it.compare}>See what I changed</MenuItem>
        ) : null}
        {ownPage ? null : (
          <Link to="/files" search={{ file: it.path }} role="menuitem" className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1 hover:bg-accent-wash focus-visible:bg-accent-wash">
            <ExternalLink className="size-4 text-soft" aria-hidden /> Open on a page of its own
          </Link>
        )}
        {it.now && writable ? (
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={onDelete}>Delete</MenuItem>
        ) : null}
      </Menu>
    </header>
  );
}

export type FileViewProps = {
  path: string;
  onClose?: () => void;
  onDeleted: () => void;
  /** Lines to show, marked. */
  lines?: Lines;
  /** It has a page of its own: line numbers are shown. */
  ownPage?: boolean;
};

/** A file with its editor, what is wrong with it, and what became of it elsewhere. */
export function FileView({ path, onClose, onDeleted, lines, ownPage }: FileViewProps) {
  const it = useFile(path);
  const [asked, setAsked] = useState(false);
  const [line, setLine] = useState<{ from: number; to: number }>();
  const unsaved = it.standing !== "clean";
  const problems = useMemo(() => (unsaved ? [] : (it.now?.problems ?? []).map((text) => problem(text, path))), [unsaved, it.now?.problems, path]);
  const shown = line ?? lines;
  // Lessons are read more often than written; lines that are asked for are shown where they have numbers.
  const [mode, setMode] = useState<"read" | "write">();
  const reading = (mode ?? (it.now?.role === "lesson" && !shown ? "read" : "write")) === "read";
  const navigate = useNavigate();
  const place = useCallback(
    (at: string, from: number | null, to: number | null) =>
      void navigate({ to: "/files", search: { file: at, ...(from === null ? {} : { from, to: to ?? from }) } }),
    [navigate],
  );
  return (
    <section aria-label={`File ${path}`} className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-panel">
      <Head it={it} onClose={onClose} ownPage={ownPage} reading={reading} onReading={(next) => setMode(next ? "read" : "write")} onDelete={() => setAsked(true)} />
      <Standing it={it} />
      {it.failed ? <ErrorNote error={it.failed} className="m-3" onRetry={() => void it.save()} /> : null}
      {it.error ? (
        <ErrorNote error={it.error} className="m-3" {...(it.error instanceof ApiError && it.error.status === 404 ? {} : { onRetry: it.again })} />
      ) : it.loading && it.text === "" ? (
        <Skeleton className="p-5" lines={8} label="Loading the file" />
      ) : reading ? (
        <Suspense fallback={<Skeleton className="p-5" lines={8} label="Loading the text" />}>
          <Reading text={it.text} onPlace={place} />
        </Suspense>
      ) : (
        <Suspense fallback={<Skeleton className="p-5" lines={8} label="Loading the editor" />}>
          <Editor
            text={it.text}
            onChange={it.edit}
            onSave={() => void it.save()}
            label={`Text of ${path}`}
            readOnly={it.now?.writable === false}
            numbers={ownPage ?? false}
            {...(shown ? { lines: shown } : {})}
            problems={problems.flatMap((found) => (found.line === null ? [] : [found.line]))}
          />
        </Suspense>
      )}
      <Problems list={problems} onLine={(at) => (setMode("write"), setLine({ from: at, to: at }))} />
      <Confirm
        open={asked}
        onOpenChange={setAsked}
        title={`Delete ${path}?`}
        description="You can bring it back right afterwards."
        action="Delete"
        danger
        onConfirm={() => void it.remove().then((gone) => gone && onDeleted())}
      />
      {it.conflict ? (
        <Suspense>
          <Conflict it={it} onClose={it.closeConflict} />
        </Suspense>
      ) : null}
    </section>
  );
}
