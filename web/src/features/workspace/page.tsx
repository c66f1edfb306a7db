import { getRouteApi } from "@tanstack/react-router";
import { FileText } from "lucide-react";
import { useNarrow } from "@/lib/media";
import { EmptyState, Split } from "@/ui";
import { Browser, useWorkspaceNews } from "./browser";
import { FileView } from "./file-view";

const route = getRouteApi("/app/files");

/** The workspace on a page of its own: the tree beside the file. */
export default function FilesPage() {
  useWorkspaceNews();
  const { file, from, to } = route.useSearch();
  const navigate = route.useNavigate();
  const narrow = useNarrow();
  const open = (path?: string) => void navigate({ search: path ? { file: path } : {} });
  const lines = from ? { from, to: to ?? from } : null;
  const view = file ? (
    <FileView key={file} path={file} onDeleted={() => open()} {...(narrow ? { onClose: () => open() } : {})} {...(lines ? { lines } : {})} ownPage />
  ) : (
    <EmptyState icon={<FileText aria-hidden />} title="Open a file">
      Your classes, how you teach, the curriculum and your lessons are plain text files. What you change here is what the assistant reads.
    </EmptyState>
  );
  const title = <h1 className="sr-only">Files</h1>;
  if (narrow) {
    return (
      <>
        {title}
        {file ? view : <Browser selected={null} onPick={open} />}
      </>
    );
  }
  return (
    <>
      {title}
      <Split
      name="files"
      label="Width of the list of files"
      sized="first"
      size={300}
      min={200}
      minRest={360}
      className="flex-1"
      first={<Browser selected={file ?? null} onPick={open} />}
      second={view}
      />
    </>
  );
}
