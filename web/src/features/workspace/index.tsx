import { FolderOpen } from "lucide-react";
import { EmptyState } from "@/ui";

/** The workspace pane: the tree of files, and the file that is open. */
export function WorkspacePane() {
  return <EmptyState icon={<FolderOpen aria-hidden />} title="Your files" />;
}
