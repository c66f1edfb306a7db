// How a question is put, by what it is about; everything unknown has words of its own that fit.
import type { Decision, OptionKind, Question } from "@/api/types";
import { count, series } from "@/lib/words";
import type { QuestionEntry, Theme } from "../model/view";

type Items = Extract<Question, { kind: "items" }>;

/** Whether an option needs nothing but a press. */
export const plain = (option: OptionKind): boolean => !option.text_prompt;

/** What is offered for all points that are not decided on, in order; the first is what Enter does. */
export function rest(theme: Theme, options: OptionKind[]): OptionKind[] {
  const free = options.filter(plain);
  // Nothing is remembered and nothing personal let through because somebody was in a hurry.
  if (theme === "memory") return free.filter((it) => it.id !== "confirm");
  if (theme === "privacy") return free.filter((it) => it.id !== "allow");
  if (theme === "reflection") return free;
  return free.slice(0, 1);
}

const REST: Partial<Record<Theme, Record<string, (n: number, all: boolean) => string>>> = {
  context: { confirm: (n, all) => (all ? `Use all ${n} and go on` : `Use the other ${n} and go on`) },
  sections: { accept: (n, all) => (all ? `Accept ${n === 1 ? "it" : n === 2 ? "both sections" : `all ${n} sections`}` : n === 1 ? "Accept the last section and go on" : `Accept the other ${n} and go on`) },
  reflection: { skip: (n, all) => (all ? "Skip and go on" : `Skip the other ${n} and go on`) },
  memory: { dismiss: (_, all) => (all ? "Remember nothing" : "Remember no more and go on") },
  privacy: { redact: (n, all) => (all ? `Redact ${n === 2 ? "both" : `all ${n}`} and go on` : `Redact the other ${n} and go on`) },
};

export function restWords(theme: Theme, option: OptionKind, n: number, all: boolean): string {
  const words = REST[theme]?.[option.id];
  if (words && !(n === 1 && theme !== "sections" && theme !== "memory")) return words(n, all);
  return n === 1 ? `${option.label} and go on` : `${option.label}: ${all ? "all" : "the other"} ${n}`;
}

/** What starts in the field where a text is asked for: what is to be changed, ready to be changed. */
export function startText(theme: Theme, label: string, detail: string): string {
  if (theme === "memory") return label.replace(/^About [^:]+: /, "");
  if (theme === "context") return sourceOf(detail).text;
  return "";
}

/** Quick wishes for a section; each can be added to by typing. */
export const WISHES = ["Shorter", "Longer", "Easier", "Harder", "More detail", "More active", "No devices needed"];

/** A detail that ends in "From FILE" is its text and that file. */
export function sourceOf(detail: string): { text: string; from: string | null } {
  const found = /^([\s\S]*?)\n*(?:^|\n)From ([^\n]{1,200})\s*$/.exec(detail);
  return found ? { text: found[1]?.trim() ?? "", from: found[2]?.trim() ?? null } : { text: detail.trim(), from: null };
}

const DONE: Record<string, string> = {
  confirm: "used",
  modify: "changed",
  dismiss: "left out",
  accept: "accepted",
  revise: "to be changed",
  alternatives: "with alternatives asked for",
  answer: "answered",
  skip: "skipped",
  redact: "redacted",
  allow: "allowed",
  edit: "changed",
};

function doneWord(theme: Theme, choice: string, options: OptionKind[]): string {
  if (theme === "memory" && choice === "confirm") return "remembered";
  if (theme === "memory" && choice === "dismiss") return "not remembered";
  return DONE[choice] ?? `“${options.find((it) => it.id === choice)?.label ?? choice}”`;
}

function counted(theme: Theme, { options }: Items, decided: Decision[]): string {
  const counts = new Map<string, number>();
  for (const decision of decided) counts.set(decision.choice, (counts.get(decision.choice) ?? 0) + 1);
  return series([...counts].map(([choice, n]) => `${n} ${doneWord(theme, choice, options)}`));
}

/** What became of a question, in a line. */
export function outcomeWords(entry: QuestionEntry): string {
  const { outcome, question, theme } = entry;
  if (!outcome) return "";
  if (outcome.outcome === "declined") return "You chose not to answer.";
  if (outcome.outcome === "dismissed") return "You went on without answering.";
  if (outcome.outcome === "timed-out") return "Nobody answered in time.";
  const { answer } = outcome;
  if ("text" in answer) return `You wrote: ${answer.text}`;
  if ("choice" in answer) {
    const chosen = question.kind === "choice" ? question.choices.find((it) => it.id === answer.choice)?.label : null;
    return `You chose: ${chosen ?? answer.choice}`;
  }
  if (question.kind !== "items") return "You answered.";
  if (answer.items.length === 0) return "You went on without deciding.";
  return `${counted(theme, question, answer.items)}.`;
}

export function progressWords(done: number, all: number): string {
  return done === 0 ? count(all, "point") + " to look at" : `${done} of ${all} decided`;
}
