import { Ellipsis, Plus, Undo2 } from "lucide-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { shown } from "@/api/errors";
import { count, dollars } from "@/lib/words";
import { IconButton, Menu, MenuItem, toast, Tooltip } from "@/ui";
import { useUndo } from "./actions";
import { costOf, type View } from "./model/view";

/** What a session cost so far, in a word; with a built-in planner there is nothing to say but that. */
export function costWords(view: View): string {
  const { usd, tokens } = costOf(view);
  if (tokens === 0) return "";
  return usd <= 0 ? "no cost so far" : `${dollars(usd)} so far`;
}

type Props = { session: string; view: View; title: string; start: ReactNode; end: ReactNode };

/** The line over a conversation: what it is about, what it cost, what can be done with it. */
export function SessionBar({ session, view, title, start, end }: Props) {
  const undo = useUndo();
  const { tokens, estimated } = costOf(view);
  const run = view.runs[view.runs.length - 1];
  const decided = view.entries.some((it) => it.kind === "question" && (it.outcome !== null || Object.keys(it.decided).length > 0));
  const cost = costWords(view);
  return (
    <header data-print="never" className="flex min-h-12 shrink-0 items-center gap-2 border-b border-line bg-panel px-3 py-1.5">
      {start}
      <h1 className="min-w-0 flex-1 truncate text-base" title={title}>
        {title || run?.input || "Lesson"}
      </h1>
      {cost ? (
        <Tooltip text={`${count(tokens, "token")}${estimated ? ", estimated" : ""}${run?.budget ? `; at most ${dollars(run.budget)} for one request` : ""}`}>
          <span tabIndex={0} className="rounded text-sm whitespace-nowrap text-soft">
            {cost}
          </span>
        </Tooltip>
      ) : null}
      <Menu
        trigger={
          <IconButton label="More about this lesson" size="small">
            <Ellipsis className="size-4.5" aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Undo2 aria-hidden />}
          disabled={!decided || undo.isPending}
          hint="Goes back in a copy; this one stays as it is"
          onSelect={() =>
            undo.mutate(session, {
              onSuccess: ({ changed }) =>
                toast(`This is a copy, from before your last decision.${changed.length > 0 ? ` Files that were changed after it stay so: ${changed.join(", ")}.` : ""}`),
              onError: (error) => toast(shown(error).message, { tone: "bad" }),
            })
          }
        >
          Undo the last decision
        </MenuItem>
      </Menu>
      <Link to="/" aria-label="Plan a new lesson" className="flex size-8 items-center justify-center rounded-lg hover:bg-sunken">
        <Plus className="size-4.5" aria-hidden />
      </Link>
      {end}
    </header>
  );
}
