import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ArrowLeft, Download } from "lucide-react";
import { useState } from "react";
import { download, pathOf } from "@/api/client";
import { shown } from "@/api/errors";
import { count, dollars, moment } from "@/lib/words";
import { Badge, Button, ErrorNote, Menu, MenuItem, Skeleton, Tabs, toast } from "@/ui";
import { HooksTable } from "./hooks-table";
import { ResearchersOnly } from "./only";
import { keepText, trace as traceQuery } from "./queries";
import { Replay } from "./replay";
import { Timeline } from "./timeline";
import type { Trace } from "./types";
import { compact, STATUSES, wait } from "./words";

const route = getRouteApi("/app/research/$run");
type View = "timeline" | "hooks" | "replay";

function Head({ trace }: { trace: Trace }) {
  const number = (name: string) => (typeof trace.summary[name] === "number" ? (trace.summary[name] as number) : 0);
  const usage = (trace.summary["usage"] ?? {}) as { input_tokens?: number; output_tokens?: number };
  const journal = () => download(`/research/runs/${pathOf(trace.trace)}/journal`, `${trace.trace}.jsonl`).catch((error: unknown) => toast(shown(error).message, { tone: "bad" }));
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-60 flex-1">
        <Link to="/research" className="inline-flex items-center gap-1.5 text-sm text-accent underline-offset-3 hover:underline">
          <ArrowLeft className="size-4" aria-hidden /> All runs
        </Link>
        <h1 className="mt-1 break-words text-lg">{trace.input}</h1>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-2 text-sm text-soft">
          <Badge tone={trace.status === "success" ? "good" : trace.status ? "bad" : "ask"}>{trace.status ? (STATUSES[trace.status] ?? trace.status) : "not over"}</Badge>
          <span>
            {trace.command} · {trace.agent} · <time>{moment(trace.started_ms)}</time> · {wait(trace.ended_ms - trace.started_ms)} · {count(number("turns"), "turn")} · {compact(usage.input_tokens ?? 0)} + {compact(usage.output_tokens ?? 0)} tokens · {dollars(number("cost_usd"))}
          </span>
        </p>
        <p className="font-mono text-xs text-soft">{trace.trace}</p>
      </div>
      <Menu trigger={<Button icon={<Download className="size-4" aria-hidden />}>Export</Button>}>
        <MenuItem hint="One record on each line, as it was written" onSelect={() => void journal()}>The journal (JSON lines)</MenuItem>
        <MenuItem hint="As it is shown here" onSelect={() => keepText(`${trace.trace}-trace.json`, "application/json", `${JSON.stringify(trace, null, 2)}\n`)}>The trace (JSON)</MenuItem>
      </Menu>
    </header>
  );
}

export default function RunPage() {
  const { run } = route.useParams();
  const found = useQuery(traceQuery(run));
  const [view, setView] = useState<View>("timeline");
  return (
    <ResearchersOnly>
      {found.isPending ? <Skeleton className="p-6" lines={8} label="Loading the trace" /> : null}
      {found.error ? <ErrorNote error={found.error} className="m-4" onRetry={() => void found.refetch()} /> : null}
      {found.data ? (
        <div className="flex min-h-0 flex-1 flex-col overflow-auto bg-panel">
          <Head trace={found.data} />
          <Tabs<View>
            label="The run"
            value={view}
            onChange={setView}
            keep
            className="!min-h-[32rem] flex-1"
            tabs={[
              { id: "timeline", label: "Timeline", content: <Timeline trace={found.data} /> },
              { id: "hooks", label: "Hooks", content: <HooksTable trace={found.data} /> },
              { id: "replay", label: "Replay and compare", content: <Replay trace={found.data} /> },
            ]}
          />
        </div>
      ) : null}
    </ResearchersOnly>
  );
}
