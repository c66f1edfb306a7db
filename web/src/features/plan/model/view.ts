// What the plan page shows of a session, made from its journal alone.
import type { Decision, Finding, Outcome, Question, Status, Task } from "@/api/types";

/** Something that was done, in plain words. */
export type Step = { seq: number; call?: string; text: string; detail?: string; state: "running" | "done" | "problem" };

/** What a question is about, so that it can be shown well; `other` is shown well too. */
export type Theme = "context" | "reflection" | "confidence" | "sections" | "alternatives" | "privacy" | "memory" | "other";

type Common = { key: string; run: string; at: number };
export type RequestEntry = Common & { kind: "request"; text: string; command: string; from: "start" | "fork" };
export type WorkEntry = Common & { kind: "work"; steps: Step[]; until: number };
export type QuestionEntry = Common & {
  kind: "question";
  hash: string;
  hook: string;
  theme: Theme;
  question: Question;
  /** The newest decision on each item. */
  decided: Record<string, Decision>;
  outcome: Outcome | null;
  by: string | null;
  /** What stood in the place of an item, or of the choice, before: for the difference. */
  before: Record<string, string>;
};
export type DraftEntry = Common & { kind: "draft"; round: number; seq: number; text: string };
export type ReplyEntry = Common & { kind: "reply"; text: string };
export type NoteEntry = Common & { kind: "note"; text: string };
export type ProblemEntry = Common & { kind: "problem"; code: string; message: string; hint: string | null };
export type EndEntry = Common & { kind: "end"; status: Status; saved: string | null; reason: string | null };
export type Entry = RequestEntry | WorkEntry | QuestionEntry | DraftEntry | ReplyEntry | NoteEntry | ProblemEntry | EndEntry;

export type Phase =
  /** Nothing has begun. */
  | "empty"
  | "working"
  | "asking"
  /** It was stopped, or its process ended; it can go on. */
  | "interrupted"
  /** The model could not answer; it can be tried again. */
  | "failed"
  | "done";

export type Run = {
  id: string;
  plugin: string;
  command: string;
  agent: string;
  input: string;
  /** What it is about, such as `3B`. */
  subject: string | null;
  provider: string;
  model: string;
  budget: number | null;
  started: number;
  ended: number | null;
  turns: number;
  cost: number;
  tokens: number;
  estimated: boolean;
  round: number;
  status: Status | null;
  saved: string | null;
};

export type Lesson = { run: string; text: string; seq: number; round: number; final: boolean };

export type View = {
  /** Number of the last record that was taken in. */
  seq: number;
  entries: readonly Entry[];
  runs: readonly Run[];
  phase: Phase;
  /** What is going on at this moment, in plain words. */
  activity: string | null;
  /** Key of the entry of the question that waits. */
  open: string | null;
  tasks: readonly Task[];
  lesson: Lesson | null;
  /** Earlier drafts of the lesson of the last run, oldest first. */
  drafts: readonly Lesson[];
  /** What guardrails found in the newest draft. */
  findings: readonly Finding[];
};

export const EMPTY: View = {
  seq: 0,
  entries: [],
  runs: [],
  phase: "empty",
  activity: null,
  open: null,
  tasks: [],
  lesson: null,
  drafts: [],
  findings: [],
};

export function themeOf(question: Question): Theme {
  const name = question.id.split(":")[0] ?? "";
  switch (name) {
    case "context":
    case "reflection":
    case "privacy":
    case "memory":
    case "alternatives":
      return name;
    case "sections":
    case "bundle":
      return "sections";
    case "confidence-before":
    case "confidence-after":
      return "confidence";
    default:
      return "other";
  }
}

/** What the runs of a session cost together. */
export function costOf(view: View): { usd: number; tokens: number; estimated: boolean } {
  const sum = { usd: 0, tokens: 0, estimated: false };
  for (const run of view.runs) {
    sum.usd += run.cost;
    sum.tokens += run.tokens;
    sum.estimated ||= run.estimated;
  }
  return sum;
}

export const openQuestion = (view: View): QuestionEntry | null => {
  const entry = view.open === null ? undefined : view.entries.find((it) => it.key === view.open);
  return entry?.kind === "question" ? entry : null;
};
