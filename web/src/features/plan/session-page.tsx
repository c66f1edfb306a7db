import { useParams, useSearch } from "@tanstack/react-router";
import { PanelLeft, PanelRight } from "lucide-react";
import { useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { DocumentPane, EvidenceContext, isLesson, plainHeading, type Piece, type ShownLesson } from "@/features/document";
import { markdown } from "@/features/document/markdown/reader";
import { isBoolean, useKept } from "@/lib/keep";
import { useNarrow } from "@/lib/media";
import { bringIntoView } from "@/lib/scroll";
import { usePageTitle } from "@/lib/title";
import { Badge, ErrorNote, IconButton, Skeleton, Split, Tabs } from "@/ui";
import { Composer } from "./composer";
import { Files } from "./files";
import { Activity, Feed } from "./feed";
import { costWords, SessionBar } from "./session-bar";
import { openQuestion, type View } from "./model/view";
import { AnswersProvider, ShowSection } from "./question/answers";
import { SectionTools } from "./question/section-tools";
import { useLive, useSession, type SessionState } from "./session";

markdown.warm();

type TabId = "files" | "plan" | "lesson";
type Asked = { place: { path: string; from: number | null; to: number | null }; quote: string | null; claim: string };

function shownLesson(view: View): ShownLesson | null {
  const { lesson } = view;
  if (!lesson) return null;
  const earlier = view.drafts[view.drafts.length - 1];
  const run = view.runs.find((it) => it.id === lesson.run);
  return { text: lesson.text, version: lesson.seq, round: lesson.round, final: lesson.final, saved: run?.saved ?? null, before: earlier?.text ?? null };
}

/** The lesson pane; what is being written is shown as it comes. */
function Lesson({ id, state, asked }: { id: string; state: SessionState; asked: Asked | null }) {
  const { store, view } = state;
  const live = useLive(store);
  const lesson = useMemo(() => shownLesson(view), [view]);
  const writing = live.text.startsWith("#") || isLesson(live.text) ? live.text : null;
  const tools = useCallback((piece: Piece) => <SectionTools piece={piece} />, []);
  return <DocumentPane session={id} lesson={lesson} writing={writing} loading={state.loading} working={view.phase === "working" || view.phase === "asking"} asked={asked} tools={tools} />;
}

type ChatProps = { id: string; state: SessionState; focus: boolean; onRead: () => void; start: ReactNode; end: ReactNode };

function Chat({ id, state, focus, onRead, start, end }: ChatProps) {
  const { store, view, detail, loading, error } = state;
  if (error) return <ErrorNote error={error} className="m-5 self-start" />;
  return (
    <section aria-label="Planning" className="flex min-h-0 min-w-0 flex-col">
      <SessionBar session={id} view={view} title={detail?.session.title ?? ""} start={start} end={end} />
      {loading && view.entries.length === 0 ? <Skeleton lines={6} className="p-6" label="Opening the lesson" /> : <Feed store={store} view={view} focusQuestion={focus} onRead={onRead} />}
      <Activity store={store} view={view} cost={costWords(view)} />
      {view.phase === "empty" ? null : <Composer session={id} view={view} />}
    </section>
  );
}

/** Takes the lesson to a section and marks it for a moment. */
function showSection(title: string): void {
  const plain = plainHeading(title);
  const heading = [...document.querySelectorAll<HTMLElement>("article section [data-level='2']")].find((it) => plainHeading(it.textContent) === plain);
  const section = heading?.closest("section");
  if (section) bringIntoView(section, "start");
  section?.classList.add("shown");
  setTimeout(() => section?.classList.remove("shown"), 1_600);
}

/** A session: files, conversation and lesson beside each other, or as tabs where there is no room. */
export default function SessionPage() {
  const { session: id = "" } = useParams({ strict: false }) as { session?: string };
  const { focus, file } = useSearch({ strict: false }) as { focus?: string; file?: string };
  const narrow = useNarrow();
  const state = useSession(id);
  const { view } = state;
  const [files, setFiles] = useKept("files-shown", true, isBoolean);
  const [tab, setTab] = useState<TabId>("plan");
  const [asked, setAsked] = useState<Asked | null>(null);
  const open = openQuestion(view);
  usePageTitle(state.detail?.session.title);
  // The lesson takes its place when there is something to see there, and gives it up when it is told to.
  const live = useLive(state.store);
  const [besideWanted, setBesideWanted] = useKept("lesson-shown", true, isBoolean);
  const beside = besideWanted && (view.lesson !== null || asked !== null || live.text.startsWith("#"));
  useEffect(() => {
    setTab("plan");
    setAsked(null);
  }, [id]);
  useEffect(() => {
    if (file) setTab("files");
  }, [file]);

  // A draft that came back is shown where it changed.
  const changed = open?.theme === "sections" && (view.lesson?.round ?? 0) > 0 && open.question.kind === "items" ? open.question.items[0]?.label : undefined;
  useEffect(() => {
    if (!changed) return;
    const timer = setTimeout(() => showSection(changed), 400);
    return () => clearTimeout(timer);
  }, [changed, open?.key]);

  // Sources in the conversation open beside the lesson where there is one to be beside.
  const openSource = useCallback((place: Asked["place"], quote: string | null, claim: string) => {
    setAsked({ place, quote, claim });
    setBesideWanted(true);
    setTab("lesson");
  }, [setBesideWanted]);

  const toggle = (
    <IconButton label={files ? "Hide your files" : "Show your files"} size="small" aria-pressed={files} onClick={() => setFiles(!files)}>
      <PanelLeft className="size-4.5" aria-hidden />
    </IconButton>
  );
  const lessonToggle =
    view.lesson === null ? null : (
      <IconButton label={besideWanted ? "Hide the lesson" : "Show the lesson"} size="small" aria-pressed={besideWanted} onClick={() => setBesideWanted(!besideWanted)}>
        <PanelRight className="size-4.5" aria-hidden />
      </IconButton>
    );
  const onRead = () => {
    setTab("lesson");
    setBesideWanted(true);
    document.querySelector<HTMLElement>('[aria-label="Lesson text"]')?.focus();
  };
  const chat = <Chat id={id} state={state} focus={focus === "question"} onRead={onRead} start={narrow ? null : toggle} end={narrow ? null : lessonToggle} />;
  const lesson = <Lesson id={id} state={state} asked={asked} />;

  return (
    <AnswersProvider entry={open}>
      <ShowSection value={!narrow && beside && view.lesson ? showSection : null}>
      <EvidenceContext value={openSource}>
        {narrow ? (
          <Tabs<TabId>
            label="Parts of the page"
            keep
            className="flex-1"
            value={tab}
            onChange={setTab}
            tabs={[
              { id: "plan", label: "Plan", badge: open && tab !== "plan" ? <Badge tone="ask">asks</Badge> : null, content: <div className="grid min-h-0 flex-1">{chat}</div> },
              { id: "lesson", label: "Lesson", content: <div className="grid min-h-0 flex-1">{lesson}</div> },
              { id: "files", label: "Files", content: <div className="grid min-h-0 flex-1">{tab === "files" ? <Files /> : null}</div> },
            ]}
          />
        ) : (
          <Split
            name="files"
            label="Width of your files"
            sized="first"
            size={270}
            min={180}
            minRest={480}
            collapsed={!files}
            onCollapse={() => setFiles(false)}
            className="flex-1"
            first={files ? <Files /> : null}
            second={
              <Split
                name="lesson"
                label="Width of the lesson"
                sized="second"
                size={640}
                min={300}
                minRest={340}
                collapsed={!beside}
                onCollapse={() => setBesideWanted(false)}
                first={chat}
                second={lesson}
              />
            }
          />
        )}
      </EvidenceContext>
      </ShowSection>
    </AnswersProvider>
  );
}
