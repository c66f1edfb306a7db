import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { WorkspacePane } from "@/features/workspace";

/** The workspace pane, with the open file in the page's address. */
export function Files() {
  const { file } = useSearch({ strict: false }) as { file?: string };
  const navigate = useNavigate();
  const onFile = useCallback(
    (path: string | undefined) => void navigate({ to: ".", search: (old) => ({ ...old, file: path }) as never, replace: true }),
    [navigate],
  );
  return <WorkspacePane file={file} onFile={onFile} />;
}
