import { useQuery } from "@tanstack/react-query";
import { Brain } from "lucide-react";
import { useMemo } from "react";
import { memory, start } from "@/api/queries";
import { count } from "@/lib/words";
import { EmptyState, ErrorNote, Skeleton } from "@/ui";
import { Agreement } from "./agreement";
import { OwnerCard } from "./owner-card";
import { owners, type Owner } from "./notes";

/** Whom notes may be about: the teacher, and every class that is there or has notes. */
function everyone(found: Owner[], classes: string[]): Owner[] {
  const missing = classes.filter((name) => !found.some((it) => it.class === name)).map((name): Owner => ({ key: name, title: name, class: name, files: [] }));
  const teacher = found.some((it) => it.class === null) ? [] : [{ key: "", title: "You and your teaching", class: null, files: [] }];
  return [...teacher, ...found, ...missing].sort((a, b) => a.key.localeCompare(b.key, "en-GB", { numeric: true }));
}

export default function MemoryPage() {
  const files = useQuery(memory);
  const { data: begin } = useQuery(start);
  const found = useMemo(() => owners(files.data ?? []), [files.data]);
  const all = useMemo(() => everyone(found, (begin?.classes ?? []).map((it) => it.id)), [found, begin]);
  const notes = (files.data ?? []).reduce((sum, it) => sum + it.notes.length, 0);
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-5">
      <div className="mx-auto flex max-w-3xl flex-col gap-4">
        <header>
          <h1 className="text-xl">Memory</h1>
          <p className="mt-1 text-soft">
            {notes > 0 ? `${count(notes, "note")} that the assistant reads before it plans. ` : ""}
            Change or delete what you like. Notes are about your teaching and about classes, never about a pupil. A deleted note is not
            used again; lessons that were made with it stay as they are.
          </p>
        </header>
        {files.isPending ? <Skeleton lines={7} label="Loading what is remembered" /> : null}
        {files.error ? <ErrorNote error={files.error} onRetry={() => void files.refetch()} /> : null}
        {files.data && notes === 0 ? (
          <EmptyState icon={<Brain aria-hidden />} title="Nothing is remembered yet">
            At the end of a lesson you are shown what might be worth remembering, one line at a time. You can also write a note yourself.
          </EmptyState>
        ) : null}
        {files.data ? all.map((owner) => <OwnerCard key={owner.key} owner={owner} />) : null}
        {files.data ? <Agreement /> : null}
      </div>
    </div>
  );
}
