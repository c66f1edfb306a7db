// Tables for other programs. A cell that a spreadsheet would take for a formula is made plain text.
import type { ResearchRun } from "./types";

export function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  let text = String(value);
  if (/^[=+\-@\t\r]/.test(text)) text = `'${text}`;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csv = (head: string[], rows: unknown[][]): string => [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

/** One line for each run, one column for each hook and verdict that occurs. */
export function runsCsv(runs: ResearchRun[]): string {
  const pairs = [...new Set(runs.flatMap((run) => Object.entries(run.hooks).flatMap(([hook, counts]) => Object.keys(counts).map((name) => `${hook}.${name}`))))].sort();
  const head = ["run", "session", "owner", "subject", "command", "status", "started", "ended", "turns", "input_tokens", "output_tokens", "cost_usd", ...pairs];
  const time = (ms: number | null) => (ms === null ? "" : new Date(ms).toISOString());
  return csv(
    head,
    runs.map((run) => [
      run.id, run.session, run.owner_alias, run.subject?.id ?? null, run.command, run.status ?? run.state, time(run.started_ms), time(run.ended_ms),
      run.turns, run.input_tokens, run.output_tokens, run.cost_usd,
      ...pairs.map((pair) => {
        const at = pair.lastIndexOf(".");
        return run.hooks[pair.slice(0, at)]?.[pair.slice(at + 1)] ?? 0;
      }),
    ]),
  );
}
