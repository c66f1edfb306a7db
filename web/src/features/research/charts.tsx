import { useMemo } from "react";
import { count } from "@/lib/words";
import { total } from "./trace";
import type { Counts, ResearchRun } from "./types";
import { StackedBar, Verdicts } from "./verdicts";

/** A bar for each hook: how often it gave which verdict. It is a table, so it can be read as well as looked at. */
export function VerdictChart({ runs }: { runs: ResearchRun[] }) {
  const sums = useMemo(() => total(runs), [runs]);
  const calls = (counts: Counts) => Object.values(counts).reduce((sum, it) => sum + it, 0);
  if (sums.length === 0) return null;
  return (
    <table className="w-full text-sm [&_td]:py-0.5 [&_th]:pe-3 [&_th]:text-start [&_th]:font-medium">
      <caption className="mb-1 text-start text-soft">Shares of what each hook said, in the {count(runs.length, "run")} below</caption>
      <tbody>
        {sums.map(([hook, counts]) => (
          <tr key={hook}>
            <th scope="row" className="w-px whitespace-nowrap">{hook}</th>
            <td className="min-w-24"><StackedBar counts={counts} most={calls(counts)} /></td>
            <td className="w-px whitespace-nowrap ps-3"><Verdicts counts={counts} wrap={false} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
