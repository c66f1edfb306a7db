// What the assistant does, said as one would say it to a colleague.
import type { HookFinished, ToolCall } from "@/api/events";
import { count } from "@/lib/words";

/** Longest text of a guest that is shown on one line. */
const LINE_MAX = 240;

export function oneLine(text: string, max = LINE_MAX): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat;
}

/** "retrieval-practice" as "retrieval practice"; of a path the last part without its ending. */
export function spoken(name: string): string {
  const known: Record<string, string> = { "sen-strategies": "additional support needs", "eal-strategies": "English as an additional language" };
  const last = name.split("/").pop() ?? name;
  const bare = last.replace(/\.md$/, "");
  return known[bare] ?? bare.replaceAll(/[-_]+/g, " ");
}

const SUBJECTS = /^curriculum\/(?:[a-z]+-)?(.+)\.md$/;

/** A file as a teacher calls it. */
export function fileName(path: string): string {
  const plain = path.replace(/^\.\//, "");
  const known: Record<string, string> = { "teacher.md": "your own page", "pedagogy.md": "how you teach", "soul.md": "the assistant’s own page" };
  if (known[plain]) return known[plain];
  const group = /^classes\/([^/]+)\.md$/.exec(plain);
  if (group?.[1]) return `the profile of ${group[1]}`;
  const subject = SUBJECTS.exec(plain);
  if (subject?.[1]) return `the ${spoken(subject[1])} curriculum`;
  if (plain.startsWith("lessons/")) return `the lesson “${spoken(plain)}”`;
  if (plain.startsWith("memory/") || plain.endsWith("MEMORY.md")) return memoryName(plain);
  return plain;
}

export function memoryName(path: string): string {
  const group = /classes\/([^/]+)\//.exec(path);
  return group?.[1] ? `what is remembered about ${group[1]}` : "what is remembered about you";
}

const FOLDERS: Record<string, string> = {
  ".": "your files",
  "": "your files",
  classes: "your classes",
  curriculum: "the curriculum files",
  lessons: "your earlier lessons",
};

function argumentsOf(call: ToolCall): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(call.arguments);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** What a tool call does, as something done ("Read the profile of 3B"); none for what is no step of its own. */
export function toolWords(call: ToolCall): string | null {
  const args = argumentsOf(call);
  const path = text(args["path"]);
  switch (call.name) {
    case "update_tasks":
      return null;
    case "list_directory":
      return `Looked at ${FOLDERS[path.replace(/\/$/, "")] ?? fileName(path)}`;
    case "read_file":
      return `Read ${fileName(path)}`;
    case "read_skill":
      return `Read the advice on ${spoken(text(args["name"]))}`;
    case "write_file":
    case "str_replace":
      return `Wrote ${fileName(path)}`;
    case "read_memory":
      return `Looked at ${memoryName(path)}`;
    case "update_memory":
      return "Proposed something to remember";
    case "search_sessions":
      return text(args["query"]) ? `Searched earlier lessons for “${oneLine(text(args["query"]), 60)}”` : "Searched earlier lessons";
    case "read_session":
      return "Read an earlier lesson";
    default:
      return `Used ${spoken(call.name)}`;
  }
}

/** The same, while it goes on. */
export function workingWords(words: string): string {
  return words.replace(/^Looked at/, "Looking at").replace(/^Read /, "Reading ").replace(/^Wrote /, "Writing ").replace(/^Searched/, "Searching").replace(/^Used /, "Using ").replace(/^Proposed/, "Proposing");
}

const CHECKS: Record<string, string> = {
  "scope-check": "Checking that this is about lessons",
  privacy: "Looking for personal data",
  outcome: "Looking the topic up in the curriculum",
  feedforward: "Collecting what the lesson will rely on",
  "curriculum-evidence": "Following every curriculum claim to its source",
  "age-appropriate": "Checking the words for the age of the class",
  "reflection-prompt": "Finding questions worth your thought",
  "teacher-adjudication": "Preparing the sections for your decision",
  "memory-capture": "Looking for what is worth remembering",
};

export function checkWords(hook: string): string {
  return CHECKS[hook] ?? `Checking: ${spoken(hook)}`;
}

/** Notes of these checks say something to a teacher even where all is well. */
const TELLING = new Set(["curriculum-evidence", "age-appropriate"]);
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** What a finished check is worth saying; none where it had nothing to say. */
export function hookWords(hook: HookFinished): { text: string; detail?: string; problem: boolean } | null {
  const { verdict, findings, notes } = hook;
  const said = findings.map((it) => it.message).join("\n");
  const detail = said === "" ? {} : { detail: said };
  switch (verdict.verdict) {
    case "rework":
      // What the teacher decided is in the question above; only what a check sent back is news.
      if (hook.hook === "teacher-adjudication") return null;
      return { text: `Sent back to be mended: ${spoken(hook.hook)}${findings.length ? `, ${count(findings.length, "point")}` : ""}`, detail: said || oneLine(verdict.instruction, 600), problem: false };
    case "refuse":
      return { text: `Did not allow a step: ${oneLine(verdict.reason)}`, problem: true };
    case "abort":
      // The end of the run says the reason.
      return said === "" ? null : { text: "Found something that stops the lesson", ...detail, problem: true };
    case "failed":
      return { text: `A check could not finish: ${spoken(hook.hook)}`, detail: oneLine(verdict.reason, 600), problem: true };
    case "modify":
    case "pass": {
      if (findings.length > 0) return { text: `${capital(spoken(hook.hook))}: ${count(findings.length, "point")} to look at`, ...detail, problem: true };
      if (TELLING.has(hook.hook) && notes[0]) return { text: oneLine(capital(notes[0])), problem: false };
      if (hook.hook === "privacy" && verdict.verdict === "modify") return { text: "Took personal data out before anything was sent", problem: false };
      return null;
    }
  }
}

const ENDINGS: Record<string, string> = {
  error_max_turns: "It used all the turns that it may take before the lesson was ready.",
  error_max_budget: "It reached the amount that it may spend before the lesson was ready.",
  error_hook_abort: "A check ended it.",
  error_tool_retry_exhausted: "A step failed too often in a row.",
  error_no_progress: "It went on without getting anywhere, so it was ended.",
  error_max_output: "The model's answer was cut off for its length, twice. Ask for less at once; what there is was not saved.",
  error_refusal: "The model declined to answer. Ask in other words; nothing was saved.",
  error_too_long: "The conversation is longer than the model reads. Begin a new session, or shorten the files that it reads.",
};

export function endingWords(status: string): string {
  return ENDINGS[status] ?? "It did not end well.";
}
