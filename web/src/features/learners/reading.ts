// What a flow shows a teacher of a session, read into what is drawn: what should be looked at, and figures, side by side and never
// as one score. Both forms that `progress` knows are read.
import { count, span, when } from "@/lib/words";
import { fields, list, number, text, type Fields } from "../learn/progress";

export type Alert = { kind: string; name: string; says: string; at: number | null };
export type Figure = { name: string; value: string };

const NAMES: Record<string, string> = {
  intervention: "Needs a person",
  safeguarding: "Message kept back",
  stuck: "Long silence",
  off_topic: "Off topic",
  error: "Not judged",
  replans: "Plan changed often",
};
/** A plan that was changed at least so often, and more often than once in so many replies, is worth a look. */
const REPLANS_MIN = 2;
const REPLIES_A_REPLAN = 6;

/** A time as one of the two forms has it: milliseconds, or a date as text. */
function time(value: unknown): number | null {
  if (typeof value === "string") return Number.isNaN(Date.parse(value)) ? null : Date.parse(value);
  return number(value);
}

const alert = (kind: string, says: string, at: number | null): Alert => ({ kind, name: NAMES[kind] ?? kind.replaceAll("_", " "), says, at });

/** What somebody should look at, the newest first. */
export function alerts(view: Fields): Alert[] {
  const told = list(view["alerts"]).map((it) => alert(text(it["kind"]).replaceAll("-", "_"), text(it["says"]) || text(it["message"]), time(it["at"] ?? it["timestamp"])));
  const [replans, replies] = [number(view["replan_count"]) ?? 0, number(fields(view["totals"])["replies"]) ?? 0];
  const often = replans >= REPLANS_MIN && replans * REPLIES_A_REPLAN > replies;
  const rate = often ? [alert("replans", `The plan was changed ${count(replans, "time")} in ${count(replies, "reply", "replies")}.`, null)] : [];
  return [...rate, ...told.reverse()];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Milliseconds between two times, where both are known. */
const between = (from: unknown, to: unknown): number | null => {
  const [a, b] = [time(from), time(to)];
  return a === null || b === null ? null : Math.max(0, b - a);
};

/** How long a message that was kept back stands above the list. */
const RECENT_MS = 24 * 60 * 60 * 1_000;

/** Why somebody should look at a session before all others; null where nothing is urgent. */
export function urgent({ waits_for, view }: { waits_for: string | null; view: Fields }, now: number): string | null {
  const kept = alerts(view).find((it) => it.kind === "safeguarding" && it.at !== null && now - it.at < RECENT_MS);
  const reasons = [...(kept ? [`a message was kept back ${when(kept.at ?? now, now)}`] : []), ...(waits_for === "teacher" ? ["waits for you"] : [])];
  return reasons.length > 0 ? reasons.join(", and ") : null;
}

/** A part of a session: a section, or a step. */
export type Part = { title: string; asked: number; right: number; tried: number; hints: number | null; solutions: number | null; took_ms: number | null; note: string };

export function parts(view: Fields): Part[] {
  const levels = new Map(list(view["levels"]).map((it) => [text(it["section"]), it]));
  const sections = list(view["sectionHistory"]).map((it): Part => {
    const level = levels.get(text(it["id"])) ?? {};
    const tried = number(it["questionsAttempted"]) ?? 0;
    return {
      title: text(it["title"]),
      asked: tried,
      right: number(it["questionsCorrect"]) ?? 0,
      tried,
      hints: number(it["hintsUsed"]),
      solutions: number(level["solutions"]),
      took_ms: between(it["enteredAt"], it["masteredAt"]),
      note: tried > 0 ? text(level["level"]) : "",
    };
  });
  if (sections.length > 0) return sections;
  return list(fields(view["study_plan"])["todo_list"]).map((it): Part => {
    const info = fields(it["status_info"]);
    return {
      title: text(it["title"]),
      asked: number(info["questions_asked"]) ?? 0,
      right: number(info["questions_correct"]) ?? 0,
      tried: number(info["attempts"]) ?? 0,
      hints: null,
      solutions: null,
      took_ms: between(info["started_at"], info["completed_at"]),
      note: text(info["skipped"]) ? `Left out: ${text(info["skipped"])}` : text(info["blocked"]) ? `Held up: ${text(info["blocked"])}` : "",
    };
  });
}

const sum = (of: Part[], what: (part: Part) => number | null): number => of.reduce((total, it) => total + (what(it) ?? 0), 0);

/** Figures of a session. Those of which nothing is known are left out. */
export function figures(view: Fields, begun_ms: number, updated_ms: number): Figure[] {
  const of = parts(view);
  const tried = sum(of, (it) => it.tried);
  const totals = fields(view["totals"]);
  const hints = number(totals["hints"]) ?? sum(of, (it) => it.hints);
  const [off, unread] = [number(view["off_topic_rate"]), undecided(fields(view["counts"]))];
  const replans = number(view["replan_count"]);
  const found: (Figure | null)[] = [
    { name: "From first to last", value: span(number(view["duration_ms"]) ?? updated_ms - begun_ms) },
    tried > 0 ? { name: "Right", value: `${sum(of, (it) => it.right)} of ${tried}` } : null,
    { name: "Hints", value: String(hints) },
    of.some((it) => it.solutions !== null) ? { name: "Worked solutions", value: String(sum(of, (it) => it.solutions)) } : null,
    replans === null ? null : { name: "Changes of the plan", value: String(replans) },
    off === null ? null : { name: "Off topic", value: percent(off) },
    unread === null ? null : { name: "Not read as answers", value: percent(unread) },
  ];
  return found.filter((it) => it !== null);
}

/** The share of messages that nobody could read as an answer. */
function undecided(counts: Fields): number | null {
  const all = Object.values(counts).reduce<number>((total, it) => total + (number(it) ?? 0), 0);
  return all > 0 ? (number(counts["undecided"]) ?? 0) / all : null;
}

/** An exchange with the reasons behind it. */
export type Reason = { at: number | null; who: string; what: string; why: string; took_ms: number | null };

export function reasons(view: Fields): Reason[] {
  const exchanges = list(view["exchanges"]).map((it): Reason => {
    const given = text(it["given"]);
    const done = text(it["action"]).toLowerCase().replaceAll("_", " ");
    const differs = text(it["differs"]);
    const problem = number(it["problem"]) ?? 0;
    return {
      at: time(it["at"]),
      who: problem > 0 ? `Problem ${problem}` : "A problem that is done",
      what: `${given ? `“${given}” was taken as ${text(it["taken"])}` : text(it["taken"])}${done && done !== "none" ? `; what followed: ${done}` : ""}`,
      why: [text(it["reasoning"]), differs ? `The evaluator wanted something else: ${differs}` : ""].filter(Boolean).join(" "),
      took_ms: null,
    };
  });
  if (exchanges.length > 0) return exchanges;
  return list(view["agent_logs"]).map((it) => ({
    at: time(it["timestamp"]),
    who: text(it["agent"]),
    what: text(it["input_summary"]),
    why: text(it["reasoning"]),
    took_ms: number(it["duration_ms"]),
  }));
}

/** Notes on the work, one a line. */
export const notes = (view: Fields): string[] => text(view["assessment_notes"]).split("\n").filter(Boolean);

/** How a session stands, in a word or two, and how loudly. */
export function standing({ waits_for, ended, view }: { waits_for: string | null; ended: string | null; view: Fields }): { words: string; tone: "ask" | "good" | "plain" | "accent" } {
  if (waits_for === "teacher") return { words: "Waits for you", tone: "ask" };
  const status = text(view["status"]);
  if (status === "completed") return { words: "Finished", tone: "good" };
  if (ended !== null || status === "ended") return { words: "Ended", tone: "plain" };
  return { words: "At work", tone: "accent" };
}

/** What a session is called: whoever has its code is not known by name. */
export const label = (code: string, subject: string | null | undefined): string => `${subject ? `${subject} · ` : ""}${code.slice(0, 5).toUpperCase()}`;

export type Struggle = { title: string; begun: number; solutions: number; right: number; tried: number };

/** Parts of one topic over all sessions: where many needed a worked solution, or were wrong. In the topic's own order. */
export function struggles(views: Fields[]): Struggle[] {
  const found = new Map<string, Struggle>();
  for (const view of views) {
    for (const part of parts(view)) {
      const of = found.get(part.title) ?? { title: part.title, begun: 0, solutions: 0, right: 0, tried: 0 };
      found.set(part.title, {
        title: part.title,
        begun: of.begun + (part.asked > 0 ? 1 : 0),
        solutions: of.solutions + (part.solutions ?? 0),
        right: of.right + part.right,
        tried: of.tried + part.tried,
      });
    }
  }
  return [...found.values()].filter((it) => it.begun > 0);
}
