import { useMemo } from "react";
import { EmptyState } from "@/ui";
import { hookNumbers } from "./trace";
import type { Trace } from "./types";
import { Gauge, Verdicts } from "./verdicts";
import { bytes, compact, micros, short } from "./words";

function Used({ value, of, words }: { value: number; of: number | undefined; words: (n: number) => string }) {
  return (
    <>
      <span className="whitespace-nowrap">
        {words(value)}
        {of ? <span className="text-soft"> of {words(of)}</span> : null}
      </span>
      {of ? <Gauge share={value / of} /> : null}
    </>
  );
}

/** What each hook said in this run, and the most it used of what it may use. */
export function HooksTable({ trace }: { trace: Trace }) {
  const list = useMemo(() => hookNumbers(trace), [trace]);
  if (list.length === 0) return <EmptyState title="No hook ran in this run" />;
  return (
    <div className="min-h-0 flex-1 overflow-auto px-4 py-3" tabIndex={0} role="region" aria-label="Hooks of this run">
      <table className="w-full min-w-[56rem] border-collapse text-sm [&_td]:border-t [&_td]:border-line [&_td]:px-2 [&_td]:py-2 [&_td]:align-top [&_th]:px-2 [&_th]:pb-1.5 [&_th]:text-start [&_th]:font-medium [&_th]:text-soft">
        <caption className="mb-2 text-start text-soft">Times, fuel and memory are those of the call that used the most, beside what a call may use.</caption>
        <thead>
          <tr>
            <th scope="col">Hook</th>
            <th scope="col">Where</th>
            <th scope="col">Calls</th>
            <th scope="col">Verdicts</th>
            <th scope="col">Findings</th>
            <th scope="col">Time</th>
            <th scope="col">Fuel</th>
            <th scope="col">Memory</th>
            <th scope="col">Granted</th>
          </tr>
        </thead>
        <tbody>
          {list.map((it) => (
            <tr key={it.hook}>
              <th scope="row" className="!border-t !border-line !py-2 !text-ink align-top">
                {it.hook}
                <span className="block font-mono text-xs font-normal text-soft" title={it.sha256}>{short(it.sha256)}</span>
              </th>
              <td>{it.points.join(", ")}</td>
              <td>{it.calls}</td>
              <td><Verdicts counts={it.verdicts} /></td>
              <td>{it.findings || ""}</td>
              <td className="min-w-32"><Used value={it.elapsed_us_max} of={it.pin?.cpu_ms ? it.pin.cpu_ms * 1_000 : undefined} words={micros} /></td>
              <td className="min-w-28"><Used value={it.fuel_max} of={it.pin?.fuel} words={compact} /></td>
              <td className="min-w-32"><Used value={it.memory_max} of={it.pin?.memory_bytes} words={bytes} /></td>
              <td className="max-w-52 text-xs text-soft">{(it.pin?.granted ?? []).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
