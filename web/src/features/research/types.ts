// What the server tells a researcher, with the names of the journal.
import type { Finding, RunRow, Subject } from "@/api/types";

export type Counts = Record<string, number>;
export type ResearchRun = RunRow & { subject: Subject | null; owner_alias: string; hooks: Record<string, Counts> };
export type RunPage = { runs: ResearchRun[]; next?: string | null };

export type Span = {
  seq: number;
  kind: string;
  name: string;
  at_ms: number;
  elapsed_us: number | null;
  attributes: Record<string, unknown>;
  /** Number of the span that began the subagent it belongs to. */
  parent?: number | null;
  agent?: string | null;
};
export type Pin = {
  sha256: string;
  kind?: string;
  asks?: string[];
  granted?: string[];
  config?: Record<string, unknown>;
  fuel?: number;
  memory_bytes?: number;
  cpu_ms?: number;
};
export type Trace = {
  trace: string;
  session: string;
  command: string;
  agent: string;
  input: string;
  status: string | null;
  started_ms: number;
  ended_ms: number;
  components: Record<string, Pin>;
  spans: Span[];
  summary: Record<string, unknown>;
};

/** A component that whoever runs the server has put there to be swapped in. */
export type Component = { name: string; bytes: number };

export type Replayed = {
  run: string;
  events: number;
  calls: number;
  divergence: { seq: number; session: string; event: string; what: string; recorded: unknown; now: unknown } | null;
  output_sha256: string | null;
};
export type Said = { verdict: string; code: string | null; reason: string | null; findings: number };
export type CallSwap = {
  seq: number;
  point: string;
  turn: number;
  rework_round: number;
  then: Said;
  now: Said;
  found_now_only: Finding[];
  found_then_only: Finding[];
};
export type Swapped = {
  hook: string;
  sha256_now: string;
  runs: { run: string; session: string; sha256_then: string; calls: CallSwap[] }[];
  totals: {
    runs: number;
    calls: number;
    verdicts_changed: number;
    findings_changed: number;
    verdicts_then: Counts;
    verdicts_now: Counts;
    found_now_only: Counts;
    found_then_only: Counts;
  };
};
