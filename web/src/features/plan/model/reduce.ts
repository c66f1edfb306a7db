// Journal in, view out: one pure function. The view before is never changed; a batch of records copies each list once,
// so that ten thousand records cost as little as they must.
import type { HookFinished, JournalRecord, ModelAnswered, Question, RequestAnswered, RequestMade, RunFinished, RunStarted, ToolFinished, ToolStarted } from "@/api/events";
import { isLesson, pieces } from "@/features/document/outline";
import { EMPTY, themeOf, type Entry, type Lesson, type QuestionEntry, type Run, type Step, type View, type WorkEntry } from "./view";
import { head, spend } from "./record";
import { endingWords, hookWords, memoryName, oneLine, toolWords, workingWords } from "./words";

/** Takes records into the view. Records that were taken in already, and kinds that nobody knows here, change nothing. */
export function reduce(view: View, records: readonly JournalRecord[]): View {
  const fresh = records.filter((record) => record.seq > view.seq);
  if (fresh.length === 0) return view;
  const draft = new Draft(view);
  for (const record of fresh) draft.take(record);
  return draft.view;
}

/** The view of a past that a fork shares, with the numbers of its own records still to come. */
export function reduceShared(records: readonly JournalRecord[]): View {
  const view = reduce(EMPTY, records);
  // What it cost was paid where it happened.
  const runs = view.runs.map((run) => ({ ...run, cost: 0, tokens: 0 }));
  return { ...view, runs, seq: 0 };
}

type Writable = { -readonly [K in keyof View]: View[K] extends readonly (infer T)[] ? T[] : View[K] };

class Draft {
  readonly view: Writable;
  /** Entries and runs that belong to this batch and may be changed in place. */
  private readonly own = new Set<object>();

  constructor(view: View) {
    this.view = { ...view, entries: [...view.entries], runs: [...view.runs], tasks: [...view.tasks], drafts: [...view.drafts], findings: [...view.findings] };
  }

  take(record: JournalRecord): void {
    this.view.seq = record.seq;
    switch (record.type) {
      case "run.started":
        return this.started(record, record);
      case "run.forked":
        return this.forked(record, record.start);
      case "prompt.corrected":
        return this.corrected(record, record.corrections.length);
      case "hook.finished":
        return this.checked(record, record);
      case "request.made":
        return this.asked(record, record);
      case "question.item_decided":
        return this.question(record.hash, (entry) => {
          entry.decided = { ...entry.decided, [record.decision.item]: record.decision };
        });
      case "request.answered":
        return this.told(record, record);
      case "model.called":
        this.run(record.run, (run) => {
          run.turns = Math.max(run.turns, record.turn);
        });
        return this.working("Thinking it through");
      case "model.answered":
        return this.answered(record, record);
      case "model.partial":
        return this.run(record.run, (run) => spend(run, record.cost_usd, record.usage));
      case "model.failed":
        this.view.phase = "failed";
        this.view.activity = null;
        return this.push({ ...head(record), kind: "problem", code: record.error.code, message: record.error.message, hint: record.error.hint || null });
      case "tool.started":
        return this.toolStarted(record, record);
      case "tool.finished":
        return this.toolFinished(record, record);
      case "tool.settled":
        // A call that was refused changed nothing, whatever its tool said.
        if (record.refused_by) this.toolFinished(record, record);
        return;
      case "tasks.replaced":
        this.view.tasks = record.tasks;
        return;
      case "writes.done":
        for (const reason of record.refused ?? []) this.step(record, { seq: record.seq, text: "Did not write a file that was changed meanwhile", detail: reason, state: "problem" });
        return;
      case "memory.written":
        return this.remembered(record);
      case "run.parked":
        return this.parked(record.reason);
      case "run.resumed":
        return this.working(null);
      case "run.finished":
        return this.finished(record, record);
      default:
        return;
    }
  }

  private started(record: JournalRecord, start: RunStarted): void {
    const run: Run = {
      id: record.run,
      plugin: start.plugin,
      command: start.command,
      agent: start.agent,
      input: start.input,
      subject: start.subject?.id ?? null,
      provider: start.provider,
      model: start.model,
      budget: start.limits.max_budget_usd ?? null,
      started: record.at_ms,
      ended: null,
      turns: 0,
      cost: 0,
      tokens: 0,
      estimated: false,
      round: 0,
      status: null,
      saved: null,
    };
    this.own.add(run);
    this.view.runs.push(run);
    this.view.tasks = [];
    this.view.open = null;
    this.push({ ...head(record), kind: "request", text: start.input, command: start.command, from: "start" });
    this.working("Getting ready");
  }

  /** The last run goes on under another name: its lesson, its open question and its tasks are this one's. */
  private forked(record: JournalRecord, start: RunStarted): void {
    const index = this.view.runs.length - 1;
    const before = this.view.runs[index];
    if (!before) return this.started(record, start);
    this.view.runs[index] = { ...before, id: record.run, input: start.input, provider: start.provider, model: start.model, ended: null, status: null, saved: null };
    if (this.view.lesson?.run === before.id) this.view.lesson = { ...this.view.lesson, run: record.run, final: false };
    const open = this.view.entries.findIndex((entry) => entry.key === this.view.open);
    const entry = this.view.entries[open];
    const text = start.input === before.input ? "" : start.input;
    const note: Entry = { ...head(record), kind: "request", text, command: start.command, from: "fork" };
    this.own.add(note);
    // The question that is open comes last: it is what there is to do.
    if (entry?.kind === "question") this.view.entries.splice(open, 1, note, { ...entry, run: record.run });
    else this.view.entries.push(note);
    this.working("Getting ready");
  }

  private corrected(record: JournalRecord, corrections: number): void {
    const what = corrections === 1 ? "What you changed counts" : `Your ${corrections} changes count`;
    this.step(record, { seq: record.seq, text: `${what} for this lesson; your files stay as they are`, state: "done" });
  }

  private checked(record: JournalRecord, hook: HookFinished): void {
    if (hook.point === "post-loop") {
      this.view.findings = [...this.view.findings, ...hook.findings];
      const { verdict } = hook;
      if (verdict.verdict === "modify" && verdict.change === "output" && this.view.lesson) {
        this.view.lesson = { ...this.view.lesson, text: verdict.output, seq: record.seq };
      }
    }
    const words = hookWords(hook);
    if (!words) return;
    const step: Step = { seq: record.seq, text: words.text, state: words.problem ? "problem" : "done" };
    if (words.detail) step.detail = words.detail;
    this.step(record, step);
  }

  private asked(record: JournalRecord, { request, hash, by }: RequestMade): void {
    // What a component asks a model or another tool is none of the person's business.
    if (request.kind !== "ask") return;
    const { question } = request;
    const theme = themeOf(question);
    const entry: QuestionEntry = {
      ...head(record),
      kind: "question",
      hash,
      asker: by,
      theme,
      question,
      decided: {},
      outcome: null,
      by: null,
      before: this.before(question, theme),
    };
    this.push(entry);
    this.view.open = entry.key;
    this.view.phase = "asking";
    this.view.activity = null;
  }

  private told(record: JournalRecord, { answer, hash }: RequestAnswered): void {
    if (answer.kind === "model") this.run(record.run, (run) => spend(run, answer.cost_usd, answer.usage));
    if (answer.kind !== "ask") return;
    this.question(hash, (entry) => {
      entry.outcome = answer.outcome;
      entry.by = answer.answered_by;
    });
    this.view.open = null;
    this.working(null);
  }

  /** What stood in the draft before, for the sections that a question is about. */
  private before(question: Question, theme: QuestionEntry["theme"]): Record<string, string> {
    const earlier = this.view.drafts[this.view.drafts.length - 1];
    if (!earlier || (theme !== "sections" && theme !== "alternatives")) return {};
    const texts = new Map(pieces(earlier.text).map((piece) => [piece.id, piece.text]));
    if (question.kind === "choice") {
      const present = texts.get(question.id.slice(question.id.indexOf(":") + 1));
      return present === undefined ? {} : { "": present };
    }
    if (question.kind !== "items") return {};
    const found: Record<string, string> = {};
    for (const item of question.items) {
      const text = texts.get(item.id);
      if (text !== undefined && text.trim() !== item.detail.trim()) found[item.id] = text;
    }
    return found;
  }

  private answered(record: JournalRecord, { answer }: ModelAnswered): void {
    this.run(record.run, (run) => spend(run, answer.cost_usd ?? 0, answer.usage));
    this.view.activity = null;
    if ((answer.calls ?? []).length > 0 || !answer.text.trim()) return;
    if (!isLesson(answer.text)) return this.push({ ...head(record), kind: "reply", text: answer.text });
    const before = this.view.lesson;
    const same = before?.run === record.run;
    const round = same && before ? before.round + 1 : 0;
    if (before) this.view.drafts.push({ ...before, final: false });
    this.view.lesson = { run: record.run, text: answer.text, seq: record.seq, round, final: false };
    this.view.findings = [];
    this.run(record.run, (run) => {
      run.round = round;
    });
    this.push({ ...head(record), kind: "draft", round, seq: record.seq, text: answer.text });
  }

  private toolStarted(record: JournalRecord, { call }: ToolStarted): void {
    const words = toolWords(call);
    if (!words) return;
    this.step(record, { seq: record.seq, call: call.id, text: words, state: "running" });
    this.working(workingWords(words));
  }

  private toolFinished(record: JournalRecord, { result }: Pick<ToolFinished, "result">): void {
    const index = this.view.entries.findLastIndex((entry) => entry.kind === "work");
    const entry = this.view.entries[index];
    if (entry?.kind !== "work") return;
    const at = entry.steps.findLastIndex((step) => step.call === result.id);
    const step = entry.steps[at];
    if (!step) return;
    const own = this.owned(entry, index);
    own.until = record.at_ms;
    own.steps[at] = result.failed ? { ...step, state: "problem", detail: oneLine(result.text, 600) } : { ...step, state: "done" };
  }

  private remembered(record: JournalRecord & { type: "memory.written" }): void {
    const { change } = record;
    const where = memoryName(change.path).replace("what is remembered", "");
    if (change.change === "remembered") this.note(record, `Remembered${where}: ${oneLine(change.note.text)}`);
    if (change.change === "forgotten") this.note(record, `No longer remembered${where}: ${oneLine(change.text)}`);
  }

  private parked(reason: string): void {
    this.view.activity = null;
    if (reason === "interrupted") this.view.phase = "interrupted";
    else if (reason === "provider") this.view.phase = "failed";
    else this.view.phase = this.view.open ? "asking" : "interrupted";
  }

  private finished(record: JournalRecord, { status, saved, reason, output }: RunFinished): void {
    this.run(record.run, (run) => {
      run.ended = record.at_ms;
      run.status = status;
      run.saved = saved ?? null;
    });
    const own = this.view.lesson?.run === record.run ? this.view.lesson : null;
    if (output && isLesson(output)) {
      const lesson: Lesson = { run: record.run, text: output, seq: record.seq, round: own?.round ?? 0, final: status === "success" };
      if (!own && this.view.lesson) this.view.drafts.push({ ...this.view.lesson, final: false });
      this.view.lesson = lesson;
    }
    this.view.phase = "done";
    this.view.activity = null;
    this.view.open = null;
    // The reason begins with the name of the check that gave it; a person needs what comes after.
    const said = reason?.replace(/^[a-z][a-z0-9-]*: /, "");
    const why = status === "success" ? null : said || endingWords(status);
    this.push({ ...head(record), kind: "end", status, saved: saved ?? null, reason: why });
  }

  private working(activity: string | null): void {
    // A run that goes on to take an answer still asks.
    this.view.phase = this.view.open === null ? "working" : "asking";
    if (activity) this.view.activity = activity;
  }

  private note(record: JournalRecord, text: string): void {
    this.push({ ...head(record), kind: "note", text });
  }

  private push(entry: Entry): void {
    this.own.add(entry);
    this.view.entries.push(entry);
  }

  /** The list of steps that a step goes to: the last entry, or a new one. */
  private work(record: JournalRecord): WorkEntry {
    const index = this.view.entries.length - 1;
    const last = this.view.entries[index];
    if (last?.kind === "work" && last.run === record.run) {
      const own = this.owned(last, index);
      own.until = record.at_ms;
      return own;
    }
    const entry: WorkEntry = { ...head(record), kind: "work", steps: [], until: record.at_ms };
    this.push(entry);
    return entry;
  }

  private step(record: JournalRecord, step: Step): void {
    this.work(record).steps.push(step);
  }

  /** An entry that may be changed: a copy in its place, once for each batch. */
  private owned<T extends Entry>(entry: T, index: number): T {
    if (this.own.has(entry)) return entry;
    const copy = entry.kind === "work" ? { ...entry, steps: [...entry.steps] } : { ...entry };
    this.own.add(copy);
    this.view.entries[index] = copy;
    return copy as T;
  }

  /** Changes the newest question with this hash. */
  private question(hash: string, change: (entry: QuestionEntry) => void): void {
    for (let index = this.view.entries.length - 1; index >= 0; index -= 1) {
      const entry = this.view.entries[index];
      if (entry?.kind === "question" && entry.hash === hash) return change(this.owned(entry, index));
    }
  }

  private run(id: string, change: (run: Run) => void): void {
    const index = this.view.runs.findLastIndex((run) => run.id === id);
    const run = this.view.runs[index];
    if (!run) return;
    const own = this.own.has(run) ? run : { ...run };
    this.own.add(own);
    this.view.runs[index] = own;
    change(own);
  }
}
