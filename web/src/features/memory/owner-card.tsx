import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileText, History, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import type { MemoryFile } from "@/api/types";
import { moment, when } from "@/lib/words";
import { Button, Dialog, EmptyState, ErrorNote, Skeleton, TextArea, toast } from "@/ui";
import { NoteEditor, NoteLine } from "./note-line";
import { entry, firstText, purpose, told, withNewNote, withNote, type Owner } from "./notes";
import { audit, useChange, type Change } from "./queries";

function Audit({ file, onClose }: { file: MemoryFile; onClose: () => void }) {
  const rows = useQuery(audit(file.path));
  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())} width="wide" title="Who read it, who changed it" description={file.path}>
      {rows.isPending ? <Skeleton lines={5} /> : null}
      {rows.error ? <ErrorNote error={rows.error} onRetry={() => void rows.refetch()} /> : null}
      {rows.data && rows.data.length === 0 ? <EmptyState title="Nobody has read or changed it yet" /> : null}
      <ol className="flex flex-col">
        {(rows.data ?? []).map((row) => {
          const it = told(row);
          return (
            <li key={`${row.session}:${row.seq}:${row.kind}:${row.detail}`} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-x-3 border-t border-line py-2 first:border-t-0">
              <time className="text-sm text-soft" title={moment(row.at_ms)}>{when(row.at_ms)}</time>
              <div className="min-w-0">
                <p>
                  <span className="font-medium">{it.who}</span> {it.did}
                  {row.session ? (
                    <> · <Link to="/plan/$session" params={{ session: row.session }} className="text-accent underline underline-offset-3">lesson</Link></>
                  ) : null}
                </p>
                {it.detail ? <p className="break-words text-sm text-soft">{it.detail}</p> : null}
              </div>
            </li>
          );
        })}
      </ol>
    </Dialog>
  );
}

function AsText({ file, change, onClose }: { file: MemoryFile; change: Change; onClose: () => void }) {
  const [text, setText] = useState(file.text);
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    const done = await change.put(file, text, "Saved.");
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      width="wide"
      title="All of it as text"
      description="Lines that begin with a dash are notes; the rest is for you."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={text === file.text} onClick={() => void save()}>Save</Button>
        </>
      }
    >
      <TextArea aria-label={`Text of ${file.path}`} value={text} onChange={(event) => setText(event.target.value)} className="!max-h-none min-h-72 font-mono text-sm" />
    </Dialog>
  );
}

function FilePart({ file, title, change, only }: { file: MemoryFile; title: string; change: Change; only: boolean }) {
  const [open, setOpen] = useState<"audit" | "text">();
  const about = purpose(file.path);
  const edit = async (note: string, now: string) => {
    const text = withNote(file.text, note, now);
    if (text !== null) return change.put(file, text, "Changed.");
    toast("This note is not there any more. What you wrote is still in the field: copy it, and add it anew.", { tone: "bad" });
    return false;
  };
  return (
    <section aria-label={`${about.title}: ${title}`} className={about.settled ? "" : "mt-3 rounded-lg border border-dashed border-edge/50 px-3 py-2"}>
      {only ? null : <h3 className="text-sm">{about.title}</h3>}
      {about.settled ? null : <p className="text-sm text-soft">{about.text}</p>}
      {file.notes.length === 0 ? <p className="py-2 text-soft">No notes in it.</p> : null}
      <ul>
        {file.notes.map((note) => (
          <NoteLine key={note.text} note={note} onEdit={(now) => edit(note.text, now)} onRemove={() => change.remove(file, note.text, "Deleted. It is not shown to the assistant any more.")} />
        ))}
      </ul>
      <div className="flex flex-wrap gap-1 pt-1">
        <Button size="small" look="quiet" className="!text-soft" icon={<History className="size-4" aria-hidden />} onClick={() => setOpen("audit")}>Who read it, who changed it</Button>
        <Button size="small" look="quiet" className="!text-soft" icon={<FileText className="size-4" aria-hidden />} onClick={() => setOpen("text")}>As text</Button>
        <Button size="small" look="quiet" className="!text-soft" icon={<Trash2 className="size-4" aria-hidden />} onClick={() => void change.remove(file, null, "All of it was deleted.")}>Delete all</Button>
      </div>
      {open === "audit" ? <Audit file={file} onClose={() => setOpen(undefined)} /> : null}
      {open === "text" ? <AsText file={file} change={change} onClose={() => setOpen(undefined)} /> : null}
    </section>
  );
}

/** All that is remembered about the teacher, or about one class. */
export function OwnerCard({ owner }: { owner: Owner }) {
  const change = useChange();
  const [adding, setAdding] = useState(false);
  const main = owner.files.find((it) => purpose(it.path).settled);
  const add = (note: string) =>
    main ? change.put(main, withNewNote(main.text, note), "Noted.") : change.make(entry(owner.class), withNewNote(firstText(owner.class), note));
  return (
    <section aria-labelledby={`owner-${owner.key}`} className="rounded-xl border border-line bg-raised px-4 py-3.5 sm:px-5">
      <div className="mb-1 flex items-center gap-2">
        <h2 id={`owner-${owner.key}`} className="flex-1 text-base">{owner.title}</h2>
        <Button size="small" icon={<Plus className="size-4" aria-hidden />} aria-label={`Add a note about ${owner.class ?? "you"}`} onClick={() => setAdding(true)}>
          Add
        </Button>
      </div>
      {adding ? <NoteEditor label={`A new note about ${owner.class ?? "you"}`} action="Add" text="" onSave={add} onCancel={() => setAdding(false)} /> : null}
      {owner.files.length === 0 && !adding ? <p className="text-soft">Nothing yet.</p> : null}
      {owner.files.map((file) => (
        <FilePart key={file.path} file={file} title={owner.title} change={change} only={owner.files.length === 1 && purpose(file.path).settled} />
      ))}
    </section>
  );
}
