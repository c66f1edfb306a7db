import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { memo, useCallback, useMemo, useRef, useState } from "react";
import { count } from "@/lib/words";
import { cx, EmptyState } from "@/ui";
import { Overview } from "./overview";
import { SpanDetails } from "./span-details";
import { findings, lane, LANE_NAMES, LANE_ORDER, loud, rows, verdict, type Lane, type TraceRow } from "./trace";
import type { Span, Trace } from "./types";
import { Verdict } from "./verdicts";
import { compact, micros, short } from "./words";

const COLUMNS = "grid-cols-[3rem_5.5rem_minmax(0,1fr)] lg:grid-cols-[3rem_5.5rem_minmax(0,15rem)_minmax(0,1fr)_9.5rem_7rem_4.5rem_4.5rem]";

type Show = "all" | "loud" | Lane;
const SHOWS: { value: Show; label: string }[] = [
  { value: "all", label: "Everything" },
  { value: "loud", label: "What changed something" },
  ...LANE_ORDER.map((it) => ({ value: it, label: LANE_NAMES[it] })),
];

const since = (ms: number) => {
  const s = ms / 1000;
  if (s < 60) return `+${s.toFixed(2)} s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 60) return `+${minutes}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
  return `+${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
};

/** The step in a few words, where its name alone says too little. */
function gist(span: Span): string {
  const it = span.attributes;
  const string = (name: string) => (typeof it[name] === "string" ? (it[name] as string) : "");
  switch (span.kind) {
    case "question": return string("title");
    case "decision": return [string("choice"), string("text")].filter(Boolean).join(": ");
    case "model": return it["error"] ? "failed" : `${compact(Number(it["input_tokens"] ?? 0))} tokens sent, ${compact(Number(it["output_tokens"] ?? 0))} received`;
    case "tool-start": return String((it["call"] as { arguments?: string } | undefined)?.arguments ?? "");
    case "write": return ((it["paths"] as string[] | undefined) ?? []).join(", ");
    case "run": return [string("status"), string("reason"), string("saved")].filter(Boolean).join(" · ");
    case "hook": return string("reason") || ((it["notes"] as string[] | undefined) ?? [])[0] || "";
    default: return "";
  }
}

type RowProps = { row: TraceRow; from: number; open: boolean; closed: boolean; onToggle: (seq: number) => void; onFold: (seq: number) => void };

const Line = memo(function Line({ row, from, open, closed, onToggle, onFold }: RowProps) {
  const { span, depth, children } = row;
  const said = verdict(span);
  const found = findings(span).length;
  const point = typeof span.attributes["point"] === "string" ? span.attributes["point"] : null;
  const fuel = (span.attributes["report"] as { fuel?: number } | undefined)?.fuel;
  const digest = typeof span.attributes["sha256"] === "string" ? span.attributes["sha256"] : null;
  return (
    <div className={cx("border-b border-line", loud(span) && "shadow-[inset_3px_0_0_var(--bad)]", open && "bg-raised")} style={{ marginInlineStart: `${Math.min(depth, 8) * 1.25}rem` }}>
      <div className="flex items-stretch">
        {children > 0 ? (
          <button type="button" aria-expanded={!closed} aria-label={`${count(children, "step")} of the subagent ${span.agent ?? span.name}`} onClick={() => onFold(span.seq)} className="flex w-8 items-center justify-center text-soft hover:text-ink">
            <ChevronRight className={cx("size-4", !closed && "rotate-90")} aria-hidden />
          </button>
        ) : null}
        <button type="button" aria-expanded={open} onClick={() => onToggle(span.seq)} className={`grid min-w-0 flex-1 items-baseline gap-x-2 px-3 py-1.5 text-start hover:bg-raised ${COLUMNS}`}>
          <span className="font-mono text-xs text-soft">{span.seq}</span>
          <span className="font-mono text-xs text-soft">{since(span.at_ms - from)}</span>
          <span className="min-w-0 truncate">
            <span className="text-xs text-soft">{span.kind} </span>
            <span className="font-medium">{span.name}</span>
            {point ? <span className="text-xs text-soft"> {point}</span> : null}
          </span>
          <span className="min-w-0 truncate text-sm text-soft max-lg:col-start-3">{gist(span)}</span>
          <span className="max-lg:col-start-3">
            {said ? <Verdict name={said} /> : null}
            {found > 0 ? <span className="ms-1 text-xs text-bad">{count(found, "finding")}</span> : null}
          </span>
          <span className="font-mono text-xs text-soft max-lg:hidden" title={digest ?? undefined}>{digest ? short(digest) : ""}</span>
          <span className="text-end font-mono text-xs text-soft max-lg:hidden">{span.elapsed_us !== null ? micros(span.elapsed_us) : ""}</span>
          <span className="text-end font-mono text-xs text-soft max-lg:hidden">{fuel !== undefined ? compact(fuel) : ""}</span>
        </button>
      </div>
      {open ? <SpanDetails span={span} /> : null}
    </div>
  );
});

const flip = (set: ReadonlySet<number>, seq: number) => (set.has(seq) ? new Set([...set].filter((it) => it !== seq)) : new Set([...set, seq]));

/** Every step of a run, in order, with all that the trace holds of it. */
export function Timeline({ trace }: { trace: Trace }) {
  const [show, setShow] = useState<Show>("all");
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const list = useMemo(
    () => rows(trace.spans, closed, (span) => show === "all" || (show === "loud" ? loud(span) : lane(span) === show)),
    [trace.spans, closed, show],
  );
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: list.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    getItemKey: (index) => list[index]?.span.seq ?? index,
    overscan: 12,
  });
  const toggle = useCallback((seq: number) => setOpen((was) => flip(was, seq)), []);
  const fold = useCallback((seq: number) => setClosed((was) => flip(was, seq)), []);
  const scroller = useRef(virtual);
  scroller.current = virtual;
  const pick = useCallback(
    (seq: number) => {
      setShow("all");
      setClosed(new Set());
      setOpen((was) => new Set([...was, seq]));
      const index = rows(trace.spans, new Set(), () => true).findIndex((it) => it.span.seq === seq);
      requestAnimationFrame(() => scroller.current.scrollToIndex(index, { align: "center" }));
    },
    [trace.spans],
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="border-b border-line px-4 py-3">
        <Overview spans={trace.spans} onPick={pick} />
        <div role="group" aria-label="Which steps" className="mt-2 flex flex-wrap gap-1">
          {SHOWS.map((it) => (
            <button
              key={it.value}
              type="button"
              aria-pressed={show === it.value}
              onClick={() => setShow(it.value)}
              className="min-h-8 rounded-full border border-line px-3 text-sm text-soft hover:bg-sunken aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent"
            >
              {it.label}
            </button>
          ))}
        </div>
      </div>
      <div aria-hidden className={cx("grid gap-x-2 border-b border-line px-3 py-1 text-xs text-soft max-lg:hidden [scrollbar-gutter:stable]", COLUMNS)}>
        <span>No.</span>
        <span>When</span>
        <span>Step</span>
        <span />
        <span>Verdict</span>
        <span>Component</span>
        <span className="text-end">Time</span>
        <span className="text-end">Fuel</span>
      </div>
      <div ref={box} className="min-h-0 flex-1 overflow-auto">
        {list.length === 0 ? <EmptyState title="No such steps in this run" /> : null}
        <ol aria-label="Steps of the run" className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = list[item.index];
            if (!row) return null;
            return (
              <li key={item.key} ref={virtual.measureElement} data-index={item.index} aria-posinset={item.index + 1} aria-setsize={list.length} className="absolute inset-x-0 top-0" style={{ transform: `translateY(${item.start}px)` }}>
                <Line
                  row={row}
                  from={trace.started_ms}
                  open={open.has(row.span.seq)}
                  closed={closed.has(row.span.seq)}
                  onToggle={toggle}
                  onFold={fold}
                />
              </li>
            );
          })}
        </ol>
      </div>
    </div>
  );
}
