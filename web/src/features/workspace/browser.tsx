import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Brain, FilePlus2, FolderOpen } from "lucide-react";
import { useEffect, useState } from "react";
import { file, files, memory } from "@/api/queries";
import { stream } from "@/api/stream";
import { count } from "@/lib/words";
import { Button, EmptyState, ErrorNote, IconButton, Skeleton } from "@/ui";
import { NewFile } from "./new-file-dialog";
import { FileTree } from "./tree-view";
import { useUnsaved } from "./use-file";

/** Fetches again what was changed elsewhere, and warns before the tab closes on unsaved text. */
export function useWorkspaceNews(): void {
  const client = useQueryClient();
  const unsaved = useUnsaved().length > 0;
  useEffect(() => {
    // On the pages that follow no session the tab hears what concerns its teacher.
    if (stream.status === "idle") stream.follow(null);
  }, []);
  useEffect(
    () =>
      stream.on("files", ({ paths }) => {
        void client.invalidateQueries({ queryKey: files.queryKey });
        for (const path of paths) void client.invalidateQueries({ queryKey: file(path).queryKey });
      }),
    [client],
  );
  useEffect(() => {
    if (!unsaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [unsaved]);
}

function Remembered() {
  const { data } = useQuery(memory);
  const notes = (data ?? []).reduce((sum, it) => sum + it.notes.length, 0);
  return (
    <section aria-label="Memory" className="mx-2 mb-2 mt-3 rounded-lg border border-dashed border-edge/50 bg-accent-wash/50 p-1.5">
      <Link to="/memory" className="flex items-start gap-2 rounded-md px-2 py-1.5 hover:bg-accent-wash">
        <Brain className="mt-0.5 size-4 shrink-0 text-accent" aria-hidden />
        <span className="min-w-0">
          <span className="block font-medium">What it remembers</span>
          <span className="block text-sm text-soft">
            {data && notes > 0 ? `${count(notes, "note")} you can read, change or delete` : "Nothing yet. You are asked before it learns from a lesson."}
          </span>
        </span>
      </Link>
    </section>
  );
}

/** The list of files, a way to make one, and what is remembered, set apart. */
export function Browser({ selected, onPick }: { selected: string | null; onPick: (path: string) => void }) {
  const tree = useQuery(files);
  const unsaved = useUnsaved();
  const [making, setMaking] = useState(false);
  const empty = tree.data && (tree.data.children ?? []).length === 0;
  return (
    <section aria-label="Your files" className="flex h-full min-h-0 min-w-0 flex-1 flex-col bg-panel">
      <header className="flex min-h-13 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2">
        <h2 className="flex-1">Your files</h2>
        <IconButton label="New file" size="small" onClick={() => setMaking(true)}>
          <FilePlus2 className="size-4.5" aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-auto py-1">
        {tree.isPending ? <Skeleton className="p-4" lines={7} label="Loading your files" /> : null}
        {tree.error ? <ErrorNote error={tree.error} className="m-3" onRetry={() => void tree.refetch()} /> : null}
        {empty ? (
          <EmptyState icon={<FolderOpen aria-hidden />} title="No files yet" action={<Button onClick={() => setMaking(true)}>New file</Button>}>
            The <Link to="/setup" className="text-accent underline underline-offset-3">set-up</Link> writes the first ones with you in ten minutes.
          </EmptyState>
        ) : tree.data ? (
          <FileTree root={tree.data} selected={selected} unsaved={unsaved} onPick={onPick} />
        ) : null}
        <Remembered />
      </div>
      <NewFile open={making} onOpenChange={setMaking} tree={tree.data} onMade={onPick} />
    </section>
  );
}
