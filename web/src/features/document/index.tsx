import { useQuery } from "@tanstack/react-query";
import { BookOpen, GitCompareArrows, Users } from "lucide-react";
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { audiences, lesson as lessonQuery } from "@/api/queries";
import { Badge, Button, cx, EmptyState, ErrorNote, IconButton, Skeleton, Split } from "@/ui";
import { EvidencePanel, type Opened } from "./evidence";
import { ExportMenu, type Part } from "./export";
import { EvidenceContext } from "./markdown/view";
import type { Place } from "./markdown/tree";
import { plainHeading, titleOf, type Piece } from "./outline";
import { Paper } from "./paper";

export { Markdown, EvidenceContext, type OpenEvidence } from "./markdown/view";
export { Differences } from "./differences";
export { isLesson, pieces, plainHeading, sectionCount, titleOf, type Piece } from "./outline";

export type ShownLesson = {
  text: string;
  /** Changes whenever evidence has to be fetched anew. */
  version: number;
  round: number;
  final: boolean;
  saved: string | null;
  /** The draft before, where there is one. */
  before: string | null;
};

type Props = {
  session: string;
  lesson: ShownLesson | null;
  /** What is being written at this moment, where it is a lesson. */
  writing: string | null;
  loading: boolean;
  working: boolean;
  /** A place to show that was asked for elsewhere on the page. */
  asked: Opened | null;
  tools?: (piece: Piece) => ReactNode;
};

function name(saved: string | null, title: string | null): string {
  const base = saved?.split("/").pop()?.replace(/\.md$/, "") ?? title ?? "lesson";
  return base.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-|-$/g, "").slice(0, 80) || "lesson";
}

function State({ lesson, writing }: { lesson: ShownLesson | null; writing: boolean }) {
  if (writing) return <Badge tone="accent">Being written</Badge>;
  if (!lesson) return null;
  if (lesson.final) return <Badge tone="good">{lesson.saved ? "Saved" : "Finished"}</Badge>;
  return <Badge tone="ask">{lesson.round === 0 ? "First draft" : `Draft ${lesson.round + 1}`}</Badge>;
}

/** The lesson beside the conversation: to read, to print, to take away, with the evidence behind each claim. */
export function DocumentPane({ session, lesson, writing, loading, working, asked, tools }: Props) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [marked, setMarked] = useState(false);
  const [pupilOnly, setPupilOnly] = useState(false);
  const { data, error, refetch } = useQuery({ ...lessonQuery(session, lesson?.version ?? 0), enabled: lesson !== null });
  const { data: sections } = useQuery(audiences(data?.markdown ?? null));
  const pupil = useMemo(() => new Set((sections ?? []).filter((it) => it.audience === "pupil").map((it) => plainHeading(it.title))), [sections]);
  const open = useCallback((place: Place, quote: string | null, claim: string) => setOpened({ place, quote, claim }), []);
  // A new lesson is shown whole: what was open before it belongs to something else.
  useEffect(() => setOpened(null), [session, lesson === null]);
  useEffect(() => {
    if (asked) setOpened(asked);
  }, [asked]);
  const text = writing ?? lesson?.text ?? null;
  const before = writing === null ? (lesson?.before ?? null) : null;
  const title = text === null ? null : titleOf(text);

  const print = (part: Part) => {
    const was = pupilOnly;
    flushSync(() => setPupilOnly(part === "pupil"));
    window.print();
    setPupilOnly(was);
  };

  if (text === null && opened) return <EvidencePanel opened={opened} evidence={[]} onClose={() => setOpened(null)} />;
  if (text === null) return loading ? <Skeleton lines={9} className="p-8" label="Opening the lesson" /> : <NoLesson working={working} />;
  const bar = (
    <header data-print="never" className="flex min-h-12 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-panel px-3 py-1.5">
      <h2 className="min-w-0 flex-1 truncate">{title ?? "The lesson"}</h2>
      <State lesson={lesson} writing={writing !== null} />
      {before !== null ? (
        <IconButton label={marked ? "Hide what changed" : "Show what changed since the last draft"} size="small" aria-pressed={marked} className={cx(marked && "!bg-accent-wash !text-accent")} onClick={() => setMarked(!marked)}>
          <GitCompareArrows className="size-4.5" aria-hidden />
        </IconButton>
      ) : null}
      {pupil.size > 0 ? (
        <IconButton label={pupilOnly ? "Show the whole lesson" : "Show only what pupils see"} size="small" aria-pressed={pupilOnly} className={cx(pupilOnly && "!bg-accent-wash !text-accent")} onClick={() => setPupilOnly(!pupilOnly)}>
          <Users className="size-4.5" aria-hidden />
        </IconButton>
      ) : null}
      {writing === null && lesson ? <ExportMenu session={session} name={name(lesson.saved, title)} pupilParts={pupil.size > 0} compact={false} onPrint={print} /> : null}
    </header>
  );
  const page = (
    <div className="@container min-h-0 overflow-auto bg-paper" tabIndex={0} role="region" aria-label="Lesson text" data-print="page">
      {pupilOnly ? (
        <p data-print="never" className="mx-auto flex max-w-[46rem] items-center gap-3 px-6 pt-4 text-sm text-soft">
          Only what pupils see.
          <Button size="small" look="quiet" onClick={() => setPupilOnly(false)}>
            Show all
          </Button>
        </p>
      ) : null}
      {error && !data ? <ErrorNote error={error} onRetry={() => void refetch()} className="m-4" /> : null}
      <Paper text={text} pupil={pupil} pupilOnly={pupilOnly} before={before} marked={marked} tools={tools} busy={writing !== null} />
    </div>
  );
  const close = () => setOpened(null);
  return (
    <EvidenceContext value={open}>
      <div className="flex min-h-0 flex-col">
        {bar}
        <Split
          name="evidence"
          label="Height of the evidence"
          axis="y"
          sized="second"
          size={280}
          min={120}
          minRest={140}
          collapsed={opened === null}
          onCollapse={close}
          className="flex-1"
          first={page}
          second={opened ? <EvidencePanel opened={opened} evidence={data?.evidence ?? []} onClose={close} /> : null}
        />
      </div>
    </EvidenceContext>
  );
}

function NoLesson({ working }: { working: boolean }) {
  return (
    <EmptyState icon={<BookOpen aria-hidden />} title={working ? "The lesson will appear here" : "No lesson yet"}>
      {working ? "You see it as it is written, and decide on every section." : "Once a draft is written you can read, print and export it here."}
    </EmptyState>
  );
}
