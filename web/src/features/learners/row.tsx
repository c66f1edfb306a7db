import { Link } from "@tanstack/react-router";
import { moment, when } from "@/lib/words";
import { Badge } from "@/ui";
import { progress } from "../learn/progress";
import { ProgressBar } from "../learn/sections";
import type { Opened, Of } from "./queries";
import { alerts, figures, label, standing } from "./reading";

/** Alerts that a row shows; the session has them all. */
const ALERTS_MAX = 3;

/** A session in the list: how it stands, where it is, what should be looked at. */
export function Row({ of, session }: { of: Of; session: Opened }) {
  const { view } = session;
  const at = progress(view);
  const here = at.places.find((it) => it.state === "here");
  const it = standing(session);
  const told = alerts(view);
  const kinds = [...new Map(told.map((alert) => [alert.kind, alert])).values()].slice(0, ALERTS_MAX);
  const name = label(session.code, session.subject);
  return (
    <li className="rounded-xl border border-line bg-raised px-4 py-3">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link
          to="/learners/$plugin/$flow/$session"
          params={{ plugin: of.plugin, flow: of.flow, session: session.session_id }}
          className="inline-flex min-h-7 items-center font-medium underline-offset-3 hover:text-accent hover:underline"
        >
          {name}
        </Link>
        <Badge tone={it.tone}>{it.words}</Badge>
        {kinds.map((alert) => (
          <Badge key={alert.kind} tone={alert.kind === "safeguarding" ? "bad" : "ask"}>
            {alert.name}
          </Badge>
        ))}
        <span className="ms-auto text-sm text-soft">
          <time dateTime={new Date(session.updated_ms).toISOString()} title={moment(session.updated_ms)}>
            {when(session.updated_ms)}
          </time>
        </span>
      </p>
      <p className="mt-0.5">
        {at.title || "No topic yet"}
        {here ? <span className="text-soft">{` · at ${here.title}`}</span> : null}
      </p>
      {session.problem ? <p className="text-sm text-bad">{session.problem}</p> : null}
      <div className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-[1fr_2fr]">
        <ProgressBar progress={at} />
        <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {figures(view, session.begun_ms, session.updated_ms).map((figure) => (
            <div key={figure.name}>
              <dt className="text-soft">{figure.name}</dt>
              <dd>{figure.value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </li>
  );
}
