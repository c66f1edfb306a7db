// The whole of one learner's session: what was said, where it stands, why, and what a teacher can do.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, TriangleAlert, Unlink } from "lucide-react";
import { useMemo, useState } from "react";
import { shown } from "@/api/errors";
import { dollars, moment, span, when } from "@/lib/words";
import { usePageTitle } from "@/lib/title";
import { Badge, Button, Confirm, ErrorNote, Skeleton, toast } from "@/ui";
import { Bubble } from "../learn/bubble";
import { linesOf, withoutRepeats } from "../learn/conversation";
import { progress } from "../learn/progress";
import { ProgressBar } from "../learn/sections";
import { Decide } from "./decide";
import { codes as codesOf, revoke, whole, type CodeLine, type Of, type Whole } from "./queries";
import { alerts, figures, label, notes, parts, reasons, standing, type Alert, type Reason } from "./reading";

const route = getRouteApi("/app/learners/$plugin/$flow/$session");

export default function LearnerSessionPage() {
  const { session, ...of } = route.useParams();
  const found = useQuery(whole(of, session));
  const given = useQuery(codesOf(of));
  const code = given.data?.find((it) => it.session_id === session);
  const name = code ? label(code.id, code.subject) : "A session";
  usePageTitle(name);
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-5">
      <div className="mx-auto flex max-w-6xl flex-col gap-5">
        {found.isPending ? <Skeleton lines={8} label="Loading the session" /> : null}
        {found.error ? <ErrorNote error={found.error} onRetry={() => void found.refetch()} /> : null}
        {found.data ? <Session of={of} name={name} code={code} whole={found.data} /> : null}
      </div>
    </div>
  );
}

type Props = { of: Of; name: string; code: CodeLine | undefined; whole: Whole };

function Session({ of, name, code, whole: { standing: now, conversation, spent } }: Props) {
  const at = progress(now);
  const it = standing({ ...now, view: now });
  const first = conversation.parts[0]?.at_ms ?? 0;
  const last = conversation.parts.at(-1)?.at_ms ?? first;
  return (
    <>
      <header>
        <Link to="/learners" search={{ tutor: of.flow }} className="inline-flex min-h-7 items-center gap-1.5 text-sm text-accent underline-offset-3 hover:underline">
          <ArrowLeft className="size-4" aria-hidden /> All sessions
        </Link>
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2">
          <h1 className="text-xl">
            {name}
            {at.title ? <span className="font-normal text-soft">{` · ${at.title}`}</span> : null}
          </h1>
          <Badge tone={it.tone}>{it.words}</Badge>
          {code?.good ? <CloseLink of={of} code={code} name={name} /> : null}
        </div>
        <p className="mt-0.5 text-sm text-soft">
          Begun {when(first)}, last {when(last)}
          {code && !code.good ? " · its link opens nothing any more" : ""}
        </p>
      </header>
      {now.waits_for === "teacher" ? <Decide of={of} standing={now} alert={alerts(now).find((it) => it.kind === "intervention")} plan={at.noun === "Step"} /> : null}
      <div className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Talk conversation={conversation} />
        <div className="flex min-w-0 flex-col gap-5">
          <Look alerts={alerts(now)} />
          <Card title="Where it stands">
            <ProgressBar progress={at} />
            <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
              {figures(now, first, last).map((figure) => (
                <div key={figure.name}>
                  <dt className="text-sm text-soft">{figure.name}</dt>
                  <dd>{figure.value}</dd>
                </div>
              ))}
              {spent.sent > 0 ? (
                <div>
                  <dt className="text-sm text-soft">Tokens to the model, and back</dt>
                  <dd>{`${spent.sent.toLocaleString("en-GB")} + ${spent.received.toLocaleString("en-GB")}, ${dollars(spent.usd)}`}</dd>
                </div>
              ) : null}
            </dl>
            <Parts view={now} noun={at.noun} />
          </Card>
          <Notes lines={notes(now)} />
          <Reasons of={reasons(now)} />
        </div>
      </div>
    </>
  );
}

function Card({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-panel px-4 py-3">
      <h2 className="mb-2 text-base">{title}</h2>
      {children}
    </section>
  );
}

function Talk({ conversation }: { conversation: Whole["conversation"] }) {
  const lines = useMemo(() => withoutRepeats(linesOf(conversation.parts)), [conversation.parts]);
  return (
    <section aria-label="Conversation" className="min-w-0">
      {conversation.earlier ? <p className="mb-3 text-sm text-soft">What was said before this is in the session’s journal.</p> : null}
      <ol className="flex flex-col gap-3">
        {lines.map((line) => (
          <Bubble key={line.key} line={line} onAloud={null} learner={line.by === "learner" && line.role === "teacher" ? "Teacher" : "Learner"} />
        ))}
      </ol>
    </section>
  );
}

function Look({ alerts: found }: { alerts: Alert[] }) {
  if (found.length === 0) return null;
  return (
    <Card title="To look at">
      <ul className="flex flex-col gap-2">
        {found.map((it, at) => (
          <li key={at} className="flex gap-2">
            <TriangleAlert className={`mt-1 size-4 shrink-0 ${it.kind === "safeguarding" ? "text-bad" : "text-ask"}`} aria-hidden />
            <span>
              <span className="font-medium">{it.name}.</span> {it.says}
              {it.at === null ? null : <span className="text-sm text-soft">{` ${when(it.at)}`}</span>}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Parts({ view, noun }: { view: Whole["standing"]; noun: string }) {
  const all = parts(view);
  if (all.length === 0) return null;
  const helped = all.some((it) => it.hints !== null);
  const names = [noun, "Questions", "Right", ...(helped ? ["Hints"] : []), "Time"];
  return (
    <div className="mt-3 overflow-x-auto" tabIndex={0} role="region" aria-label={`${noun}s`}>
      <table className="w-full text-sm">
        <thead className="text-soft">
          <tr>
            {names.map((name) => (
              <th key={name} scope="col" className="border-b border-line py-1 pe-3 text-start font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {all.map((it, at) => (
            <tr key={at} className="align-top">
              <th scope="row" className="py-1 pe-3 text-start font-normal">
                {it.title}
                {it.note ? <span className="block text-soft">{it.note}</span> : null}
              </th>
              <td className="py-1 pe-3">{it.asked || "–"}</td>
              <td className="py-1 pe-3 whitespace-nowrap">{it.tried > 0 ? `${it.right} of ${it.tried}` : "–"}</td>
              {helped ? <td className="py-1 pe-3">{it.hints || "–"}</td> : null}
              <td className="py-1 whitespace-nowrap">{it.took_ms === null ? "–" : span(it.took_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Notes({ lines }: { lines: string[] }) {
  if (lines.length === 0) return null;
  return (
    <Card title="The tutor’s notes">
      <ul className="flex flex-col gap-1.5 text-sm">
        {lines.map((line, at) => (
          <li key={at}>{line.replace(/^\S+Z - /, "")}</li>
        ))}
      </ul>
    </Card>
  );
}

function Reasons({ of }: { of: Reason[] }) {
  if (of.length === 0) return null;
  return (
    <details className="rounded-xl border border-line bg-panel px-4 py-3">
      <summary className="cursor-pointer font-medium">Why it went so: {of.length} entries</summary>
      <ol className="mt-3 flex flex-col gap-3 text-sm">
        {of.map((it, at) => (
          <li key={at} className="border-s-2 border-line ps-3">
            <p className="text-soft">
              <span className="font-medium text-ink first-letter:uppercase">{it.who}</span>
              {it.at === null ? "" : ` · ${moment(it.at)}`}
              {it.took_ms ? ` · ${span(it.took_ms)}` : ""}
            </p>
            <p>{it.what}</p>
            {it.why ? <p className="text-soft">{it.why}</p> : null}
          </li>
        ))}
      </ol>
    </details>
  );
}

/** After this the code opens nothing; what was done stays. */
function CloseLink({ of, code, name }: { of: Of; code: CodeLine; name: string }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const close = () =>
    revoke(client, of, code.id).then(
      () => toast("The link is closed."),
      (error: unknown) => toast(shown(error).message, { tone: "bad" }),
    );
  return (
    <>
      <Button size="small" className="ms-auto" icon={<Unlink className="size-4" aria-hidden />} onClick={() => setAsks(true)}>
        Close the link
      </Button>
      <Confirm
        open={asks}
        onOpenChange={setAsks}
        title={`Close the link of ${name}?`}
        description="It opens nothing from then on. The session stays as it is, for you."
        action="Close the link"
        danger
        onConfirm={() => void close()}
      />
    </>
  );
}
