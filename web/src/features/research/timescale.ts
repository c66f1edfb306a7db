// Where things stand on a line of time on which nobody waits: a pause longer than `GAP_MS` takes up only a little room.
import { lane } from "./trace";
import type { Span } from "./types";

/** Pauses longer than this are drawn short, with a mark. */
export const GAP_MS = 2_000;
/** Room of such a pause, as a share of the time that was worked. */
const GAP_SHARE = 0.03;

export type Placed = { span: Span; from: number; to: number };
export type Gap = { at: number; ms: number };
export type Timescale = { placed: Placed[]; gaps: Gap[]; worked_ms: number };

/** Places each span between 0 and 1. `at_ms` is when it ended. */
export function timescale(spans: Span[]): Timescale {
  const times = spans.map((span) => {
    const to = span.at_ms;
    // What a person takes their time over is a wait: it is drawn when it ended.
    return { span, from: lane(span) === "person" ? to : to - (span.elapsed_us ?? 0) / 1_000, to };
  });
  const edges = [...new Set(times.flatMap((it) => [it.from, it.to]))].sort((a, b) => a - b);
  // A pause in which something ran is no pause.
  const busy = times.filter((it) => it.to - it.from > GAP_MS);
  const waits = edges.slice(1).flatMap((to, index) => {
    const from = edges[index] ?? to;
    return to - from > GAP_MS && !busy.some((it) => it.from <= from && it.to >= to) ? [{ from, to }] : [];
  });
  const first = edges[0] ?? 0;
  const last = edges.at(-1) ?? 0;
  const worked_ms = Math.max(last - first - waits.reduce((sum, it) => sum + it.to - it.from, 0), 0);
  const gap = Math.max(worked_ms * GAP_SHARE, 1);
  const whole = worked_ms + waits.length * gap || 1;
  const place = (at: number) => {
    let passed = at - first;
    for (const wait of waits) {
      if (at >= wait.to) passed += gap - (wait.to - wait.from);
      else if (at > wait.from) passed += ((at - wait.from) / (wait.to - wait.from)) * gap - (at - wait.from);
    }
    return Math.min(Math.max(passed / whole, 0), 1);
  };
  return {
    placed: times.map(({ span, from, to }) => ({ span, from: place(from), to: place(to) })),
    gaps: waits.map(({ from, to }) => ({ at: (place(from) + place(to)) / 2, ms: to - from })),
    worked_ms,
  };
}

/** Most marks on a lane: more than that nobody sees apart. */
const MARKS_MAX = 400;

/** One mark for what would be drawn over one another on the same lane. `lane` says what may stand for what. */
export function thinned(placed: Placed[], lane: (span: Span) => string): Placed[] {
  if (placed.length <= MARKS_MAX) return placed;
  const taken = new Set<string>();
  return placed.filter(({ span, from, to }) => {
    const place = `${lane(span)}:${Math.floor(from * MARKS_MAX)}:${Math.floor(to * MARKS_MAX)}`;
    if (taken.has(place)) return false;
    taken.add(place);
    return true;
  });
}
