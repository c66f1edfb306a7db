import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { when } from "@/lib/words";
import { Button, Dialog, ErrorNote, Field, Skeleton, TextInput } from "@/ui";
import type { Row } from "./list";
import { fork, points, rename } from "./queries";

/** Longest title, in characters. */
const TITLE_MAX = 120;

export function RenameDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const client = useQueryClient();
  const [title, setTitle] = useState(row.title);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    setBusy(true);
    try {
      await rename(client, row.id, title.trim());
      onClose();
    } catch (error) {
      setFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Rename"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="rename" busy={busy} disabled={title.trim() === ""}>Rename</Button>
        </>
      }
    >
      <form id="rename" onSubmit={(event) => void save(event)} className="flex flex-col gap-3">
        <Field label="Title" hint="For you alone: the lesson and its file keep theirs.">
          {(ids) => <TextInput {...ids} value={title} maxLength={TITLE_MAX} autoFocus onFocus={(event) => event.target.select()} onChange={(event) => setTitle(event.target.value)} />}
        </Field>
        {failed ? <ErrorNote error={failed} /> : null}
      </form>
    </Dialog>
  );
}

export function ForkDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const navigate = useNavigate();
  const list = useQuery({ queryKey: ["points", row.id, row.updated_ms], queryFn: ({ signal }) => points(row.id, signal) });
  const [at, setAt] = useState<number>();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const chosen = at ?? list.data?.at(0)?.seq;
  const begin = async () => {
    if (chosen === undefined) return;
    setBusy(true);
    setFailed(null);
    try {
      const { session } = await fork(row.id, chosen);
      await navigate({ to: "/plan/$session", params: { session }, search: { focus: "question" } });
    } catch (error) {
      setFailed(error);
      setBusy(false);
    }
  };
  const none = list.data && list.data.length === 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Try another way"
      description={`A copy of “${row.title}” that goes on from a question you answered. The first one stays as it is.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" busy={busy} disabled={chosen === undefined} onClick={() => void begin()}>Go on from there</Button>
        </>
      }
    >
      {list.isPending ? <Skeleton lines={4} label="Looking for its questions" /> : null}
      {list.error ? <ErrorNote error={list.error} onRetry={() => void list.refetch()} /> : null}
      {none ? <p className="text-soft">It has asked you nothing yet, so there is no place to turn off. Open it and write what should be different.</p> : null}
      {list.data && !none ? (
        <fieldset>
          <legend className="mb-2 font-medium">From which question?</legend>
          <div className="flex flex-col gap-1">
            {list.data.map((point) => (
              <label key={point.seq} className="flex items-start gap-3 rounded-lg border border-line px-3 py-2 has-[:checked]:border-accent has-[:checked]:bg-accent-wash">
                <input type="radio" name="point" checked={point.seq === chosen} onChange={() => setAt(point.seq)} className="mt-1 size-4 accent-accent" />
                <span className="min-w-0 break-words">
                  {point.title}
                  <span className="block text-sm text-soft">{when(point.at_ms)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ) : null}
      {failed ? <ErrorNote error={failed} className="mt-3" /> : null}
    </Dialog>
  );
}
