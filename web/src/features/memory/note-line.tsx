import { Link } from "@tanstack/react-router";
import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type FormEvent } from "react";
import type { MemoryNote } from "@/api/types";
import { likelyNames } from "@/lib/names";
import { count, moment, series, when } from "@/lib/words";
import { Badge, Button, IconButton, TextArea } from "@/ui";
import { badge, evidence, NOTE_MAX, origin, wrongNote } from "./notes";

function NameWarning({ text }: { text: string }) {
  const names = likelyNames(text);
  if (names.length === 0) return null;
  return <p role="status" className="mt-1 text-sm text-ask">{series(names)}: is that a person? Describe the need and leave the name out.</p>;
}

type EditProps = { label: string; action: string; text: string; onSave: (text: string) => Promise<boolean>; onCancel: () => void };

/** A note being written. Ctrl-Enter saves, Escape gives up. */
export function NoteEditor({ label, action, text, onSave, onCancel }: EditProps) {
  const [now, setNow] = useState(text);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const wrong = wrongNote(now);
  const save = async (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    if (wrong || busy) return;
    setBusy(true);
    const done = await onSave(now);
    setBusy(false);
    if (done) onCancel();
  };
  return (
    <form onSubmit={(event) => void save(event)} className="py-1">
      <TextArea
        aria-label={label}
        value={now}
        autoFocus
        rows={2}
        maxLength={NOTE_MAX + 100}
        onChange={(event) => setNow(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <NameWarning text={now} />
      {tried && wrong ? <p role="alert" className="mt-1 text-sm text-bad">{wrong}</p> : null}
      <div className="mt-2 flex gap-2">
        <Button type="submit" size="small" look="primary" busy={busy}>{action}</Button>
        <Button size="small" onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}

function Origin({ note }: { note: MemoryNote }) {
  const times = note.times > 1 ? `came up in ${count(note.times, "lesson")}` : null;
  const about = badge(note);
  const shownTimes = note.uses ? `shown before ${count(note.uses, "lesson")}` : null;
  return (
    <div className="mt-0.5 text-sm text-soft">
      <p>
        {about ? <><Badge tone={about.tone}>{about.text}</Badge> </> : null}
        {[origin(note), times, shownTimes].filter(Boolean).join(" · ")}
        {note.created_ms ? <> · <time className="whitespace-nowrap" title={moment(note.created_ms)}>{when(note.created_ms)}</time></> : null}
        {note.session ? (
          <>
            {" · "}
            <Link to="/plan/$session" params={{ session: note.session }} className="whitespace-nowrap text-accent underline underline-offset-3">
              the lesson it comes from
            </Link>
          </>
        ) : null}
      </p>
      {evidence(note).length > 0 ? <p>because: {series(evidence(note))}</p> : null}
    </div>
  );
}

type Props = { note: MemoryNote; onEdit: (text: string) => Promise<boolean>; onRemove: () => Promise<boolean> };

export function NoteLine({ note, onEdit, onRemove }: Props) {
  const [editing, setEditing] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const stop = () => {
    setEditing(false);
    requestAnimationFrame(() => pencil.current?.focus());
  };
  if (editing) {
    return (
      <li className="border-t border-line py-2 first:border-t-0">
        <NoteEditor label="The note" action="Save" text={note.text} onSave={onEdit} onCancel={stop} />
      </li>
    );
  }
  return (
    <li className="flex items-start gap-2 border-t border-line py-2.5 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="break-words">{note.text}</p>
        <Origin note={note} />
      </div>
      <IconButton ref={pencil} label={`Change “${note.text}”`} size="small" onClick={() => setEditing(true)}>
        <Pencil className="size-4" aria-hidden />
      </IconButton>
      <IconButton label={`Delete “${note.text}”`} size="small" onClick={() => void onRemove()}>
        <Trash2 className="size-4" aria-hidden />
      </IconButton>
    </li>
  );
}
