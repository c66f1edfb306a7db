import { useQuery } from "@tanstack/react-query";
import { FilePlus2, FileText } from "lucide-react";
import { useMemo, useState } from "react";
import { file as fileQuery } from "@/api/queries";
import { marked, parts, shortened, type Piece } from "@/lib/versions";
import { count } from "@/lib/words";
import { Badge, Button, cx, ErrorNote, Skeleton } from "@/ui";
import type { SetupFile } from "./files";

const Text = ({ pieces, kind }: { pieces: Piece[]; kind: "ins" | "del" }) => (
  <>
    {pieces.map((piece, index) => {
      if (!piece.changed) return <span key={index}>{piece.text}</span>;
      return kind === "ins" ? <ins key={index} className="rounded-sm bg-added no-underline">{piece.text}</ins> : <del key={index} className="rounded-sm bg-removed">{piece.text}</del>;
    })}
  </>
);

/** What would change in a file that is there already. */
function Changes({ file }: { file: SetupFile }) {
  const now = useQuery(fileQuery(file.path));
  const list = useMemo(() => (now.data ? parts(file.text, now.data.text) : []), [file.text, now.data]);
  if (now.isPending) return <Skeleton className="p-4" lines={3} />;
  if (now.error) return <ErrorNote error={now.error} className="m-3" />;
  return (
    <div className="whitespace-pre-wrap break-words px-4 py-3 text-sm">
      {list.map((part, index) => {
        if (part.same) {
          const { head, hidden, tail } = shortened(part.text);
          return (
            <div key={index} className="text-soft">
              {head}
              {hidden > 0 ? <p className="my-1 border-y border-dashed border-line text-center text-xs">{count(hidden, "line")} the same</p> : null}
              {tail}
            </div>
          );
        }
        const sides = marked(part.mine, part.theirs);
        return (
          <div key={index} className="my-1">
            {part.theirs ? <div className="border-s-2 border-bad ps-2"><Text pieces={sides.theirs} kind="del" /></div> : null}
            {part.mine ? <div className="border-s-2 border-good ps-2"><Text pieces={sides.mine} kind="ins" /></div> : null}
          </div>
        );
      })}
    </div>
  );
}

function FileCard({ file, replace, onReplace }: { file: SetupFile; replace: boolean; onReplace: (replace: boolean) => void }) {
  const [open, setOpen] = useState(!file.path.startsWith("curriculum/") && file.path !== "soul.md");
  const problems = file.problems ?? [];
  return (
    <section aria-label={file.path} className="overflow-hidden rounded-xl border border-line bg-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-2.5">
        {file.exists ? <FileText className="size-4 text-soft" aria-hidden /> : <FilePlus2 className="size-4 text-good" aria-hidden />}
        <h3 className="min-w-0 break-all text-base">{file.path}</h3>
        {file.exists ? <Badge tone={replace ? "ask" : "plain"}>{replace ? "will be replaced" : "stays as it is"}</Badge> : <Badge tone="good">new</Badge>}
        <span className="ms-auto flex flex-wrap items-center gap-2">
          {file.exists ? (
            <label className="flex min-h-8 items-center gap-2 text-sm">
              <input type="checkbox" checked={replace} onChange={(event) => onReplace(event.target.checked)} className="size-4 accent-accent" />
              Replace it with this
            </label>
          ) : null}
          <Button size="small" look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "Hide the text" : "Show the text"}</Button>
        </span>
      </div>
      {problems.length > 0 ? (
        <ul className="border-t border-bad-line bg-bad-wash px-4 py-2 text-sm">
          {problems.map((it) => <li key={it} className="whitespace-pre-wrap">{it}</li>)}
        </ul>
      ) : null}
      {open ? (
        <div tabIndex={0} role="region" aria-label={`Text of ${file.path}`} className={cx("max-h-96 overflow-auto border-t border-line")}>
          {file.exists ? <Changes file={file} /> : <pre className="whitespace-pre-wrap break-words px-4 py-3 font-sans text-sm">{file.text}</pre>}
        </div>
      ) : null}
    </section>
  );
}

type Props = { files: SetupFile[]; replace: Record<string, string>; onReplace: (path: string, sha256: string | null) => void };

/** The files as they will be, before anything is written. */
export function Review({ files, replace, onReplace }: Props) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-soft">
        This is what will be written, as plain text that you can read and change at any time. Nothing is written before you say so, and a file that is there
        already stays unless you choose to replace it.
      </p>
      {files.map((file) => (
        <FileCard key={file.path} file={file} replace={replace[file.path] !== undefined} onReplace={(yes) => onReplace(file.path, yes ? (file.sha256_before ?? null) : null)} />
      ))}
    </div>
  );
}
