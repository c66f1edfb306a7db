// A trace as rows of a timeline and as numbers for each hook. No page in here.
import type { Pin, Span, Trace } from "./types";

export type Lane = "person" | "hook" | "model" | "tool" | "record";
const LANES: Record<string, Lane> = {
  hook: "hook", model: "model", tool: "tool", "tool-start": "tool", question: "person", decision: "person", answer: "person",
};
export const lane = (span: Span): Lane => LANES[span.kind] ?? "record";
export const LANE_NAMES: Record<Lane, string> = { person: "Person", hook: "Hooks", model: "Model", tool: "Tools", record: "Record" };
export const LANE_ORDER: Lane[] = ["person", "hook", "model", "tool", "record"];

export type TraceRow = { span: Span; depth: number; children: number };

/** Verdicts that changed or ended something, and failures: what one looks for first. */
const LOUD = new Set(["modify", "refuse", "rework", "abort", "failed"]);
export const verdict = (span: Span): string | null => (typeof span.attributes["verdict"] === "string" ? span.attributes["verdict"] : null);
export const loud = (span: Span): boolean =>
  LOUD.has(verdict(span) ?? "") || span.attributes["error"] != null || span.attributes["code"] != null || findings(span).length > 0;
export const findings = (span: Span): Record<string, unknown>[] => (Array.isArray(span.attributes["findings"]) ? (span.attributes["findings"] as Record<string, unknown>[]) : []);

/** The spans in order, those of a subagent below the span that began it; what is in `closed` keeps its own to itself. */
export function rows(spans: Span[], closed: ReadonlySet<number>, wanted: (span: Span) => boolean): TraceRow[] {
  const known = new Set(spans.map((span) => span.seq));
  const below = new Map<number | null, Span[]>();
  for (const span of spans) {
    const parent = span.parent != null && span.parent !== span.seq && known.has(span.parent) ? span.parent : null;
    const list = below.get(parent);
    if (list) list.push(span);
    else below.set(parent, [span]);
  }
  const made: TraceRow[] = [];
  const walk = (parent: number | null, depth: number) => {
    for (const span of below.get(parent) ?? []) {
      const children = below.get(span.seq)?.length ?? 0;
      if (wanted(span) || children > 0) made.push({ span, depth, children });
      if (children > 0 && !closed.has(span.seq)) walk(span.seq, depth + 1);
    }
  };
  walk(null, 0);
  return made;
}

export type HookNumbers = {
  hook: string;
  points: string[];
  calls: number;
  verdicts: Record<string, number>;
  findings: number;
  elapsed_us: number;
  elapsed_us_max: number;
  fuel_max: number;
  memory_max: number;
  pin: Pin | undefined;
  sha256: string;
};

const number = (value: unknown) => (typeof value === "number" ? value : 0);

/** For each hook: its calls and verdicts, and the most it used of what it may use. */
export function hookNumbers(trace: Trace): HookNumbers[] {
  const made = new Map<string, HookNumbers>();
  for (const span of trace.spans) {
    if (span.kind !== "hook") continue;
    const report = (span.attributes["report"] ?? {}) as Record<string, unknown>;
    const it = made.get(span.name) ?? {
      hook: span.name, points: [], calls: 0, verdicts: {}, findings: 0, elapsed_us: 0, elapsed_us_max: 0, fuel_max: 0, memory_max: 0,
      pin: trace.components[span.name], sha256: "",
    };
    const point = span.attributes["point"];
    if (typeof point === "string" && !it.points.includes(point)) it.points.push(point);
    const said = verdict(span) ?? "unknown";
    it.calls += 1;
    it.verdicts[said] = (it.verdicts[said] ?? 0) + 1;
    it.findings += findings(span).length;
    it.elapsed_us += span.elapsed_us ?? 0;
    it.elapsed_us_max = Math.max(it.elapsed_us_max, span.elapsed_us ?? 0);
    it.fuel_max = Math.max(it.fuel_max, number(report["fuel"]));
    it.memory_max = Math.max(it.memory_max, number(report["memory_bytes"]));
    it.sha256 = typeof span.attributes["sha256"] === "string" ? span.attributes["sha256"] : it.sha256;
    made.set(span.name, it);
  }
  return [...made.values()];
}

/** Verdicts from the quietest to the loudest: the order of legends and bars. */
const VERDICTS = ["pass", "modify", "asks", "refuse", "rework", "abort", "failed"];
export function byVerdict(counts: Record<string, number>): [string, number][] {
  const place = (name: string) => (VERDICTS.indexOf(name) + VERDICTS.length + 1) % (VERDICTS.length + 1);
  return Object.entries(counts).sort(([a], [b]) => place(a) - place(b) || a.localeCompare(b));
}

/** Verdict counts of many runs together, by hook. */
export function total(runs: { hooks: Record<string, Record<string, number>> }[]): [string, Record<string, number>][] {
  const made = new Map<string, Record<string, number>>();
  for (const run of runs) {
    for (const [hook, counts] of Object.entries(run.hooks)) {
      const sum = made.get(hook) ?? {};
      for (const [name, n] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + n;
      made.set(hook, sum);
    }
  }
  return [...made.entries()];
}
