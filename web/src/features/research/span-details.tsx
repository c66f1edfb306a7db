import type { ReactNode } from "react";
import type { Span } from "./types";
import { bytes, exact, micros } from "./words";

type Row = [string, ReactNode];
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function Texts({ items }: { items: string[] }) {
  return (
    <ul className="flex flex-col gap-0.5">
      {items.map((it, index) => (
        <li key={index} className="break-words">{it}</li>
      ))}
    </ul>
  );
}

function Finding({ it }: { it: Record<string, unknown> }) {
  const place = [it["part"], it["line"] ? `line ${text(it["line"])}` : null].filter(Boolean).map(text).join(", ");
  return (
    <li className="break-words">
      <code className="text-bad">{[it["class"], ...list(it["about"]).map((about) => (about as { value?: unknown }).value)].filter(Boolean).map(text).join(" ")}</code> {text(it["message"] ?? "")}
      {place ? <span className="text-soft"> ({place})</span> : null}
    </li>
  );
}

/** What the rows show already. */
const SHOWN = new Set(["verdict", "point", "sha256", "report", "notes", "findings", "reason", "code"]);

function known(span: Span): Row[] {
  const it = span.attributes;
  const report = (it["report"] ?? {}) as Record<string, unknown>;
  const rows: (Row | null)[] = [
    it["reason"] ? ["Reason", text(it["reason"])] : null,
    it["code"] ? ["Code", <code key="c">{text(it["code"])}</code>] : null,
    list(it["findings"]).length > 0 ? ["Findings", <ul key="f">{list(it["findings"]).map((found, index) => <Finding key={index} it={found as Record<string, unknown>} />)}</ul>] : null,
    list(it["notes"]).length > 0 ? ["Notes", <Texts key="n" items={list(it["notes"]).map(text)} />] : null,
    it["sha256"] ? ["Component", <code key="d" className="break-all">{text(it["sha256"])}</code>] : null,
    span.elapsed_us !== null ? ["Time", micros(span.elapsed_us)] : null,
    typeof report["fuel"] === "number" ? ["Fuel", exact(report["fuel"])] : null,
    typeof report["memory_bytes"] === "number" ? ["Memory", bytes(report["memory_bytes"])] : null,
    list(report["reads"]).length > 0
      ? ["Read", <Texts key="r" items={list(report["reads"]).map((read) => { const file = read as { path?: string; sha256?: string }; return `${file.path ?? "?"}  ${file.sha256?.slice(0, 12) ?? ""}`; })} />]
      : null,
    list(report["inputs"]).length > 0 ? ["Asked the host", <Texts key="i" items={list(report["inputs"]).map((input) => text((input as { import?: string }).import ?? input))} />] : null,
    list(report["logs"]).length > 0 ? ["Log", <Texts key="l" items={list(report["logs"]).map(text)} />] : null,
  ];
  return rows.filter((row): row is Row => row !== null);
}

/** All that the trace holds of one step. */
export function SpanDetails({ span }: { span: Span }) {
  const rest = Object.fromEntries(Object.entries(span.attributes).filter(([key, value]) => !SHOWN.has(key) && value !== null && !(Array.isArray(value) && value.length === 0)));
  return (
    <div className="rounded-b-lg border-t border-line bg-sunken px-4 py-3 text-sm">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        <dt className="text-soft">At</dt>
        <dd>{new Date(span.at_ms).toISOString()}</dd>
        {known(span).map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
      {Object.keys(rest).length > 0 ? (
        <details className="mt-2">
          <summary className="text-soft">Everything else</summary>
          <pre tabIndex={0} aria-label="Attributes as JSON" className="mt-1 max-h-80 overflow-auto whitespace-pre-wrap break-words rounded-md bg-raised p-3 text-xs">{JSON.stringify(rest, null, 2)}</pre>
        </details>
      ) : null}
    </div>
  );
}
