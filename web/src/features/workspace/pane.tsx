import { lazy, Suspense, useEffect, useState } from "react";
import { Skeleton } from "@/ui";
import { Browser, useWorkspaceNews } from "./browser";
import type { Lines } from "./editor";

const view = () => import("./file-view");
const FileView = lazy(() => view().then(({ FileView: component }) => ({ default: component })));
/** The list of files comes first; what shows one is fetched once nothing else is. */
const AHEAD_MS = 1_000;

export type PaneProps = {
  /** The file that is open, where the page's address says which; otherwise the pane keeps it to itself. */
  file?: string | undefined;
  onFile?: (path: string | undefined) => void;
  /** Lines of it to show, marked. */
  lines?: Lines | undefined;
};

/** The workspace in a narrow place: the tree, or the file that was opened from it. */
export default function Pane({ file, onFile, lines }: PaneProps) {
  useWorkspaceNews();
  const [own, setOwn] = useState<string>();
  const open = onFile ? file : own;
  const pick = onFile ?? setOwn;
  // Where it came from is marked in the tree when it is closed.
  const [last, setLast] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => void view().catch(() => undefined), AHEAD_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!open) return <Browser selected={last} onPick={(path) => pick(path)} />;
  const close = () => {
    setLast(open);
    pick(undefined);
  };
  return (
    <Suspense fallback={<Skeleton className="p-4" lines={7} label="Opening the file" />}>
      <FileView key={open} path={open} onClose={close} onDeleted={() => (setLast(null), pick(undefined))} {...(lines ? { lines } : {})} />
    </Suspense>
  );
}
