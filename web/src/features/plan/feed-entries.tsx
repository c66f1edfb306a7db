import { AlertTriangle, BookOpen, BookCheck, Check, ChevronRight, CircleAlert, CornerDownRight, GitFork, LoaderCircle } from "lucide-react";
import { memo, useMemo, useState } from "react";
import { Markdown, sectionCount } from "@/features/document";
import { count, moment } from "@/lib/words";
import { Badge, Button, cx, Dialog } from "@/ui";
import type { DraftEntry, EndEntry, ProblemEntry, RequestEntry, Step, WorkEntry } from "./model/view";
import { endingWords } from "./model/words";

/** Steps that are shown before the rest is folded away. */
const STEPS_SHOWN = 4;
/** Most steps that are drawn at once when all are asked for. */
const STEPS_MAX = 300;

export const Request = memo(function Request({ entry }: { entry: RequestEntry }) {
  return (
    <div className="flex flex-col items-end gap-1">
      {entry.from === "fork" ? (
        <p className="flex items-center gap-1.5 text-sm text-soft">
          <GitFork className="size-4" aria-hidden /> This is a copy. What comes before is shared with the lesson that it was made from.
        </p>
      ) : null}
      {entry.text === "" ? null : (
      <p className="max-w-[85%] rounded-2xl rounded-ee-md bg-accent-wash px-4 py-2 whitespace-pre-wrap" title={moment(entry.at)}>
        <span className="sr-only">You asked: </span>
        {entry.text}
      </p>
      )}
    </div>
  );
});

function StepLine({ step }: { step: Step }) {
  const icon =
    step.state === "running" ? <LoaderCircle className="turn size-4 text-accent" aria-label="going on" />
    : step.state === "problem" ? <CircleAlert className="size-4 text-ask" aria-label="to look at" />
    : <Check className="size-4 text-good" aria-hidden />;
  return (
    <li className="flex gap-2.5 py-0.5">
      <span className="mt-0.5 shrink-0">{icon}</span>
      <span className="min-w-0 flex-1">
        <span className={step.state === "problem" ? "text-ink" : "text-soft"}>{step.text}</span>
        {step.detail ? <span className="block whitespace-pre-wrap text-sm text-soft">{step.detail}</span> : null}
      </span>
    </li>
  );
}

/** What was done in between, in plain words; what is of note stays in sight. */
export const Work = memo(function Work({ entry, live }: { entry: WorkEntry; live: boolean }) {
  const [all, setAll] = useState(false);
  const { steps } = entry;
  const folded = !all && steps.length > STEPS_SHOWN;
  const shown = folded ? steps.filter((step, at) => step.state === "problem" || at >= steps.length - (live ? STEPS_SHOWN - 1 : 2)) : steps.slice(-STEPS_MAX);
  return (
    <div className="ps-1">
      {folded ? (
        <button type="button" aria-expanded={false} className="flex items-center gap-1.5 py-0.5 text-soft hover:text-ink" onClick={() => setAll(true)}>
          <ChevronRight className="size-4" aria-hidden />
          {count(steps.length - shown.length, "earlier step")}
        </button>
      ) : null}
      <ul>
        {shown.map((step) => (
          <StepLine key={step.seq} step={step} />
        ))}
      </ul>
    </div>
  );
});

export const Draft = memo(function Draft({ entry, newest, onRead }: { entry: DraftEntry; newest: boolean; onRead: () => void }) {
  const [open, setOpen] = useState(false);
  const sections = useMemo(() => sectionCount(entry.text), [entry.text]);
  const title = entry.round === 0 ? "A first draft is ready" : `Draft ${entry.round + 1} is ready`;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-panel px-4 py-2.5">
      <BookOpen className="size-5 shrink-0 text-accent" aria-hidden />
      <p className="min-w-40 flex-1">
        <span className="block font-medium">{title}</span>
        <span className="block text-soft">{count(sections, "section")}, beside this conversation</span>
      </p>
      <Button size="small" onClick={newest ? onRead : () => setOpen(true)}>
        {newest ? "Read it" : "Look at it"}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={entry.round === 0 ? "The first draft" : `Draft ${entry.round + 1}`} description="As it was then. The newest is beside the conversation." width="wide">
        {open ? <Markdown text={entry.text} shift={1} className="paper" /> : null}
      </Dialog>
    </div>
  );
});

export const Problem = memo(function Problem({ entry, onResume }: { entry: ProblemEntry; onResume: (() => void) | null }) {
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-bad-line bg-bad-wash px-4 py-3">
      <AlertTriangle className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{entry.message}</p>
        {entry.hint ? <p>{entry.hint}</p> : null}
        <p className="mt-1 font-mono text-xs text-soft">{entry.code}</p>
      </div>
      {onResume ? (
        <Button size="small" className="self-start" onClick={onResume}>
          Try again
        </Button>
      ) : null}
    </div>
  );
});

export const End = memo(function End({ entry, onRead }: { entry: EndEntry; onRead: () => void }) {
  if (entry.status === "success") {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-line bg-good-wash px-4 py-2.5">
        <BookCheck className="size-5 shrink-0 text-good" aria-hidden />
        <p className="min-w-40 flex-1">
          <span className="block font-medium">{entry.saved ? "Your lesson is ready and saved" : "Done"}</span>
          {entry.saved ? <span className="block text-soft">{entry.saved}</span> : null}
        </p>
        {entry.saved ? (
          <Button size="small" onClick={onRead}>
            Read, print or export
          </Button>
        ) : null}
      </div>
    );
  }
  return (
    <div className="flex gap-3 rounded-xl border border-ask-line bg-ask-wash px-4 py-3">
      <CircleAlert className="mt-0.5 size-5 shrink-0 text-ask" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">This did not come to its end</p>
        <p className="whitespace-pre-wrap">{entry.reason ?? endingWords(entry.status)}</p>
        <p className="mt-1 text-soft">What was written so far is kept. You can ask again below, in other words.</p>
      </div>
    </div>
  );
});

export const Note = memo(function Note({ text }: { text: string }) {
  return (
    <p className="flex items-start gap-2 ps-1 text-soft">
      <CornerDownRight className="mt-0.5 size-4 shrink-0" aria-hidden />
      <span>{text}</span>
    </p>
  );
});

export function Tag({ children, tone }: { children: string; tone?: "ask" | "good" | "accent" }) {
  return <Badge tone={tone ?? "plain"}>{children}</Badge>;
}

export const bubble = cx("rounded-xl border border-line bg-raised px-4 py-3");
