import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Download, FlaskConical } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { shown } from "@/api/errors";
import { useMedia } from "@/lib/media";
import { dollars, moment, when } from "@/lib/words";
import { Badge, Button, EmptyState, ErrorNote, Select, Skeleton, TextInput, toast } from "@/ui";
import { VerdictChart } from "./charts";
import { runsCsv } from "./csv";
import { ResearchersOnly } from "./only";
import { allRuns, ended, keepText, runs as runsQuery, type RunFilters } from "./queries";
import type { Counts, ResearchRun } from "./types";
import { Verdicts } from "./verdicts";
import { compact, STATUSES, wait } from "./words";

const route = getRouteApi("/app/research");
const ROW_PX = 45;

function Filters({ value, classes, onChange }: { value: RunFilters; classes: string[]; onChange: (filters: RunFilters) => void }) {
  const put = (key: keyof RunFilters, text: string) => {
    const { [key]: _, ...rest } = value;
    onChange(text === "" ? rest : { ...rest, [key]: text });
  };
  return (
    <form role="search" aria-label="Find runs" onSubmit={(event) => event.preventDefault()} className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <label className="flex items-center gap-2">
        <span className="text-sm text-soft">Class</span>
        <Select value={value.class ?? ""} onChange={(event) => put("class", event.target.value)}>
          <option value="">All</option>
          {classes.map((it) => <option key={it} value={it}>{it}</option>)}
        </Select>
      </label>
      <label className="flex items-center gap-2">
        <span className="text-sm text-soft">Ended</span>
        <Select value={value.status ?? ""} onChange={(event) => put("status", event.target.value)}>
          <option value="">Anyhow</option>
          {Object.entries(STATUSES).map(([status, words]) => <option key={status} value={status}>{words}</option>)}
        </Select>
      </label>
      <div className="flex flex-wrap items-center gap-2">
        <label className="flex items-center gap-2">
          <span className="text-sm text-soft">From</span>
          <TextInput type="date" className="!w-36" value={value.from ?? ""} onChange={(event) => put("from", event.target.value)} />
        </label>
        <label className="flex items-center gap-2">
          <span className="text-sm text-soft">to</span>
          <TextInput type="date" className="!w-36" value={value.to ?? ""} onChange={(event) => put("to", event.target.value)} />
        </label>
      </div>
    </form>
  );
}

/** Verdicts other than `pass`, of all hooks together: what one looks for in a list. */
function notable(hooks: Record<string, Counts>): Counts {
  const made: Counts = {};
  for (const counts of Object.values(hooks)) for (const [name, n] of Object.entries(counts)) if (name !== "pass") made[name] = (made[name] ?? 0) + n;
  return made;
}

function RunLine({ run }: { run: ResearchRun }) {
  const status = run.status ?? (run.state === "parked" ? "parked" : "running");
  return (
    <tr className="h-[45px] border-t border-line hover:bg-raised">
      <th scope="row" className="px-3 py-1.5 text-start font-normal">
        <Link to="/research/$run" params={{ run: run.id }} className="whitespace-nowrap font-medium underline-offset-3 hover:text-accent hover:underline" title={moment(run.started_ms)}>
          {when(run.started_ms)}
        </Link>
      </th>
      <td>{run.subject?.id ?? "–"}</td>
      <td className="font-mono text-xs">{run.owner_alias}</td>
      <td className="whitespace-nowrap">{run.command}</td>
      <td><Badge tone={status === "success" ? "good" : run.status ? "bad" : "ask"}>{STATUSES[status] ?? status}</Badge></td>
      <td className="text-end">{run.turns}</td>
      <td className="whitespace-nowrap text-end">{compact(run.input_tokens)} + {compact(run.output_tokens)}</td>
      <td className="whitespace-nowrap text-end">{dollars(run.cost_usd)}</td>
      <td className="whitespace-nowrap text-end">{run.ended_ms ? wait(run.ended_ms - run.started_ms) : ""}</td>
      <td><Verdicts counts={notable(run.hooks)} /></td>
    </tr>
  );
}

function RunsTable({ list, more }: { list: ResearchRun[]; more: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({ count: list.length, getScrollElement: () => box.current, estimateSize: () => ROW_PX, overscan: 12 });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= list.length - 20) more();
  }, [last, list.length, more]);
  return (
    <div ref={box} className="min-h-72 flex-1 overflow-auto" tabIndex={0} role="region" aria-label="Runs">
      <table aria-rowcount={list.length + 1} className="w-full min-w-[60rem] border-collapse text-sm [&_td]:px-3 [&_td]:py-1.5">
        <thead className="sticky top-0 z-10 bg-panel text-soft [&_th]:px-3 [&_th]:py-2 [&_th]:text-start [&_th]:font-medium">
          <tr>
            <th scope="col">Begun</th>
            <th scope="col">Class</th>
            <th scope="col">Teacher</th>
            <th scope="col">Command</th>
            <th scope="col">Ended</th>
            <th scope="col" className="!text-end">Turns</th>
            <th scope="col" className="!text-end">Tokens</th>
            <th scope="col" className="!text-end">Cost</th>
            <th scope="col" className="!text-end">Took</th>
            <th scope="col">Verdicts but pass</th>
          </tr>
        </thead>
        <tbody>
          {before > 0 ? <tr aria-hidden style={{ height: before }}><td colSpan={10} /></tr> : null}
          {items.map((item) => {
            const run = list[item.index];
            return run ? <RunLine key={run.id} run={run} /> : null;
          })}
          {after > 0 ? <tr aria-hidden style={{ height: after }}><td colSpan={10} /></tr> : null}
        </tbody>
      </table>
    </div>
  );
}

export default function ResearchPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const found = useInfiniteQuery(runsQuery(search));
  const [busy, setBusy] = useState(false);
  // Where there is little height the table comes first.
  const low = useMedia("(max-height: 719px), (max-width: 899px)");
  const list = useMemo(() => (found.data?.pages ?? []).flatMap((page) => page.runs).filter((run) => ended(run, search.status)), [found.data, search.status]);
  const classes = useMemo(
    () => [...new Set([...list.flatMap((run) => (run.subject ? [run.subject.id] : [])), ...(search.class ? [search.class] : [])])].sort(),
    [list, search.class],
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  useEffect(() => {
    // What was fetched may hold none that ended so.
    if (list.length === 0) more();
  }, [list.length, more]);
  const save = async () => {
    setBusy(true);
    try {
      const { runs, more: cut } = await allRuns(search);
      keepText("runs.csv", "text/csv", runsCsv(runs));
      if (cut) toast(`The first ${runs.length.toLocaleString("en-GB")} runs were saved; narrow the days to get the rest.`);
    } catch (error) {
      toast(shown(error).message, { tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <ResearchersOnly>
      <div className="flex min-h-0 flex-1 flex-col overflow-auto bg-panel">
        <header className="shrink-0 border-b border-line px-4 py-4">
          <div className="mb-3 flex flex-wrap items-start gap-3">
            <div className="min-w-60 flex-1">
              <h1 className="text-xl">Runs</h1>
              <p className="text-soft">Teachers stand here under pseudonyms. Nothing is scored, ranked or compared between them.</p>
            </div>
            <Button icon={<Download className="size-4" aria-hidden />} busy={busy} disabled={list.length === 0} onClick={() => void save()}>Export as CSV</Button>
          </div>
          <Filters value={search} classes={classes} onChange={(filters) => void navigate({ search: filters, replace: true })} />
          {list.length > 0 ? (
            <details open={!low} className="mt-3 rounded-lg border border-line bg-raised px-3 py-2">
              <summary className="font-medium">What the hooks said</summary>
              <div className="mt-2 overflow-x-auto"><VerdictChart runs={list} /></div>
            </details>
          ) : null}
        </header>
        {found.isPending ? <Skeleton className="p-6" lines={8} label="Loading runs" /> : null}
        {found.error ? <ErrorNote error={found.error} className="m-4" onRetry={() => void found.refetch()} /> : null}
        {found.data && list.length === 0 && !hasNextPage ? (
          <EmptyState icon={<FlaskConical aria-hidden />} title="No runs">
            {Object.keys(search).length > 0 ? "None fits what you chose above." : "Runs of teachers who agreed to it appear here as they begin. A teacher agrees on the page Memory, and may take it back."}
          </EmptyState>
        ) : null}
        {list.length > 0 ? <RunsTable list={list} more={more} /> : null}
      </div>
    </ResearchersOnly>
  );
}
