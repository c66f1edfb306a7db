// What a flow shows of a session, read into what the page draws. Two forms are known, sections and a plan of steps; of a flow that
// has neither the conversation alone is shown.
export type Place = {
  id: string;
  title: string;
  state: "done" | "here" | "begun" | "ahead";
  /** Right ones of those that were worked at; null where nothing was yet. */
  right: number | null;
  tried: number | null;
  /** What to say to go there; null where one cannot choose. */
  jump: string | null;
};

export type Problem = { number: number | null; expects: string; hintsGiven: number; hintsLeft: number | null; attempts: number };

export type Progress = {
  title: string;
  /** What the places are, in a word: sections, or steps. */
  noun: "Section" | "Step";
  places: Place[];
  problem: Problem | null;
  done: boolean;
};

/** What a flow shows of itself: nothing of it is known beforehand. */
export type Fields = Record<string, unknown>;
export const fields = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
export const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

function section(of: Fields, at: number, current: string): Place {
  const id = text(of["id"]);
  const tried = number(of["questionsAttempted"]) ?? 0;
  const begun = of["enteredAt"] != null;
  const mastered = of["masteredAt"] != null;
  const state = id === current ? "here" : mastered ? "done" : begun ? "begun" : "ahead";
  const counts = tried > 0 ? { right: number(of["questionsCorrect"]), tried } : { right: null, tried: null };
  return { id, title: text(of["title"]), state, ...counts, jump: `section ${at + 1}` };
}

function planned(of: Fields, current: string): Place {
  const id = text(of["step_id"]);
  const info = fields(of["status_info"]);
  const tried = number(info["attempts"]) ?? 0;
  const done = of["status"] === "completed";
  const state = done ? "done" : id === current ? "here" : of["status"] === "pending" ? "ahead" : "begun";
  const counts = tried > 0 ? { right: number(info["questions_correct"]), tried } : { right: null, tried: null };
  return { id, title: text(of["title"]), state, ...counts, jump: null };
}

function problemOf(of: unknown): Problem | null {
  if (typeof of !== "object" || of === null) return null;
  const it = fields(of);
  const count = (name: string) => number(it[name]) ?? 0;
  return {
    number: number(it["number"]),
    expects: text(it["expects"]),
    hintsGiven: count("hintsGiven"),
    hintsLeft: number(it["hintsLeft"]),
    attempts: count("attempts"),
  };
}

/** How far a session is. */
export function progress(of: Fields): Progress {
  const sections = list(of["sectionHistory"]);
  if (sections.length > 0) {
    const current = text(of["currentSection"]);
    const done = of["status"] === "completed";
    const places = sections.map((it, at) => section(it, at, done ? "" : current));
    return { title: text(of["topic"]), noun: "Section", places, problem: problemOf(of["problem"]), done };
  }
  const step = text(fields(of["current_step"])["step_id"]);
  const steps = list(fields(of["study_plan"])["todo_list"]).map((it) => planned(it, step));
  return { title: text(of["topic"]), noun: "Step", places: steps, problem: null, done: of["status"] === "completed" };
}

export const doneOf = (places: Place[]): number => places.filter((it) => it.state === "done").length;

/** Where somebody is who comes back, in a sentence. */
export function whereYouAre({ places, noun, problem, title }: Progress): string {
  const at = places.findIndex((it) => it.state === "here");
  const here = places[at];
  const place = here ? `${noun.toLowerCase()} ${at + 1}, ${here.title}` : title;
  const question = problem?.number ? `, at problem ${problem.number}` : "";
  return place ? `You are in ${place}${question}.` : "Your place was kept.";
}
