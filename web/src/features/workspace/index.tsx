import { lazy, Suspense } from "react";
import { Skeleton } from "@/ui";
import type { PaneProps } from "./pane";

export { drafts } from "./drafts";

const Pane = lazy(() => import("./pane"));

/** The workspace pane: the tree of files, and the file that is open. With `file` and `onFile` the address says which. */
export function WorkspacePane(props: PaneProps) {
  return (
    <Suspense fallback={<Skeleton className="p-4" lines={7} label="Loading your files" />}>
      <Pane {...props} />
    </Suspense>
  );
}
