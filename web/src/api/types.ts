// The shapes of the HTTP API. What the journal keeps comes from the generated catalogue as it is.
import type { Decision, JournalRecord, Outcome, Question } from "./events";

export type { Choice, Decision, Finding, Item, JournalRecord, OptionKind, Outcome, Question, Status, Task } from "./events";

/** What a run is about, such as `class` and `3B`. */
export type Subject = { kind: string; id: string };

export type Role = "teacher" | "researcher" | "operator";
export type SignInMode = "single" | "passcode";

export type Provider = { name: string; model: string; ready: boolean; reason?: string | null };

export type Me = {
  name: string;
  /** Whose sessions and memory are seen. */
  owner: string;
  roles: Role[];
  mode: SignInMode;
  version: string;
  workspace: string;
  providers: Provider[];
  writes: boolean;
  /** Whether this teacher agreed that researchers look at their runs. */
  research?: boolean;
};

/** One of one's sign-ins. */
export type SignIn = { id: string; since_ms: number; used_ms: number; browser: string; current: boolean };
/** Somebody who may sign in. */
export type Person = { id: string; name: string; roles: Role[] };

export type Command = {
  plugin: string;
  command: string;
  title: string;
  description: string;
  agent: string;
  argument_hint?: string | null;
};

/** A flow whose sessions are opened by access codes. */
export type FlowLine = { plugin: string; flow: string; role: string; description: string };

export type ClassProfile = {
  id: string;
  title: string;
  subject: string;
  level: string;
  minutes?: number | null;
  needs: string[];
};
export type Topic = { code: string; title: string; subject: string; level: string; path: string };
export type Skill = { name: string; description: string };
export type Start = { classes: ClassProfile[]; topics: Topic[] };

export type RunRequest = {
  plugin: string;
  command: string;
  input: string;
  session?: string;
  provider?: string;
  model?: string;
  max_budget_usd?: number;
  no_memory?: boolean;
};
export type RunStarted = { session: string; run: string };
export type AnswerRequest = { hash: string; decisions?: Decision[]; outcome?: Outcome };

export type Waiting = {
  session: string;
  run: string;
  title: string;
  subject?: Subject | null;
  question: Question;
  hash: string;
  decided: Decision[];
  by: string;
  asked_ms: number;
};

export type State = "running" | "parked" | "finished";
export type SessionRow = {
  id: string;
  plugin: string;
  command: string;
  agent: string;
  subject: Subject | null;
  owner: string;
  title: string;
  created_ms: number;
  updated_ms: number;
  runs: number;
  state: State;
  last_status: string | null;
  last_run: string;
};
export type RunRow = {
  id: string;
  session: string;
  command: string;
  state: State;
  status: string | null;
  started_ms: number;
  ended_ms: number | null;
  first_seq: number;
  last_seq: number;
  turns: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
};
export type SessionPage = { sessions: (SessionRow & { hits?: string[] })[]; next?: string | null };
export type SessionDetail = {
  session: SessionRow;
  runs: RunRow[];
  shared: JournalRecord[];
  last_seq: number;
  live: boolean;
};

export type Audience = "teacher" | "pupil";
export type SectionAudience = { id: string; title: string; audience: Audience };
export type DocumentSection = { id: string; title: string };
export type Evidence = {
  claim: string;
  path: string;
  from: number;
  to: number;
  quote: string;
  holds: boolean;
  why?: string | null;
};
export type Draft = { rework_round: number; text: string };
export type LessonDocument = {
  run: string;
  status?: string | null;
  markdown: string;
  saved?: string | null;
  sections: DocumentSection[];
  evidence: Evidence[];
  drafts: Draft[];
};

/** What a file is for, in the word of the plugin that knows; `other` where none does. */
export type FileRole = string;
export type FileNode = {
  name: string;
  path: string;
  kind: "directory" | "file";
  role: FileRole;
  size?: number | null;
  changed_ms?: number | null;
  children?: FileNode[];
};
export type FileText = {
  path: string;
  text: string;
  sha256: string;
  role: FileRole;
  writable: boolean;
  problems: string[];
};
export type FileSaved = { sha256: string; problems: string[] };
export type MemoryNote = {
  text: string;
  times: number;
  run?: string | null;
  session?: string | null;
  evidence?: string[] | string | null;
  kind?: string | null;
  first?: boolean;
  importance?: number | null;
  by?: string | null;
  created_ms?: number | null;
  uses?: number | null;
};
export type MemoryFile = { path: string; text: string; sha256: string; updated_ms?: number | null; notes: MemoryNote[] };
export type MemoryAudit = {
  at_ms: number;
  session: string;
  run: string;
  seq: number;
  by: string;
  kind: "read" | "written" | "decided";
  path: string | null;
  detail: string;
};
