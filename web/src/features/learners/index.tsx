// Sessions of learners, by class, in the order in which their links were given: never by how well anybody does.
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { GraduationCap, Link2 } from "lucide-react";
import { useState } from "react";
import { flows as flowsQuery } from "@/api/queries";
import type { FlowLine } from "@/api/types";
import { count } from "@/lib/words";
import { usePageTitle } from "@/lib/title";
import { Button, EmptyState, ErrorNote, Select, Skeleton } from "@/ui";
import { GiveDialog } from "./give";
import { codes as codesOf, sessions as sessionsOf, type Opened } from "./queries";
import { label, struggles, urgent, type Struggle } from "./reading";
import { Row } from "./row";

const route = getRouteApi("/app/learners");
const nameOf = ({ flow }: FlowLine): string => flow.charAt(0).toUpperCase() + flow.slice(1).replaceAll("-", " ");

export default function LearnersPage() {
  usePageTitle("Learners");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery(flowsQuery);
  const [giving, setGiving] = useState(false);
  const all = found.data ?? [];
  const flow = all.find((it) => it.flow === search.tutor) ?? all[0];
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-5">
      <div className="mx-auto flex max-w-4xl flex-col gap-5">
        <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-64 flex-1">
            <h1 className="text-xl">Learners</h1>
            <p className="mt-1 text-soft">Sessions with a tutor that your links opened, in the order in which you gave them. Nobody is ranked.</p>
          </div>
          {flow ? (
            <Button look="primary" icon={<Link2 className="size-4" aria-hidden />} onClick={() => setGiving(true)}>
              Give links
            </Button>
          ) : null}
        </header>
        {found.isPending ? <Skeleton lines={6} label="Loading tutors" /> : null}
        {found.error ? <ErrorNote error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.data && !flow ? <EmptyState title="No tutor is installed">A plugin brings one, and says in its manifest that codes open it.</EmptyState> : null}
        {flow ? (
          <>
            {all.length > 1 ? (
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <label htmlFor="tutor" className="font-medium">
                  Tutor
                </label>
                <Select id="tutor" className="!w-auto" value={flow.flow} onChange={(event) => void navigate({ search: { tutor: event.target.value }, replace: true })}>
                  {all.map((it) => (
                    <option key={`${it.plugin}:${it.flow}`} value={it.flow}>
                      {nameOf(it)}
                    </option>
                  ))}
                </Select>
                <p className="text-sm text-soft">{flow.description}</p>
              </div>
            ) : null}
            <Sessions key={`${flow.plugin}:${flow.flow}`} of={flow} />
            {giving ? <GiveDialog of={flow} onClose={() => setGiving(false)} /> : null}
          </>
        ) : null}
      </div>
    </div>
  );
}

/** Sessions by what their codes are for, each group in the order in which its codes were given. */
function groups(sessions: Opened[]): [subject: string, of: Opened[]][] {
  const found = new Map<string, Opened[]>();
  for (const it of sessions) found.set(it.subject ?? "", [...(found.get(it.subject ?? "") ?? []), it]);
  return [...found].sort(([a], [b]) => a.localeCompare(b, "en-GB", { numeric: true }));
}

function Sessions({ of }: { of: FlowLine }) {
  const found = useQuery(sessionsOf(of));
  const given = useQuery(codesOf(of));
  if (found.isPending) return <Skeleton lines={6} label="Loading sessions" />;
  if (found.error) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  const { sessions, left_out } = found.data;
  const unused = (given.data ?? []).filter((it) => it.good && !it.session_id).length;
  const first = sessions.flatMap((it) => {
    const why = urgent(it, Date.now());
    return why ? [{ it, why }] : [];
  });
  return (
    <>
      {first.length > 0 ? (
        <section aria-labelledby="first" className="rounded-xl border border-ask-line bg-ask-wash px-4 py-3">
          <h2 id="first" className="text-base text-ask">
            Look at {first.length === 1 ? "this one" : `these ${first.length}`} first
          </h2>
          <ul className="mt-1">
            {first.map(({ it, why }) => (
              <li key={it.session_id} className="flex flex-wrap items-center gap-x-2">
                <Link
                  to="/learners/$plugin/$flow/$session"
                  params={{ plugin: of.plugin, flow: of.flow, session: it.session_id }}
                  className="inline-flex min-h-8 items-center font-medium text-accent underline underline-offset-3"
                >
                  {label(it.code, it.subject)}
                </Link>
                <span>{why}</span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {sessions.length === 0 ? (
        <EmptyState icon={<GraduationCap aria-hidden />} title="No session yet">
          {unused > 0 ? `${count(unused, "link")} given, none opened yet.` : "Give links: each opens one session, with no account and no name."}
        </EmptyState>
      ) : (
        <p className="text-soft">
          {count(sessions.length, "session")}
          {unused > 0 ? ` · ${count(unused, "link")} not opened yet` : ""}
          {left_out > 0 ? ` · the first ${left_out} are not shown` : ""}
        </p>
      )}
      {groups(sessions).map(([subject, those]) => (
        <section key={subject} aria-labelledby={`class-${subject}`}>
          <h2 id={`class-${subject}`} className="mb-2 text-lg">
            {subject ? `Class ${subject}` : "No class"}
          </h2>
          <ol className="flex flex-col gap-2">
            {those.map((it) => (
              <Row key={it.session_id} of={of} session={it} />
            ))}
          </ol>
          <Struggles of={those} />
        </section>
      ))}
    </>
  );
}

/** Over the sessions of a class, by topic: what was hard, never for whom. */
function Struggles({ of }: { of: Opened[] }) {
  const topics = new Map<string, Opened[]>();
  for (const it of of) {
    const topic = typeof it.view["topic"] === "string" ? it.view["topic"] : "";
    topics.set(topic, [...(topics.get(topic) ?? []), it]);
  }
  const tables = [...topics].flatMap(([topic, those]): [string, Struggle[]][] => {
    const found = struggles(those.map((it) => it.view));
    return those.length > 1 && found.length > 0 ? [[topic, found]] : [];
  });
  if (tables.length === 0) return null;
  const asked = of.filter((it) => Array.isArray(it.view["alerts"]) && it.view["alerts"].some((alert: { kind?: unknown }) => alert.kind === "intervention")).length;
  return (
    <details className="mt-3 rounded-xl border border-line bg-panel px-4 py-3">
      <summary className="cursor-pointer font-medium">What the class finds hard</summary>
      <p className="mt-2 text-soft">{`${asked} of ${count(of.length, "session")} needed a person at some time.`}</p>
      {tables.map(([topic, found]) => (
        <div key={topic} className="mt-3 overflow-x-auto" tabIndex={0} role="region" aria-label={`What is hard in ${topic}`}>
          <table className="w-full text-start text-sm">
            <caption className="pb-1 text-start font-medium">{topic}</caption>
            <thead className="text-soft">
              <tr>
                {["Part", "Begun by", "Right", "Worked solutions"].map((name) => (
                  <th key={name} scope="col" className="border-b border-line py-1 pe-3 text-start font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.map((it) => (
                <tr key={it.title}>
                  <th scope="row" className="py-1 pe-3 text-start font-normal">
                    {it.title}
                  </th>
                  <td className="py-1 pe-3">{it.begun}</td>
                  <td className="py-1 pe-3">{it.tried > 0 ? `${it.right} of ${it.tried}` : "–"}</td>
                  <td className="py-1 pe-3">{it.solutions}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </details>
  );
}
