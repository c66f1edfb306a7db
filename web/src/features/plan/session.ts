// A session as it stands and goes on: its journal from the event stream, and what is being written at this moment.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { session as sessionQuery } from "@/api/queries";
import { stream, type StreamEvents } from "@/api/stream";
import type { JournalRecord, SessionDetail } from "@/api/types";
import { reduce, reduceShared } from "./model/reduce";
import { EMPTY, type View } from "./model/view";
import { checkWords } from "./model/words";

/** What is going on between two records. It is shown and forgotten: the journal keeps what comes of it. */
export type Live = { run: string | null; text: string; activity: string | null; notice: string | null };
const QUIET: Live = { run: null, text: "", activity: null, notice: null };

/** Records and pieces of text that come within this time are shown together. */
const FLUSH_MS = 40;
/** Most characters of an answer that are kept while it is written; the record brings the whole. */
const LIVE_MAX = 2_000_000;
/** Sessions that are kept, so that going back to one is at once. */
const KEPT_MAX = 6;

function starting({ kind, names }: StreamEvents["starting"]): string {
  if (kind === "hook") return checkWords(names[0] ?? "");
  if (kind === "model") return "Thinking it through";
  return kind === "component" ? "Getting ready" : "Reading";
}

export class SessionStore {
  view: View = EMPTY;
  live: Live = QUIET;
  private records: JournalRecord[] = [];
  private text: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private listeners = new Set<() => void>();
  private based = false;

  constructor(readonly id: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly getView = (): View => this.view;
  readonly getLive = (): Live => this.live;

  /** Puts the past that a fork shares before the session's own. */
  base(shared: readonly JournalRecord[]): void {
    if (this.based) return;
    this.based = true;
    if (shared.length > 0) this.view = reduceShared(shared);
  }

  record(record: JournalRecord): void {
    this.records.push(record);
    this.later();
  }

  delta({ run, text }: StreamEvents["delta"]): void {
    if (this.live.run !== run) this.live = { ...this.live, run, text: "" };
    this.text.push(text);
    this.later();
  }

  starting(event: StreamEvents["starting"]): void {
    this.live = { ...this.live, activity: starting(event) };
    this.later();
  }

  /** An answer broke off and is asked for again: what had come does not count. */
  restarted(): void {
    this.text = [];
    this.live = { ...this.live, text: "" };
    this.later();
  }

  notice({ text }: StreamEvents["notice"]): void {
    this.live = { ...this.live, notice: text };
    this.later();
  }

  private later(): void {
    this.timer ??= setTimeout(() => this.flush(), FLUSH_MS);
  }

  private flush(): void {
    this.timer = undefined;
    if (this.records.length > 0) {
      const records = this.records;
      this.records = [];
      this.view = reduce(this.view, records);
      if (records.some(endsAnswer)) {
        this.text = [];
        this.live = { ...QUIET, notice: this.view.phase === "working" ? this.live.notice : null };
      } else {
        this.live = { ...this.live, activity: null };
      }
    }
    if (this.text.length > 0 && this.live.text.length < LIVE_MAX) {
      this.live = { ...this.live, text: this.live.text + this.text.join("") };
    }
    this.text = [];
    for (const listener of this.listeners) listener();
  }
}

function endsAnswer({ type }: JournalRecord): boolean {
  return type === "model.answered" || type === "model.failed" || type === "model.partial" || type === "run.finished" || type === "run.parked";
}

const stores = new Map<string, SessionStore>();

export function storeOf(id: string): SessionStore {
  const store = stores.get(id) ?? new SessionStore(id);
  stores.delete(id);
  stores.set(id, store);
  for (const oldest of stores.keys()) {
    if (stores.size <= KEPT_MAX) break;
    stores.delete(oldest);
  }
  return store;
}

/** Sends what the stream brings to the session that it follows. */
function connectStores(): () => void {
  const to = (session: string | null) => (session ? stores.get(session) : undefined);
  const ends = [
    stream.on("record", (record, session) => to(session)?.record(record)),
    stream.on("delta", (event, session) => to(session)?.delta(event)),
    stream.on("restarted", (_, session) => to(session)?.restarted()),
    stream.on("starting", (event, session) => to(session)?.starting(event)),
    stream.on("notice", (event, session) => to(session)?.notice(event)),
  ];
  return () => ends.forEach((end) => end());
}

export type SessionState = { store: SessionStore; view: View; detail: SessionDetail | undefined; loading: boolean; error: unknown };

/** Follows a session while it is shown. */
export function useSession(id: string): SessionState {
  const store = storeOf(id);
  const view = useSyncExternalStore(store.subscribe, store.getView);
  const { data: detail, error } = useQuery(sessionQuery(id));
  useEffect(connectStores, []);
  useEffect(() => () => stream.follow(null), []);
  useEffect(() => {
    // The past that a fork shares comes first: until it is known nothing is read.
    if (!detail || detail.session.id !== id) return;
    store.base(detail.shared);
    stream.follow(id, store.view.seq);
  }, [id, detail, store]);
  const loading = !error && (detail === undefined || view.seq < detail.last_seq);
  return { store, view, detail, loading, error };
}

export function useLive(store: SessionStore): Live {
  return useSyncExternalStore(store.subscribe, store.getLive);
}
