import { Link } from "@tanstack/react-router";
import { EllipsisVertical, GitFork, Pencil, Play, Trash2 } from "lucide-react";
import type { Waiting } from "@/api/types";
import { progressOf } from "@/shell/waiting";
import { moment, when } from "@/lib/words";
import { Badge, Button, IconButton, Menu, MenuItem, MenuLine } from "@/ui";
import { pieces, standing, type Row } from "./list";

export type Actions = { onRename: (row: Row) => void; onFork: (row: Row) => void; onRemove: (row: Row) => void; onGoOn: (row: Row) => void };

function Hits({ hits }: { hits: string[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-0.5 border-s-2 border-line ps-2.5 text-sm text-soft">
      {hits.slice(0, 3).map((hit, index) => (
        <li key={index} className="line-clamp-2">
          {pieces(hit).map((it, at) => (it.found ? <mark key={at} className="rounded-sm bg-mark text-ink">{it.text}</mark> : <span key={at}>{it.text}</span>))}
        </li>
      ))}
    </ul>
  );
}

type Props = Actions & { row: Row; job: string; question: Waiting | undefined };

/** A lesson in the list: where it stands, and what can be done with it. */
export function SessionLine({ row, job, question, onRename, onFork, onRemove, onGoOn }: Props) {
  const it = standing(row, question !== undefined);
  const title = row.title || "Without a title";
  const decided = question ? progressOf(question) : null;
  return (
    <div className="group flex items-start gap-2 rounded-xl border border-transparent px-3 py-2.5 hover:border-line hover:bg-raised has-[a:focus-visible]:border-line">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-0.5">
          <Link
            to="/plan/$session"
            params={{ session: row.id }}
            search={question ? { focus: "question" } : {}}
            data-row={row.id}
            className="inline-block min-w-0 break-words font-medium first-letter:uppercase underline-offset-3 hover:text-accent hover:underline"
          >
            {title}
          </Link>
          {it.tone === "good" ? <span className="sr-only">{it.words}</span> : <Badge tone={it.tone}>{it.words}</Badge>}
        </p>
        <p className="mt-0.5 text-sm text-soft">
          {row.subject ? <span className="font-medium text-ink">{row.subject.id}</span> : "No class"}
          {` · ${job} · `}
          <time dateTime={new Date(row.created_ms).toISOString()} title={moment(row.created_ms)}>{when(row.created_ms)}</time>
          {row.runs > 1 ? ` · ${row.runs} requests` : ""}
        </p>
        {question ? (
          <p className="mt-1 text-sm text-ask">
            {question.question.title}
            {decided ? ` (${decided})` : ""}
          </p>
        ) : null}
        {row.hits && row.hits.length > 0 ? <Hits hits={row.hits} /> : null}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        {it.goOn ? (
          <Button size="small" icon={<Play className="size-3.5" aria-hidden />} aria-label={`Go on with ${title}`} onClick={() => onGoOn(row)}>Go on</Button>
        ) : null}
        <Menu
          trigger={
            <IconButton label={`More for ${title}`} size="small">
              <EllipsisVertical className="size-4.5" aria-hidden />
            </IconButton>
          }
        >
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onRename(row)}>Rename</MenuItem>
          <MenuItem icon={<GitFork aria-hidden />} hint="From one of its questions; this one stays" onSelect={() => onFork(row)}>Try another way</MenuItem>
          <MenuLine />
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => onRemove(row)}>Delete</MenuItem>
        </Menu>
      </div>
    </div>
  );
}
