// The one event stream of a tab. It follows one session's journal, resumes after sleep, reload or a dropped connection by
// the number of the last record, waits longer after each failure, and closes while the tab is hidden.
import { parseRecord } from "./record";
import { SseReader, type SseEvent } from "./sse";
import type { JournalRecord } from "./types";

export type StreamEvents = {
  record: JournalRecord;
  delta: { run: string; text: string };
  restarted: { run: string };
  starting: { run: string; kind: "component" | "hook" | "model" | "tools"; names: string[] };
  notice: { text: string };
  waiting: { count: number };
  files: { paths: string[] };
};
export type StreamStatus = "idle" | "connecting" | "open" | "waiting" | "closed";
type Listener<K extends keyof StreamEvents> = (event: StreamEvents[K], session: string | null) => void;

/** First and longest wait before the next try. */
const BACKOFF_MS = 500;
const BACKOFF_MS_MAX = 15_000;
/** The server beats every 15 seconds: a stream that is silent for longer than this is dead. */
const SILENCE_MS_MAX = 40_000;
/** How long a tab may be hidden before its stream is closed. */
const HIDDEN_MS = 60_000;

/** The wait before try `n`, a little different for each tab, so that a restarted server is not asked by all at once. */
export function backoff(attempt: number, random = Math.random()): number {
  return Math.min(BACKOFF_MS * 2 ** attempt, BACKOFF_MS_MAX) * (0.75 + random / 2);
}

export class EventStream {
  private listeners = new Map<string, Set<(event: never, session: string | null) => void>>();
  private statusListeners = new Set<() => void>();
  private session: string | null = null;
  private after = 0;
  private abort: AbortController | null = null;
  private attempt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private silence: ReturnType<typeof setTimeout> | undefined;
  private hidden: ReturnType<typeof setTimeout> | undefined;
  status: StreamStatus = "idle";

  constructor(private readonly get: typeof fetch = (...args) => fetch(...args)) {}

  on<K extends keyof StreamEvents>(name: K, listener: Listener<K>): () => void {
    const set = this.listeners.get(name) ?? new Set();
    this.listeners.set(name, set);
    set.add(listener as (event: never, session: string | null) => void);
    return () => set.delete(listener as (event: never, session: string | null) => void);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  };

  readonly getStatus = (): StreamStatus => this.status;

  /** Follows this session from behind `after`, or with no session only what concerns the teacher. */
  follow(session: string | null, after = 0): void {
    if (this.status !== "idle" && session === this.session) return;
    this.session = session;
    this.after = after;
    this.attempt = 0;
    this.connect();
  }

  /** Tries at once where it was waiting to try again. */
  wake(): void {
    if (this.status !== "waiting" && this.status !== "closed") return;
    this.attempt = 0;
    this.connect();
  }

  close(): void {
    this.drop();
    this.set("idle");
  }

  /** Follows the visibility of the tab. Gives back how to stop doing so. */
  watchVisibility(page: Document): () => void {
    const changed = () => {
      clearTimeout(this.hidden);
      if (page.visibilityState === "visible") this.wake();
      else this.hidden = setTimeout(() => this.sleep(), HIDDEN_MS);
    };
    page.addEventListener("visibilitychange", changed);
    return () => page.removeEventListener("visibilitychange", changed);
  }

  private sleep(): void {
    if (this.status === "idle") return;
    this.drop();
    this.set("closed");
  }

  private set(status: StreamStatus): void {
    if (this.status === status) return;
    this.status = status;
    for (const listener of this.statusListeners) listener();
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    this.abort?.abort();
    this.abort = null;
  }

  private connect(): void {
    this.drop();
    const abort = new AbortController();
    this.abort = abort;
    this.set("connecting");
    void this.read(abort).then(
      () => this.again(abort, null),
      (error: unknown) => this.again(abort, error),
    );
  }

  private address(): string {
    const query = new URLSearchParams();
    if (this.session) {
      query.set("session", this.session);
      query.set("after", String(this.after));
    }
    const text = query.toString();
    return text === "" ? "/api/events" : `/api/events?${text}`;
  }

  private async read(abort: AbortController): Promise<void> {
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (this.session && this.after > 0) headers["Last-Event-ID"] = String(this.after);
    this.alive(abort);
    const response = await this.get(this.address(), { headers, signal: abort.signal, credentials: "same-origin", cache: "no-store" });
    if (response.status === 401 || response.status === 403) throw new Refused();
    if (!response.ok || !response.body) throw new Error(`the event stream answered with ${response.status}`);
    this.attempt = 0;
    this.set("open");
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const events = new SseReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || abort.signal.aborted) return;
      this.alive(abort);
      for (const event of events.push(value)) this.take(event);
    }
  }

  private alive(abort: AbortController): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => abort.abort(), SILENCE_MS_MAX);
  }

  private take(event: SseEvent): void {
    let data: unknown;
    try {
      data = event.event === "record" ? parseRecord(event.data) : JSON.parse(event.data);
    } catch {
      return;
    }
    if (event.event === "record") {
      const { seq } = data as JournalRecord;
      // A record that was seen already is not news: streams and lists may overlap.
      if (seq <= this.after) return;
      this.after = seq;
    }
    for (const listener of this.listeners.get(event.event) ?? []) listener(data as never, this.session);
  }

  private again(abort: AbortController, error: unknown): void {
    if (this.abort !== abort) return;
    clearTimeout(this.silence);
    if (error instanceof Refused) {
      this.set("idle");
      return;
    }
    this.set("waiting");
    this.timer = setTimeout(() => this.connect(), backoff(this.attempt));
    this.attempt += 1;
  }
}

/** Nobody is signed in, or somebody whom the stream is not for: asking again would change nothing. */
class Refused extends Error {}

/** The stream of this tab. */
export const stream = new EventStream();
