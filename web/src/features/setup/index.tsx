import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Check, CircleCheck } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { act, PLANNING, type ActionDone } from "@/api/actions";
import { ApiError } from "@/api/errors";
import { files as filesQuery, me as meQuery, plugins as pluginsQuery } from "@/api/queries";
import type { FileNode } from "@/api/types";
import { announce } from "@/lib/announce";
import { count, series } from "@/lib/words";
import { Button, Confirm, cx, EmptyState, ErrorNote, Skeleton } from "@/ui";
import { body, empty, sound, STEPS, type Answers } from "./answers";
import { ClassesStep } from "./classes-step";
import { useAnswers } from "./keep";
import { replaced, shownFiles } from "./files";
import { PlainSetup } from "./plain";
import { Review } from "./review";
import { CurriculumStep, PedagogyStep, YouStep, type Curriculum } from "./steps";

type Choices = { curricula: Curriculum[]; levels: string[] };
type Done = ActionDone;
const LAST = STEPS.length - 1;
const CLASSES = STEPS.indexOf("Classes");
const MINUTES = ["2 minutes", "2 minutes", "1 minute", "4 minutes", "1 minute"];

const paths = (node: FileNode | undefined): string[] => (node ? (node.kind === "file" ? [node.path] : (node.children ?? []).flatMap(paths)) : []);

function Steps({ at, onGo }: { at: number; onGo: (step: number) => void }) {
  return (
    <nav aria-label="Steps of the set-up">
      <ol className="flex flex-wrap gap-1.5">
        {STEPS.map((name, index) => (
          <li key={name}>
            <button
              type="button"
              aria-current={index === at ? "step" : undefined}
              onClick={() => onGo(index)}
              className={cx(
                "flex min-h-9 items-center gap-2 rounded-full border px-3 text-sm",
                index === at ? "border-accent bg-accent-wash font-medium text-accent" : "border-line text-soft hover:bg-sunken",
              )}
            >
              <span className={cx("flex size-5 items-center justify-center rounded-full text-xs", index < at ? "bg-good-wash text-good" : "bg-sunken text-soft")}>
                {index < at ? <Check className="size-3.5" aria-hidden /> : index + 1}
              </span>
              {name}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Finished({ done, onAgain }: { done: Done; onAgain: () => void }) {
  const first = done.written.find((it) => it.startsWith("classes/"))?.replace(/^classes\/|\.md$/g, "");
  return (
    <div className="mx-auto max-w-2xl px-4 py-10">
      <h1 className="sr-only">Set-up</h1>
      <EmptyState
        icon={<CircleCheck aria-hidden />}
        title={done.written.length > 0 ? "Your workspace is ready" : "Everything was there already"}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link to="/" className="inline-flex min-h-9 items-center rounded-lg bg-accent px-3.5 font-medium text-on-accent hover:bg-accent-strong">
              {first ? `Plan a lesson for ${first}` : "Plan a lesson"}
            </Link>
            <Button onClick={onAgain}>Add more</Button>
          </div>
        }
      >
        {done.written.length > 0 ? `${count(done.written.length, "file")} written. ` : ""}
        {done.left && done.left.length > 0 ? `${series(done.left)} stayed as ${done.left.length === 1 ? "it was" : "they were"}. ` : ""}
        You can change all of it under Files.
      </EmptyState>
      {done.written.length > 0 ? (
        <ul aria-label="Files that were written" className="mx-auto max-w-sm rounded-lg border border-line bg-raised px-4 py-2">
          {done.written.map((path) => (
            <li key={path} className="border-t border-line py-1.5 first:border-t-0">
              <Link to="/files" search={{ file: path }} className="break-all text-accent underline underline-offset-3">{path}</Link>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** What the server would write, asked again whenever the answers change. */
function usePreview(answers: Answers, wanted: boolean) {
  const sent = useMemo(() => body(answers, false), [answers]);
  return useQuery({
    queryKey: ["setup", sent],
    queryFn: ({ signal }) => act(PLANNING, "set_up", sent, signal),
    enabled: wanted,
    staleTime: 0,
    retry: false,
  });
}

function Wizard({ teacher, tree, choices }: { teacher: string; tree: FileNode | undefined; choices: Choices }) {
  const client = useQueryClient();
  const { answers, change, forget, resumed } = useAnswers(teacher);
  const present = useMemo(() => new Set(paths(tree)), [tree]);
  const classes = useMemo(() => [...present].flatMap((it) => /^classes\/(.+)\.md$/.exec(it)?.[1] ?? []), [present]);
  const [picked, setPicked] = useState<Record<string, string | null>>({});
  const [strict, setStrict] = useState(false);
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<unknown>(null);
  const [done, setDone] = useState<Done>();
  const title = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const at = answers.step;
  const ready = answers.classes.every((it) => sound(it, answers.classes));
  const preview = usePreview(answers, at === LAST && ready && !done);

  const list = shownFiles(preview.data?.writes ?? []);
  const replace = replaced(list, picked);

  // Where there are files already they stay, unless the person says otherwise.
  useEffect(() => {
    if (resumed) return;
    change((was) => ({ ...was, teacher: { ...was.teacher, write: !present.has("teacher.md") }, pedagogy: { ...was.pedagogy, write: !present.has("pedagogy.md") } }));
  }, []);
  useEffect(() => {
    if (first.current) first.current = false;
    else {
      title.current?.focus({ preventScroll: true });
      title.current?.closest("[data-scrolls]")?.scrollTo({ top: 0 });
    }
  }, [at, done]);

  const go = (step: number) => {
    if (at === CLASSES && step > at && !ready) {
      setStrict(true);
      announce("Something is missing in a class");
      return;
    }
    if (step === LAST && !ready) {
      setStrict(true);
      change((was) => ({ ...was, step: CLASSES }));
      return;
    }
    change((was) => ({ ...was, step }));
  };
  const write = async () => {
    setBusy(true);
    setFailed(null);
    try {
      const written = await act(PLANNING, "set_up", body(answers, true, replace));
      forget();
      setDone(written);
      announce(`${count(written.written.length, "file")} written`);
      await Promise.all([client.invalidateQueries({ queryKey: ["files"] }), client.invalidateQueries({ queryKey: ["file"] }), client.invalidateQueries({ queryKey: ["start"] })]);
    } catch (error) {
      setFailed(error);
      // A file that was changed meanwhile has to be looked at again.
      if (error instanceof ApiError && error.status === 409) {
        setPicked({});
        void preview.refetch();
      }
    } finally {
      setBusy(false);
    }
  };
  const anew = () => {
    forget();
    setPicked({});
    setStrict(false);
    setDone(undefined);
    change(() => ({ ...empty(), teacher: { ...empty().teacher, write: !present.has("teacher.md") }, pedagogy: { ...empty().pedagogy, write: !present.has("pedagogy.md") } }));
  };
  if (done) return <Finished done={done} onAgain={anew} />;

  const step = { answers, change };
  const number = list.filter((it) => !it.exists || replace[it.path] !== undefined).length;
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-5">
      <header>
        <h1 className="text-xl">Set-up</h1>
        <p className="mb-3 mt-1 text-soft">
          Ten minutes, and lessons fit your classes. {resumed ? "You are where you left off." : "You can leave at any time; your answers wait in this browser."}
        </p>
        <Steps at={at} onGo={go} />
      </header>
      <section aria-labelledby="step" className="rounded-2xl border border-line bg-panel px-4 py-5 sm:px-6">
        <div className="mb-4 flex items-baseline gap-3">
          <h2 id="step" ref={title} tabIndex={-1} className="flex-1 text-lg focus:outline-none">{STEPS[at]}</h2>
          <span className="text-sm text-soft">about {MINUTES[at]}</span>
        </div>
        {at === 0 ? <YouStep {...step} existing={present.has("teacher.md") ? "teacher.md" : null} /> : null}
        {at === 1 ? <PedagogyStep {...step} existing={present.has("pedagogy.md") ? "pedagogy.md" : null} /> : null}
        {at === 2 ? <CurriculumStep {...step} curricula={choices.curricula} present={present} /> : null}
        {at === 3 ? <ClassesStep {...step} existing={classes} strict={strict} /> : null}
        {at === LAST ? (
          <>
            {preview.isPending ? <Skeleton lines={6} label="Writing a first look" /> : null}
            {preview.error ? <ErrorNote error={preview.error} onRetry={() => void preview.refetch()} /> : null}
            {preview.data && list.length === 0 ? <EmptyState title="Nothing to write">Everything you chose is there already. Go back to answer more, or plan a lesson.</EmptyState> : null}
            {list.length > 0 ? (
              <Review
                files={list}
                replace={replace}
                onReplace={(path, sha256) => setPicked((was) => ({ ...was, [path]: sha256 }))}
              />
            ) : null}
            {failed ? <ErrorNote error={failed} className="mt-3" /> : null}
          </>
        ) : null}
      </section>
      <footer className="flex flex-wrap items-center gap-2 pb-6">
        <Button look="quiet" className="!text-soft" onClick={() => setAsked(true)}>Begin anew</Button>
        <span className="flex-1" />
        {at > 0 ? <Button onClick={() => go(at - 1)}>Back</Button> : null}
        {at < LAST ? (
          <Button look="primary" onClick={() => go(at + 1)}>Go on</Button>
        ) : (
          <Button look="primary" busy={busy} disabled={number === 0} onClick={() => void write()}>
            {number === 0 ? "Nothing to write" : `Write ${count(number, "file")}`}
          </Button>
        )}
      </footer>
      <Confirm open={asked} onOpenChange={setAsked} title="Begin anew?" description="Your answers here are dropped. Files that were written stay." action="Begin anew" danger onConfirm={anew} />
    </div>
  );
}

/** The set-up of lessons, which has a screen of its own. */
function LessonSetup() {
  const { data: me } = useQuery(meQuery);
  const tree = useQuery(filesQuery);
  const choices = useQuery({ queryKey: ["setup", "choices"], queryFn: async ({ signal }) => (await act<Choices>(PLANNING, "set_up_choices", { arguments: {}, templates: ["curriculum/"] }, signal)).result, staleTime: 60_000 });
  const error = tree.error ?? choices.error;
  return (
    <>
      {error ? <ErrorNote error={error} className="mx-auto max-w-2xl" onRetry={() => (void tree.refetch(), void choices.refetch())} /> : null}
      {!error && (tree.isPending || choices.isPending || !me) ? <Skeleton className="mx-auto max-w-2xl" lines={8} /> : null}
      {me && tree.data && choices.data ? <Wizard key={me.owner} teacher={me.owner} tree={tree.data} choices={choices.data} /> : null}
    </>
  );
}

/** The set-up of another plugin, drawn from what it says of itself. */
function OtherSetup({ plugin }: { plugin: string }) {
  const { data, error, refetch } = useQuery(pluginsQuery);
  const found = data?.find((it) => it.name === plugin);
  const action = found?.actions.find((it) => it.name === found.set_up);
  if (error) return <ErrorNote error={error} className="mx-auto max-w-2xl" onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="mx-auto max-w-2xl" lines={8} />;
  if (!action) return <EmptyState title="There is nothing to set up">{found?.problem ?? `${plugin} has no set-up.`}</EmptyState>;
  return <PlainSetup key={plugin} plugin={plugin} action={action} />;
}

/** Other plugins that have a set-up. */
function Others({ shown }: { shown: string }) {
  const { data } = useQuery(pluginsQuery);
  const others = (data ?? []).filter((it) => it.set_up && it.actions.some((action) => action.name === it.set_up) && it.name !== shown);
  if (others.length === 0) return null;
  return (
    <nav aria-label="Other set-ups" className="mx-auto mt-4 flex max-w-3xl flex-wrap gap-3 text-sm">
      {others.map((it) => (
        <Link key={it.name} to="/setup" search={it.name === PLANNING ? {} : { plugin: it.name }} className="text-accent underline underline-offset-3">
          Set up {it.name}
        </Link>
      ))}
    </nav>
  );
}

export default function SetupPage() {
  const { plugin = PLANNING } = useSearch({ strict: false });
  return (
    <div data-scrolls className="min-h-0 flex-1 overflow-auto px-4 py-5">
      {plugin === PLANNING ? <LessonSetup /> : <OtherSetup plugin={plugin} />}
      <Others shown={plugin} />
    </div>
  );
}
