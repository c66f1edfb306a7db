import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { Square } from "lucide-react";
import { Markdown, isLesson } from "@/features/document";
import { announce } from "@/lib/announce";
import { bringIntoView } from "@/lib/scroll";
import { Button, EmptyState } from "@/ui";
import { useResume, useStop } from "./actions";
import { bubble, Draft, End, Note, Problem, Request, Work } from "./feed-entries";
import type { Entry, View } from "./model/view";
import { QuestionCard } from "./question/card";
import { useLive, type SessionStore } from "./session";

/** Entries that are drawn; earlier ones come when they are asked for. */
const WINDOW = 120;
/** How near to the end one must be for the page to follow what is added, in pixels. */
const NEAR_PX = 120;

type EntryProps = { entry: Entry; view: View; focus: boolean; onRead: () => void; onResume: () => void };

function Shown({ entry, view, focus, onRead, onResume }: EntryProps) {
  const last = view.entries[view.entries.length - 1] === entry;
  switch (entry.kind) {
    case "request":
      return <Request entry={entry} />;
    case "work":
      return <Work entry={entry} live={last && view.phase === "working"} />;
    case "question":
      return <QuestionCard entry={entry} open={view.open === entry.key} focus={focus && view.open === entry.key} />;
    case "draft":
      return <Draft entry={entry} newest={view.lesson?.seq === entry.seq || isNewest(view, entry)} onRead={onRead} />;
    case "reply":
      return <Markdown text={entry.text} className={bubble} />;
    case "note":
      return <Note text={entry.text} />;
    case "problem":
      return <Problem entry={entry} onResume={last && view.phase === "failed" ? onResume : null} />;
    case "end":
      return <End entry={entry} onRead={onRead} />;
  }
}

function isNewest(view: View, entry: Entry): boolean {
  return view.entries.findLast((it) => it.kind === "draft") === entry;
}

/** Says to screen readers what happened, and not every step of it. */
function useAnnouncements(view: View): void {
  const { phase, open, activity } = view;
  useEffect(() => {
    if (phase === "working" && activity) announce(activity);
  }, [phase, activity]);
  useEffect(() => {
    const entry = view.entries.find((it) => it.key === open);
    if (entry?.kind === "question") announce(`A question for you: ${entry.question.title}`);
    else if (phase === "done") announce("Finished.");
    else if (phase === "failed") announce("Something went wrong. It can be tried again.");
    // Only a change of these is news.
  }, [phase, open]);
}

type Props = { store: SessionStore; view: View; focusQuestion: boolean; onRead: () => void };

/** The conversation: what was asked, what was done, what is asked of the teacher. */
export function Feed({ store, view, focusQuestion, onRead }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const follow = useRef(true);
  const [shown, setShown] = useState(WINDOW);
  const resume = useResume();
  const lastRun = view.runs[view.runs.length - 1];
  const goOn = () => lastRun && resume.mutate(lastRun.id);
  const opened = useRef<string | null>(null);
  useAnnouncements(view);
  useEffect(() => setShown(WINDOW), [store]);

  useLayoutEffect(() => {
    const node = box.current;
    if (!node) return;
    if (view.open !== null && view.open !== opened.current) {
      // A new question is read from its beginning.
      opened.current = view.open;
      const card = node.querySelector("[data-question]");
      if (card && follow.current) {
        bringIntoView(card, "start");
        return;
      }
    }
    if (view.open === null) opened.current = null;
    if (follow.current && view.open === null) node.scrollTop = node.scrollHeight;
  }, [view]);

  // What grows above or below, such as the field to write in, must not push the newest out of sight.
  useEffect(() => {
    const node = box.current;
    if (!node || typeof ResizeObserver === "undefined") return undefined;
    const observer = new ResizeObserver(() => {
      if (follow.current && opened.current === null) node.scrollTop = node.scrollHeight;
    });
    observer.observe(node);
    if (node.firstElementChild) observer.observe(node.firstElementChild);
    return () => observer.disconnect();
  }, []);

  const hidden = Math.max(0, view.entries.length - shown);
  return (
    <div
      ref={box}
      role="region"
      aria-label="Conversation"
      tabIndex={0}
      className="@container min-h-0 flex-1 overflow-auto"
      onScroll={({ currentTarget: it }) => {
        follow.current = it.scrollHeight - it.scrollTop - it.clientHeight < NEAR_PX;
      }}
    >
      <div className="mx-auto flex w-full max-w-3xl flex-col gap-4 px-4 py-5">
        {hidden > 0 ? (
          <Button size="small" className="self-center" onClick={() => setShown((now) => now + WINDOW)}>
            Show earlier ({hidden})
          </Button>
        ) : null}
        {view.entries.slice(hidden).map((entry) => (
          <Shown key={entry.key} entry={entry} view={view} focus={focusQuestion} onRead={onRead} onResume={() => goOn()} />
        ))}
        <LiveReply store={store} />
        {view.phase === "interrupted" ? (
          <EmptyState
            title="This was stopped"
            action={
              <Button look="primary" busy={resume.isPending} onClick={() => goOn()}>
                Go on
              </Button>
            }
          >
            Nothing is lost. It goes on where it was, and nothing that was done is done twice.
          </EmptyState>
        ) : null}
      </div>
    </div>
  );
}

/** A reply while it is written. A lesson is written beside the conversation, not in it. */
function LiveReply({ store }: { store: SessionStore }) {
  const { text } = useLive(store);
  if (text.trim() === "" || text.startsWith("#") || isLesson(text)) return null;
  return <Markdown text={text} className={bubble} />;
}

/** What goes on at this moment, and how to stop it. */
export function Activity({ store, view, cost }: { store: SessionStore; view: View; cost: string }) {
  const live = useLive(store);
  const stop = useStop();
  const run = view.runs[view.runs.length - 1];
  if (view.phase !== "working" || !run) return null;
  const writing = live.text !== "" ? (live.text.startsWith("#") || isLesson(live.text) ? "Writing the lesson" : "Writing") : null;
  const task = view.tasks.find((it) => it.status === "in-progress");
  const done = view.tasks.filter((it) => it.status === "completed").length;
  return (
    <div className="flex items-center gap-3 border-t border-line bg-panel px-4 py-2">
      <span className="relative flex size-2.5" aria-hidden>
        <span className="breathe size-2.5 rounded-full bg-accent" />
      </span>
      <p className="min-w-0 flex-1">
        <span className="block truncate font-medium">{writing ?? live.activity ?? view.activity ?? "Working on it"}…</span>
        <span className="block truncate text-sm text-soft">
          {[task ? `${task.title} (${done + 1} of ${view.tasks.length})` : null, cost, live.notice].filter(Boolean).join(" · ")}
        </span>
      </p>
      <Button size="small" icon={<Square className="size-3.5" aria-hidden />} busy={stop.isPending} onClick={() => stop.mutate(run.id)}>
        Stop
      </Button>
    </div>
  );
}
