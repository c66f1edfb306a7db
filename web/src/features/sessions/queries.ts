import { infiniteQueryOptions, type InfiniteData, type QueryClient } from "@tanstack/react-query";
import { call, pathOf, queryOf } from "@/api/client";
import type { JournalRecord, RunStarted, SessionPage } from "@/api/types";
import { range } from "@/lib/days";
import type { Filters } from "./list";

/** Rows that are fetched at a time. */
const PAGE = 60;
const LOOK_AGAIN_MS = 8_000;
const KEY = ["sessions"];

export const list = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: [...KEY, filters],
    queryFn: ({ pageParam, signal }) =>
      call<SessionPage>(`/sessions${queryOf({ q: filters.q, subject: filters.class, ...range(filters), after: pageParam, limit: PAGE })}`, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next ?? undefined,
    // While something is being worked on, how it stands is looked at again.
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.sessions.some((row) => row.state === "running")) ? LOOK_AGAIN_MS : false),
    // What was found stays in view while the next letters are looked for.
    placeholderData: (before) => before,
  });

const again = (client: QueryClient) => client.invalidateQueries({ queryKey: KEY });

export async function rename(client: QueryClient, id: string, title: string): Promise<void> {
  await call(`/sessions/${pathOf(id)}`, { method: "PATCH", body: { title } });
  await Promise.all([again(client), client.invalidateQueries({ queryKey: ["session", id] })]);
}

/** Takes a row out of every list at once, before the server is asked. */
function hide(client: QueryClient, id: string): void {
  client.setQueriesData<InfiniteData<SessionPage>>({ queryKey: KEY }, (data) =>
    data ? { ...data, pages: data.pages.map((page) => ({ ...page, sessions: page.sessions.filter((row) => row.id !== id) })) } : data,
  );
}

export async function remove(client: QueryClient, id: string): Promise<void> {
  await client.cancelQueries({ queryKey: KEY });
  hide(client, id);
  try {
    await call(`/sessions/${pathOf(id)}`, { method: "DELETE" });
  } finally {
    await Promise.all([again(client), client.invalidateQueries({ queryKey: ["waiting"] })]);
  }
}

export async function restore(client: QueryClient, id: string): Promise<void> {
  await call(`/sessions/${pathOf(id)}/restore`, { method: "POST" });
  await Promise.all([again(client), client.invalidateQueries({ queryKey: ["waiting"] })]);
}

export const goOn = (run: string) => call<RunStarted>(`/runs/${pathOf(run)}/resume`, { method: "POST" });
export const fork = (id: string, at: number) => call<RunStarted>(`/sessions/${pathOf(id)}/fork`, { method: "POST", body: { at } });

/** Records that are fetched at a time, and most pages that are looked through for questions. */
const RECORDS = 1_000;
const PAGES_MAX = 20;

export type Point = { seq: number; at_ms: number; title: string };

/** The questions that a session asked: from each of them one can go another way. */
export async function points(id: string, signal: AbortSignal): Promise<Point[]> {
  const found: Point[] = [];
  let after = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const records = await call<JournalRecord[]>(`/sessions/${pathOf(id)}/records${queryOf({ after, limit: RECORDS })}`, { signal });
    for (const record of records) {
      if (record.type === "request.made" && record.request.kind === "ask") {
        found.push({ seq: record.seq, at_ms: record.at_ms, title: record.request.question.title });
      }
    }
    const last = records.at(-1);
    if (!last || records.length < RECORDS) break;
    after = last.seq;
  }
  return found;
}
