// The list of lessons: its filters, its groups by day, and what each state is called. No page in here.
import type { SessionRow } from "@/api/types";

export type Row = SessionRow & { hits?: string[] };
export type Filters = { q?: string; class?: string; from?: string; to?: string };
export type Line = { kind: "heading"; key: string; text: string; count: number } | { kind: "session"; key: string; row: Row; position: number };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);

/** The filters that an address holds; what is none is left out. The address may hold a class such as `3` as a number. */
export function filters(search: Record<string, unknown>): Filters {
  const plain = (value: unknown) => text(typeof value === "number" ? String(value) : value);
  const day = (value: unknown) => (typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined);
  const found: Filters = {};
  const [q, name, from, to] = [plain(search["q"]), plain(search["class"]), day(search["from"]), day(search["to"])];
  if (q) found.q = q;
  if (name) found.class = name;
  if (from) found.from = from;
  if (to) found.to = to;
  return found;
}

const month = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric" });

/** Under which heading something of that time stands. */
export function group(ms: number, now: number): string {
  const midnight = (at: number, days = 0) => {
    const day = new Date(at);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
  };
  if (ms >= midnight(now)) return "Today";
  if (ms >= midnight(now, 1)) return "Yesterday";
  if (ms >= midnight(now, 6)) return "Earlier this week";
  return month.format(ms);
}

/** The rows with a heading before each group. */
export function lines(rows: Row[], now: number): Line[] {
  const made: Line[] = [];
  let heading: Extract<Line, { kind: "heading" }> | null = null;
  rows.forEach((row, index) => {
    const name = group(row.created_ms, now);
    if (heading?.text !== name) {
      heading = { kind: "heading", key: `h:${name}`, text: name, count: 0 };
      made.push(heading);
    }
    heading.count += 1;
    made.push({ kind: "session", key: row.id, row, position: index + 1 });
  });
  return made;
}

export type Standing = { tone: "ask" | "accent" | "good" | "bad" | "plain"; words: string; goOn: boolean };
const STOPPED: Record<string, string> = {
  error_max_turns: "stopped: too many steps",
  error_max_budget: "stopped at its budget",
  error_hook_abort: "stopped by a check",
  error_tool_retry_exhausted: "stopped: a step kept failing",
  error_no_progress: "stopped: no progress",
  error_max_output: "stopped: the answer was too long",
  error_refusal: "stopped: the model declined",
  error_too_long: "stopped: too long for the model",
};

/** How a lesson stands, in words. */
export function standing(row: SessionRow, asks: boolean): Standing {
  if (asks) return { tone: "ask", words: "waiting for you", goOn: false };
  if (row.state === "running") return { tone: "accent", words: "being worked on", goOn: false };
  if (row.state === "parked") return { tone: "plain", words: "interrupted", goOn: true };
  if (row.last_status === null || row.last_status === "success") return { tone: "good", words: "finished", goOn: false };
  return { tone: "bad", words: STOPPED[row.last_status] ?? "stopped", goOn: false };
}

/** A found text in pieces, without the marks of markdown; what was found stands in square brackets. */
export function pieces(hit: string): { text: string; found: boolean }[] {
  return hit
    .replace(/\*\*|(^|\s)#+ /g, "$1")
    .split(/(\[[^[\]]+\])/)
    .filter((it) => it !== "")
    .map((it) => (it.startsWith("[") && it.endsWith("]") ? { text: it.slice(1, -1), found: true } : { text: it, found: false }));
}
