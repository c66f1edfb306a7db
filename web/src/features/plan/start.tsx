import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, Bell, Sparkles, Users } from "lucide-react";
import { useId, useState } from "react";
import { call } from "@/api/client";
import { me as meQuery, plugins as pluginsQuery, start as startQuery, waiting as waitingQuery } from "@/api/queries";
import type { ClassProfile, SessionPage, Skill } from "@/api/types";
import { when } from "@/lib/words";
import { WaitingList } from "@/shell/waiting";
import { Badge, Button, cx, ErrorNote, Field, Select, Skeleton, TextArea, TextInput, Tooltip } from "@/ui";
import { useStartRun } from "./actions";
import { spoken } from "./model/words";
import { NOTHING, REQUEST_MAX, requestOf, type Picked } from "./request";
import { TopicField } from "./topic-field";

function ClassChoice({ classes, value, onChange }: { classes: ClassProfile[]; value: string | null; onChange: (id: string | null) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">For which class?</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2">
        {classes.map((it) => (
          <label
            key={it.id}
            className={
              "relative flex min-h-14 cursor-pointer flex-col justify-center rounded-lg border border-edge/50 bg-raised px-3 py-1.5 hover:border-accent " +
              "has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            }
          >
            <input type="radio" name="class" className="sr-only" checked={value === it.id} onChange={() => onChange(it.id)} onClick={() => (value === it.id ? onChange(null) : undefined)} />
            <span className="font-semibold">{it.id}</span>
            <span className="text-sm leading-tight text-soft">{it.title.replace(new RegExp(`^${it.id.replaceAll(/\W/g, "")},? ?`), "") || it.subject}</span>
          </label>
        ))}
        <Link to="/setup" className="flex min-h-14 items-center justify-center gap-2 rounded-lg border border-dashed border-edge/60 px-3 text-soft hover:border-accent hover:text-accent">
          <Users className="size-4" aria-hidden /> Add a class
        </Link>
      </div>
    </fieldset>
  );
}

function SkillChoice({ skills, value, onChange }: { skills: Skill[]; value: string[]; onChange: (names: string[]) => void }) {
  const toggle = (name: string) => onChange(value.includes(name) ? value.filter((it) => it !== name) : [...value, name]);
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">
        What should it lean on? <span className="font-normal text-soft">If you like</span>
      </legend>
      <div className="flex flex-wrap gap-1.5">
        {skills.map((skill) => {
          const on = value.includes(skill.name);
          return (
            <Tooltip key={skill.name} text={skill.description.split(/\.\s/)[0]} side="top">
              <button
                type="button"
                aria-pressed={on}
                className={cx("min-h-8 rounded-full border px-3 text-sm first-letter:uppercase", on ? "border-accent bg-accent text-on-accent" : "border-edge/50 bg-raised hover:border-accent")}
                onClick={() => toggle(skill.name)}
              >
                <span className="inline-block first-letter:uppercase">{spoken(skill.name)}</span>
              </button>
            </Tooltip>
          );
        })}
      </div>
    </fieldset>
  );
}

/** What waits and what was planned last: the way back into it. */
function CarryOn() {
  const { data: waiting = [] } = useQuery(waitingQuery);
  const { data: recent } = useQuery({
    queryKey: ["sessions", "recent"],
    queryFn: ({ signal }) => call<SessionPage>("/sessions?limit=5", { signal }),
  });
  const busy = new Set(waiting.map((it) => it.session));
  const rows = (recent?.sessions ?? []).filter((it) => !busy.has(it.id));
  if (waiting.length === 0 && rows.length === 0) return null;
  return (
    <div className="flex flex-col gap-5">
      {waiting.length > 0 ? (
        <section aria-labelledby="waits" className="rounded-xl border-2 border-ask-line bg-raised p-2">
          <h2 id="waits" className="flex items-center gap-2 px-3 pt-1.5 text-ask">
            <Bell className="size-4" aria-hidden /> Waiting for you
          </h2>
          <WaitingList list={waiting} />
        </section>
      ) : null}
      {rows.length > 0 ? (
        <section aria-labelledby="recent">
          <h2 id="recent" className="px-1">
            Your last lessons
          </h2>
          <ul className="mt-1.5 flex flex-col">
            {rows.map((row) => (
              <li key={row.id}>
                <Link to="/plan/$session" params={{ session: row.id }} className="block rounded-lg px-3 py-2 hover:bg-sunken">
                  <span className="line-clamp-2 font-medium">{row.title}</span>
                  <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
                    {when(row.updated_ms)}
                    {row.state === "running" ? <Badge tone="accent">at work</Badge> : null}
                    {row.state === "parked" ? <Badge tone="ask">not finished</Badge> : null}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
          <Link to="/sessions" className="mt-1 inline-block px-3 py-1 text-accent underline underline-offset-3">
            All lessons
          </Link>
        </section>
      ) : null}
    </div>
  );
}

type More = { provider: string; noMemory: boolean };

function MoreSettings({ value, onChange }: { value: More; onChange: (value: More) => void }) {
  const { data: me } = useQuery(meQuery);
  const ready = (me?.providers ?? []).filter((it) => it.ready && it.model !== "" && it.name !== "offline");
  return (
    <details className="rounded-lg">
      <summary className="w-fit rounded py-1 text-soft hover:text-ink">More settings</summary>
      <div className="mt-2 flex flex-col gap-3 rounded-lg border border-line bg-panel p-3">
        {ready.length > 0 ? (
          <Field label="Who writes it">
            {(field) => (
              <Select {...field} value={value.provider} onChange={(event) => onChange({ ...value, provider: event.target.value })}>
                <option value="">As usual</option>
                {ready.map((it) => (
                  <option key={it.name} value={it.name}>
                    {it.name}: {it.model}
                  </option>
                ))}
                <option value="offline">The built-in planner, without a model</option>
              </Select>
            )}
          </Field>
        ) : (
          <p className="text-soft">No language model is connected. The built-in planner writes by rules, from your files alone, and costs nothing.</p>
        )}
        <label className="flex items-start gap-2.5">
          <input type="checkbox" className="mt-1 size-4 accent-accent" checked={value.noMemory} onChange={(event) => onChange({ ...value, noMemory: event.target.checked })} />
          <span>
            Leave memory out of this lesson
            <span className="block text-sm text-soft">Nothing remembered is used, and nothing is proposed to be remembered.</span>
          </span>
        </label>
      </div>
    </details>
  );
}

/** Where a lesson begins: pick what is known, or write it in one's own words. */
export function StartPage() {
  const { data, error, refetch } = useQuery(startQuery);
  const { data: plugins } = useQuery(pluginsQuery);
  const skills = plugins?.flatMap((it) => it.skills) ?? [];
  const [picked, setPicked] = useState<Picked>(NOTHING);
  const [typed, setTyped] = useState<string | null>(null);
  const [more, setMore] = useState<More>({ provider: "", noMemory: false });
  const [missing, setMissing] = useState(false);
  const start = useStartRun();
  const topicId = useId();
  const group = data?.classes.find((it) => it.id === picked.classId) ?? null;
  const text = typed ?? requestOf(picked, group?.minutes ?? null);
  const set = (part: Partial<Picked>) => {
    setPicked((now) => ({ ...now, ...part }));
    setMissing(false);
  };
  const send = () => {
    if (text.trim() === "") {
      setMissing(true);
      document.getElementById(topicId)?.focus();
      return;
    }
    if (start.isPending) return;
    start.mutate({
      input: text.trim(),
      ...(more.provider ? { provider: more.provider } : {}),
      ...(more.noMemory ? { no_memory: true } : {}),
    });
  };
  return (
    <div className="@container min-h-0 flex-1 overflow-auto" role="region" aria-label="Plan a lesson" tabIndex={0}>
      <div className="mx-auto grid w-full max-w-5xl gap-x-12 gap-y-8 px-5 py-8 @4xl:grid-cols-[minmax(0,1fr)_18rem]">
        <form
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <div>
            <h1 className="text-2xl">What are you planning?</h1>
            <p className="mt-1 text-soft">Say as much or as little as you like. Before anything is written you see what it will rely on, and you decide on every section.</p>
          </div>
          {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
          {data ? <ClassChoice classes={data.classes} value={picked.classId} onChange={(classId) => set({ classId, minutes: null })} /> : error ? null : <Skeleton lines={3} />}
          <div className="grid gap-4 @xl:grid-cols-[minmax(0,1fr)_8.5rem]">
            <div>
              <label htmlFor={topicId} className="mb-1 block font-medium">
                Topic
              </label>
              <TopicField id={topicId} value={picked.topic} topics={data?.topics ?? []} group={group} onChange={(topic) => set({ topic })} onEnter={send} />
              {missing ? (
                <p role="alert" className="mt-1 text-sm text-bad">
                  A topic is all that is needed.
                </p>
              ) : null}
            </div>
            <Field label="Length in minutes">
              {(field) => (
                <TextInput
                  {...field}
                  type="number"
                  min={10}
                  max={240}
                  className="!min-h-11"
                  placeholder={group?.minutes ? `${group.minutes}` : "50"}
                  value={picked.minutes ?? ""}
                  onChange={(event) => set({ minutes: event.target.value === "" ? null : event.target.valueAsNumber })}
                />
              )}
            </Field>
          </div>
          {skills.length > 0 ? <SkillChoice skills={skills} value={picked.skills} onChange={(skills) => set({ skills })} /> : null}
          <Field
            label={
              <>
                Your request <span className="font-normal text-soft">{typed === null ? "Put together from the above, or just type" : "In your own words"}</span>
              </>
            }
          >
            {(field) => (
              <TextArea
                {...field}
                rows={2}
                maxLength={REQUEST_MAX}
                placeholder="3B, iteration, no laptops that day"
                value={text}
                onChange={(event) => setTyped(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send();
                }}
              />
            )}
          </Field>
          {typed !== null ? (
            <Button size="small" look="quiet" className="-mt-3 self-start" onClick={() => setTyped(null)}>
              Put it together again
            </Button>
          ) : null}
          {start.error ? <ErrorNote error={start.error} /> : null}
          <div className="flex flex-wrap items-center gap-4">
            <Button look="primary" type="submit" className="!min-h-11 !px-6 !text-base" busy={start.isPending} icon={<Sparkles className="size-4.5" aria-hidden />}>
              Plan the lesson <ArrowRight className="size-4" aria-hidden />
            </Button>
            <p className="text-sm text-soft">Describe groups and needs, never a pupil by name.</p>
          </div>
          <MoreSettings value={more} onChange={setMore} />
        </form>
        <CarryOn />
      </div>
    </div>
  );
}
