// The answers of the guided set-up: what they are, what is wrong with them, and what is sent. No page in here.

export type Need = { group: string; need: string; support: string };
export type ClassAnswers = {
  /** For the page alone: tells forms apart while their names change. */
  key: string;
  id: string;
  year: string;
  level: string;
  subjects: string;
  pupils: string;
  minutes: string;
  needs: Need[];
  knows: string[];
  works: string[];
  not: string[];
  room: string;
};
export type Answers = {
  step: number;
  teacher: { write: boolean; subjects: string; room: string; printing: string; likes: string[]; avoids: string[]; tools: string[] };
  pedagogy: { write: boolean; chosen: string[]; own: string[]; tensions: string[] };
  curriculum: string[];
  classes: ClassAnswers[];
};

export const STEPS = ["You", "How you teach", "Curriculum", "Classes", "Look it over"] as const;
export const YEARS = ["S1", "S2", "S3", "S4", "S5", "S6"] as const;
export const LEVELS = ["early", "first", "second", "third", "fourth"] as const;

export const empty = (): Answers => ({
  step: 0,
  teacher: { write: true, subjects: "", room: "", printing: "", likes: [], avoids: [], tools: [] },
  pedagogy: { write: true, chosen: [], own: [], tensions: [] },
  curriculum: [],
  classes: [],
});

export const newClass = (key: string): ClassAnswers => ({
  key, id: "", year: "", level: "third", subjects: "", pupils: "", minutes: "50", needs: [], knows: [], works: [], not: [], room: "",
});

const lines = (list: string[]): string[] => list.map((it) => it.trim()).filter((it) => it !== "");
const words = (text: string): string[] => lines(text.split(/[,;]/));
const said = (label: string, text: string): string[] => (text.trim() === "" ? [] : [label + text.trim()]);

export type Wrong = Partial<Record<"id" | "level" | "pupils" | "minutes" | "needs", string>>;

/** What is wrong with a class, by field, in sentences. */
export function wrongClass(it: ClassAnswers, others: ClassAnswers[]): Wrong {
  const wrong: Wrong = {};
  const id = it.id.trim();
  if (id === "") wrong.id = "Give the class its short name, such as 3B.";
  else if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) wrong.id = "Use letters and digits, such as 3B.";
  else if (others.some((other) => other.key !== it.key && other.id.trim().toLowerCase() === id.toLowerCase())) wrong.id = `There are two classes ${id} here.`;
  if (!LEVELS.includes(it.level as (typeof LEVELS)[number])) wrong.level = "Choose a level.";
  if (it.pupils.trim() !== "" && !(/^\d+$/.test(it.pupils.trim()) && Number(it.pupils) <= 60)) wrong.pupils = "A number up to 60, or nothing.";
  const minutes = Number(it.minutes);
  if (!(Number.isInteger(minutes) && minutes >= 10 && minutes <= 240)) wrong.minutes = "Between 10 and 240 minutes.";
  const half = it.needs.some((need) => {
    const filled = [need.group, need.need, need.support].filter((text) => text.trim() !== "").length;
    return filled > 0 && filled < 3;
  });
  if (half) wrong.needs = "Each need has three parts: who, what is hard, and what helps.";
  return wrong;
}

export const sound = (it: ClassAnswers, others: ClassAnswers[]): boolean => Object.keys(wrongClass(it, others)).length === 0;

/** What the set-up's action is sent. */
export function body(answers: Answers, apply: boolean, replace: Record<string, string> = {}) {
  const { teacher, pedagogy, classes } = answers;
  return {
    arguments: {
      teacher: teacher.write
        ? {
            about: [...said("", teacher.subjects), ...said("Room and devices: ", teacher.room), ...said("Printing: ", teacher.printing)],
            likes: lines(teacher.likes),
            avoids: lines(teacher.avoids),
            tools: lines(teacher.tools),
          }
        : null,
      pedagogy: pedagogy.write ? { principles: [...pedagogy.chosen, ...lines(pedagogy.own)], tensions: lines(pedagogy.tensions) } : null,
      classes: classes.map((it) => ({
        id: it.id.trim(),
        year: it.year || null,
        level: it.level,
        subjects: words(it.subjects),
        pupils: it.pupils.trim() === "" ? null : Number(it.pupils),
        period_minutes: Number(it.minutes),
        needs: it.needs.filter((need) => need.group.trim() !== "").map((need) => ({ group: need.group.trim(), need: need.need.trim(), support: need.support.trim() })),
        knows: lines(it.knows),
        works: lines(it.works),
        does_not_work: lines(it.not),
        room: it.room.trim(),
      })),
      curriculum: answers.curriculum,
    },
    // The assistant's own words, and the curricula as they are shipped.
    templates: ["soul.md", ...answers.curriculum.map((name) => `curriculum/${name}`)],
    apply,
    replace,
  };
}

/** Whether anything was answered yet. */
export function begun(answers: Answers): boolean {
  const { write: _t, ...teacher } = answers.teacher;
  const { write: _p, ...pedagogy } = answers.pedagogy;
  const some = (value: unknown): boolean => (Array.isArray(value) ? value.some(some) : typeof value === "string" && value.trim() !== "");
  return Object.values(teacher).some(some) || Object.values(pedagogy).some(some) || answers.curriculum.length > 0 || answers.classes.length > 0;
}

const isList = (value: unknown): value is string[] => Array.isArray(value) && value.every((it) => typeof it === "string");
const object = (value: unknown): Record<string, unknown> => (typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {});

function like<T extends Record<string, unknown>>(pattern: T, value: unknown): T {
  const found = object(value);
  const entries = Object.entries(pattern).map(([key, fallback]) => {
    const it = found[key];
    if (Array.isArray(fallback)) return [key, isList(it) ? it : fallback];
    return [key, typeof it === typeof fallback ? it : fallback];
  });
  return Object.fromEntries(entries) as T;
}

/** Answers that were kept; what does not fit is left out. */
export function revived(text: string | null): Answers {
  const blank = empty();
  let value: Record<string, unknown>;
  try {
    value = object(JSON.parse(text ?? "null"));
  } catch {
    return blank;
  }
  const classes = Array.isArray(value["classes"]) ? value["classes"] : [];
  return {
    step: typeof value["step"] === "number" ? Math.min(Math.max(0, Math.floor(value["step"])), STEPS.length - 1) : 0,
    teacher: like(blank.teacher, value["teacher"]),
    pedagogy: like(blank.pedagogy, value["pedagogy"]),
    curriculum: isList(value["curriculum"]) ? value["curriculum"] : [],
    classes: classes.map((it, index) => {
      const needs = object(it)["needs"];
      return {
        ...like({ ...newClass(`kept-${index}`), needs: [] as never[] }, it),
        key: `kept-${index}`,
        needs: (Array.isArray(needs) ? needs : []).map((need) => like({ group: "", need: "", support: "" }, need)),
      };
    }),
  };
}
