// What every record gives to its entry and to the sums of its run.
import type { JournalRecord } from "@/api/events";
import type { Run } from "./view";

export function head(record: JournalRecord): { key: string; run: string; at: number } {
  return { key: `${record.run}-${record.seq}`, run: record.run, at: record.at_ms };
}

export function spend(run: Run, usd: number, usage: { input_tokens: number; output_tokens: number; estimated?: boolean }): void {
  run.cost += usd;
  run.tokens += usage.input_tokens + usage.output_tokens;
  run.estimated ||= usage.estimated ?? false;
}
