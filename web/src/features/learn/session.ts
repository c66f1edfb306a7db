// A session as the page follows it: opened by its code, spoken to, and looked at again whenever the page comes back to sight.
import { newKey } from "@/api/client";
import { ApiError } from "@/api/errors";
import * as calls from "./calls";
import type { Link } from "./code";
import { exchanged, linesOf, type Line } from "./conversation";

/** How often it is looked whether the tutor has spoken by itself, in milliseconds; and while there is no connection. */
const LOOK_MS = 30_000;
/** While nobody is waited for, so that whoever opened the page again in the middle of an answer sees it soon. */
const SOON_MS = 1_000;
const AGAIN_MS = 5_000;
/** How often, and how long apart, words are sent again while the tutor is still at work on those before. */
const BUSY_TRIES = 30;
const BUSY_MS = 1_000;

export type State = {
  stage: "opening" | "asks-topic" | "shut" | "open";
  standing: calls.Standing | null;
  lines: Line[];
  /** Whether there are lines before these. */
  earlier: boolean;
  /** How many of the lines stood there when the page was opened; null where the session began here. */
  resumed: number | null;
  /** What was sent and is not answered yet. */
  saying: string | null;
  /** What was sent last and has arrived: it need not stay in the field. */
  arrived: { text: string } | null;
  offline: boolean;
  error: unknown;
  /** What the tutor has said since the page was opened and the learner last spoke. */
  fresh: Line[];
};

const START: State = {
  stage: "opening",
  standing: null,
  lines: [],
  earlier: false,
  resumed: null,
  saying: null,
  arrived: null,
  offline: false,
  error: null,
  fresh: [],
};

/** Errors after which the code opens nothing here. */
const shuts = (error: unknown): boolean => error instanceof ApiError && (error.status === 401 || error.code === "store.not_found");
const unanswered = (error: unknown): boolean => error instanceof ApiError && error.status === 0;
const STALE = new ApiError(409, "message.stale", "The session has gone on since you wrote this.", "Look at what is new. Your words are still in the field.");

/** An error as somebody is told it who can do nothing about programs and providers. */
function plain(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error.code === STALE.code) return STALE;
  if (error.status < 500) return error;
  return new ApiError(error.status, error.code, "The tutor could not answer just now.", "Your words are still in the field. Send them again in a moment.");
}
const codeOf = (error: unknown): string => (error instanceof ApiError ? error.code : "");

type Sent = { text: string; after: number; key: string };

export class Session {
  private state = START;
  private readonly listeners = new Set<() => void>();
  private opened: calls.Opened | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private busy = false;
  /** The look that is under way, or the last one: what somebody says waits for it. */
  private looking: Promise<void> = Promise.resolve();
  /** The last words, with the key under which they are said once, however often they are sent. */
  private sent: Sent | null = null;
  private stopped = true;

  constructor(private readonly link: Link) {}

  readonly getState = (): State => this.state;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private set(patch: Partial<State>): void {
    this.state = { ...this.state, ...patch };
    for (const listener of this.listeners) listener();
  }

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Opens the session, or looks whether it has gone on since. */
  readonly look = (): Promise<void> => {
    if (!this.busy && !this.stopped && this.state.saying === null) this.looking = this.looked();
    return this.looking;
  };

  private async looked(): Promise<void> {
    clearTimeout(this.timer);
    this.busy = true;
    try {
      const { standing } = this.state;
      if (standing) await this.news(standing);
      else await this.open();
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
      this.later();
    }
  }

  private later(): void {
    clearTimeout(this.timer);
    const over = this.state.stage === "shut" || this.state.stage === "asks-topic" || this.state.standing?.ended != null;
    const { offline, standing } = this.state;
    const nobody = standing != null && standing.waits_for !== "learner" && standing.waits_for !== "teacher";
    const wait = offline ? AGAIN_MS : nobody ? SOON_MS : LOOK_MS;
    if (!this.stopped && (offline || !over)) this.timer = setTimeout(() => void this.look(), wait);
  }

  private async open(): Promise<void> {
    this.opened = await calls.opened(this.link.code);
    this.set({ offline: false, error: null });
    if (this.opened.session_id) await this.load(this.opened, this.opened.session_id, true);
    else if (this.link.topic) await this.begun(this.link.topic);
    else this.set({ stage: "asks-topic" });
  }

  private async begun(text: string): Promise<void> {
    if (!this.opened) return;
    this.sent = this.sent?.text === text ? this.sent : { text, after: 0, key: newKey() };
    try {
      const standing = await calls.begin(this.link.code, this.opened, text, this.sent.key);
      await this.load(this.opened, standing.session_id, false);
    } catch (error) {
      // Where it was refused there is another beginning; the topic can be put in other words.
      if (!unanswered(error)) this.set({ stage: "asks-topic" });
      throw error;
    }
  }

  /** Begins with this topic. */
  readonly begin = async (text: string): Promise<void> => {
    if (this.state.saying !== null) return;
    this.set({ saying: text, error: null });
    await this.looking;
    this.busy = true;
    try {
      await this.begun(text);
    } catch (error) {
      this.failed(error);
    } finally {
      this.busy = false;
      this.set({ saying: null });
      this.later();
    }
  };

  private async load(opened: calls.Opened, session: string, first: boolean): Promise<void> {
    const { code } = this.link;
    const [standing, conversation] = await Promise.all([calls.status(code, opened, session), calls.conversation(code, opened, session)]);
    const lines = linesOf(conversation.parts);
    const before = this.state.standing?.after ?? (first ? Infinity : 0);
    const fresh = linesOf(conversation.parts.filter((it) => it.seq > before)).filter((it) => it.by === "tutor");
    const spoke = conversation.parts.some((it) => it.text !== undefined);
    const { sent } = this;
    const arrived = sent && conversation.parts.some((it) => it.text === sent.text && it.seq > sent.after) ? { text: sent.text } : this.state.arrived;
    const resumed = first && spoke ? lines.length : this.state.resumed;
    this.set({ stage: "open", standing, lines, earlier: conversation.earlier, resumed, arrived, offline: false, error: null, fresh });
  }

  private async news(standing: calls.Standing): Promise<void> {
    if (!this.opened) return;
    const now = await calls.status(this.link.code, this.opened, standing.session_id);
    if (now.after !== standing.after || now.ended !== standing.ended) await this.load(this.opened, standing.session_id, false);
    else if (this.state.offline || now.waits_for !== standing.waits_for) this.set({ standing: now, offline: false });
  }

  /** Says something. What could not be sent is not lost: the field keeps it. */
  readonly say = async (text: string): Promise<void> => {
    const { standing, saying } = this.state;
    if (saying !== null || !standing || !this.opened || text.trim() === "") return;
    this.set({ saying: text, error: null });
    // It answers what was seen when it was written: where the session turns out to have gone on, that is told.
    await this.looking;
    this.busy = true;
    clearTimeout(this.timer);
    const again = this.sent?.text === text && this.sent.after === standing.after;
    this.sent = again && this.sent ? this.sent : { text, after: standing.after, key: newKey() };
    try {
      const answer = await this.stepped(this.opened, standing.session_id, this.sent);
      const lines = exchanged(answer.after, text, answer.messages, Date.now());
      const fresh = lines.filter((it) => it.by === "tutor");
      this.set({ standing: await this.whole(this.opened, answer), lines: [...this.state.lines, ...lines], fresh, arrived: { text }, offline: false });
    } catch (error) {
      await this.unsaid(error, this.opened, standing.session_id);
    } finally {
      this.busy = false;
      this.set({ saying: null });
      this.later();
    }
  };

  /** What a flow answers need not be all that it shows of itself; what it shows is asked for, and missing it loses nothing. */
  private async whole(opened: calls.Opened, answer: calls.Standing): Promise<calls.Standing> {
    try {
      const { after, messages } = answer;
      return { ...(await calls.status(this.link.code, opened, answer.session_id)), after, messages };
    } catch {
      return { ...this.state.standing, ...answer };
    }
  }

  private async stepped(opened: calls.Opened, session: string, sent: Sent): Promise<calls.Standing> {
    for (let tries = 1; ; tries += 1) {
      try {
        const { text, after } = sent;
        return await calls.step(this.link.code, opened, session, { text, after }, sent.key);
      } catch (error) {
        if (codeOf(error) !== "session.busy" || tries >= BUSY_TRIES) throw error;
        // Nothing was done under this key, and whoever sent it again would be told so again.
        sent.key = newKey();
        await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      }
    }
  }

  /** Words that were not taken: the session may have gone on, with them or without. */
  private async unsaid(error: unknown, opened: calls.Opened, session: string): Promise<void> {
    if (["message.stale", "run.not_listening", "run.finished"].includes(codeOf(error))) {
      try {
        this.set({ arrived: null });
        await this.load(opened, session, false);
        if (!this.state.arrived && this.state.standing?.ended == null) this.set({ error: plain(error) });
        return;
      } catch (second) {
        return this.failed(second);
      }
    }
    this.failed(error);
  }

  private failed(error: unknown): void {
    const offline = unanswered(error);
    this.set({ offline, error: offline ? null : plain(error), ...(shuts(error) ? { stage: "shut" as const } : {}) });
  }

  /** Lines before those that are there. */
  readonly older = async (): Promise<void> => {
    const { standing, lines } = this.state;
    const before = Math.min(...lines.map((line) => line.seq ?? Infinity));
    if (!standing || !this.opened || !Number.isFinite(before)) return;
    try {
      const found = await calls.conversation(this.link.code, this.opened, standing.session_id, before);
      const older = linesOf(found.parts);
      const resumed = this.state.resumed === null ? null : this.state.resumed + older.length;
      this.set({ lines: [...older, ...this.state.lines], earlier: found.earlier, resumed });
    } catch (error) {
      this.failed(error);
    }
  };
}
