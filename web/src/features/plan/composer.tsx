import { useQuery } from "@tanstack/react-query";
import { SendHorizontal } from "lucide-react";
import { useId, useState } from "react";
import { commands as commandsQuery } from "@/api/queries";
import type { Command } from "@/api/types";
import { ErrorNote, IconButton } from "@/ui";
import { useStartRun } from "./actions";
import type { View } from "./model/view";
import { REQUEST_MAX } from "./request";

const keyOf = (command: Command) => `${command.plugin}:${command.command}`;

/** What a next request in a session with a lesson is most likely to be: a change of it. */
function likely(list: Command[], view: View): Command | undefined {
  const last = view.runs[view.runs.length - 1];
  const own = list.filter((it) => it.plugin === last?.plugin);
  return (view.lesson ? own.find((it) => it.command.startsWith("refine")) : undefined) ?? own.find((it) => it.command === last?.command) ?? list[0];
}

const WORDS: Record<string, string> = { "create-lesson": "Plan another lesson", "refine-lesson": "Change this lesson" };

/** A change names the lesson that it is about. */
export function requestText(text: string, command: string, saved: string | null): string {
  const about = command.startsWith("refine") && saved !== null && !text.includes(saved);
  return about ? `${saved}: ${text}` : text;
}

/** The next request of a session. */
export function Composer({ session, view }: { session: string; view: View }) {
  const { data: list = [] } = useQuery(commandsQuery);
  const [picked, setPicked] = useState<string | null>(null);
  const [text, setText] = useState("");
  const start = useStartRun();
  const id = useId();
  const command = list.find((it) => keyOf(it) === picked) ?? likely(list, view);
  const busy = view.phase === "working" || view.phase === "asking";
  const ready = !busy && command !== undefined && text.trim() !== "" && !start.isPending;
  const saved = view.runs.findLast((run) => run.saved !== null)?.saved ?? null;
  const send = () => {
    if (!ready || !command) return;
    const input = requestText(text.trim(), command.command, saved);
    start.mutate({ of: command, input, session }, { onSuccess: () => setText("") });
  };
  if (busy) {
    return view.phase === "asking" ? (
      <p className="border-t border-line bg-panel px-4 py-3 text-soft">It goes on when you have answered. You can also leave: the question waits for you.</p>
    ) : null;
  }
  return (
    <form
      className="border-t border-line bg-panel px-3 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {start.error ? <ErrorNote error={start.error} className="mb-2" /> : null}
      <div className="rounded-xl border border-edge/70 bg-raised focus-within:border-accent focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-accent">
        <label htmlFor={id} className="sr-only">
          Your next request
        </label>
        <textarea
          id={id}
          rows={1}
          className="max-h-60 w-full resize-none bg-transparent px-3.5 pt-2.5 placeholder:text-soft focus:outline-none"
          maxLength={REQUEST_MAX}
          placeholder={view.lesson ? "What should change? For example: a shorter starter" : "What should be planned?"}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        <div className="flex items-center gap-2 px-1.5 pb-1.5">
          <select
            aria-label="What this is"
            className="min-h-8 max-w-full rounded-md bg-transparent ps-2 text-sm text-soft hover:text-ink [&>option]:bg-raised"
            value={command ? keyOf(command) : ""}
            onChange={(event) => setPicked(event.target.value)}
          >
            {list.map((it) => (
              <option key={keyOf(it)} value={keyOf(it)}>
                {WORDS[it.command] ?? it.title}
              </option>
            ))}
          </select>
          <IconButton label="Send" look="primary" size="small" type="submit" side="top" className="ms-auto" disabled={!ready} busy={start.isPending}>
            <SendHorizontal className="size-4" aria-hidden />
          </IconButton>
        </div>
      </div>
    </form>
  );
}
