import { useQuery } from "@tanstack/react-query";
import { CheckCircle2, CircleAlert, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { file } from "@/api/queries";
import type { Evidence } from "@/api/types";
import { bringIntoView } from "@/lib/scroll";
import { cx, ErrorNote, IconButton, Skeleton } from "@/ui";
import { placeWords } from "./markdown/view";
import type { Place } from "./markdown/tree";

export type Opened = { place: Place; quote: string | null; claim: string };

/** Most lines of a file that are drawn around the place that is shown. */
const LINES_MAX = 600;

/** Lines of a file, those that are cited marked and brought into view. */
function Lines({ text, place }: { text: string; place: Place }) {
  const mark = useRef<HTMLLIElement>(null);
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  const first = place.from ?? 1;
  const start = Math.max(0, Math.min(first - 1 - LINES_MAX / 2, lines.length - LINES_MAX));
  useEffect(() => {
    if (mark.current) bringIntoView(mark.current, "start", 48);
  }, [place, text]);
  return (
    <ol className="py-2 font-mono text-[0.8125rem] leading-relaxed" start={start + 1}>
      {lines.slice(start, start + LINES_MAX).map((line, at) => {
        const number = start + at + 1;
        const cited = place.from !== null && number >= place.from && number <= (place.to ?? place.from);
        return (
          <li key={number} ref={cited && number === place.from ? mark : null} className={cx("flex gap-3 px-3", cited && "bg-mark")}>
            <span aria-hidden className={cx("w-9 shrink-0 select-none text-end", !cited && "text-soft")}>
              {number}
            </span>
            <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">
              {cited && number === place.from ? <span className="sr-only">Cited from here: </span> : null}
              {line || " "}
              {cited && number === place.to ? <span className="sr-only"> (cited to here)</span> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function Verdict({ evidence }: { evidence: Evidence }) {
  if (evidence.holds) {
    return (
      <p className="flex items-center gap-1.5 text-sm text-good">
        <CheckCircle2 className="size-4 shrink-0" aria-hidden /> The file says what the lesson says it does.
      </p>
    );
  }
  return (
    <p className="flex items-start gap-1.5 text-sm text-bad">
      <CircleAlert className="mt-0.5 size-4 shrink-0" aria-hidden /> {evidence.why ?? "The file does not say this."}
    </p>
  );
}

type Props = { opened: Opened; evidence: Evidence[]; onClose: () => void };

/** The lines that a claim cites, marked, beside the claim. */
export function EvidencePanel({ opened, evidence, onClose }: Props) {
  const { place, quote, claim } = opened;
  const { data, error, refetch } = useQuery(file(place.path));
  const checked = evidence.find((it) => it.path === place.path && it.from === place.from && (it.to === place.to || place.to === null));
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [opened]);
  return (
    <aside
      ref={panel}
      tabIndex={-1}
      aria-label="Evidence"
      data-print="never"
      className="flex min-h-0 min-w-0 flex-col bg-panel focus:outline-none"
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <header className="flex items-start gap-2 border-b border-line px-3 py-2">
        <div className="min-w-0 flex-1">
          <h2 className="line-clamp-2">{claim || "Evidence"}</h2>
          <p className="text-sm text-soft">{placeWords(place)}</p>
          {quote ? <p className="mt-1 line-clamp-3 text-sm">“{quote}”</p> : null}
          {checked ? <Verdict evidence={checked} /> : null}
        </div>
        <IconButton label="Close the evidence" size="small" onClick={onClose}>
          <X className="size-4.5" aria-hidden />
        </IconButton>
      </header>
      <div className="min-h-0 flex-1 overflow-auto" tabIndex={0} role="region" aria-label={`Lines of ${place.path}`}>
        {data ? <Lines text={data.text} place={place} /> : null}
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} className="m-3" /> : null}
        {!data && !error ? <Skeleton lines={8} className="p-4" label="Opening the file" /> : null}
      </div>
    </aside>
  );
}
