import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call, pathOf, queryOf } from "@/api/client";
import { range } from "@/lib/days";
import type { Component, Replayed, ResearchRun, RunPage, Swapped, Trace } from "./types";

export type RunFilters = { class?: string; status?: string; from?: string; to?: string };
/** Runs that are fetched at a time; and at the most for one export. */
const PAGE = 100;
const EXPORT_MAX = 10_000;

const page = (filters: RunFilters, after: string, signal?: AbortSignal) =>
  call<RunPage>(`/research/runs${queryOf({ subject: filters.class, ...range(filters), after, limit: PAGE })}`, signal ? { signal } : {});

/** Whether a run ended in that way. The server does not sort this out. */
export const ended = (run: ResearchRun, status: string | undefined): boolean => status === undefined || run.status === status;

export const runs = ({ status: _, ...filters }: RunFilters) =>
  infiniteQueryOptions({
    queryKey: ["research", "runs", filters],
    queryFn: ({ pageParam, signal }) => page(filters, pageParam, signal),
    initialPageParam: "",
    getNextPageParam: (it) => it.next ?? undefined,
    placeholderData: (before) => before,
  });

/** All runs that the filters let through, up to a bound; says whether there were more. */
export async function allRuns(filters: RunFilters): Promise<{ runs: ResearchRun[]; more: boolean }> {
  const found: ResearchRun[] = [];
  let after = "";
  while (found.length < EXPORT_MAX) {
    const { runs: some, next } = await page(filters, after);
    found.push(...some.filter((run) => ended(run, filters.status)));
    if (!next) return { runs: found, more: false };
    after = next;
  }
  return { runs: found, more: true };
}

export const trace = (run: string) =>
  queryOptions({ queryKey: ["research", "trace", run], queryFn: ({ signal }) => call<Trace>(`/research/runs/${pathOf(run)}/trace`, { signal }) });

export const components = queryOptions({
  queryKey: ["research", "components"],
  queryFn: ({ signal }) => call<Component[]>("/research/components", { signal }),
  staleTime: 60_000,
});

export const replay = (run: string) => call<Replayed>(`/research/runs/${pathOf(run)}/replay`, { method: "POST" });
export const swap = (run: string, hook: string, component: string) =>
  call<Swapped>(`/research/runs/${pathOf(run)}/replay`, { method: "POST", body: { swap: { hook, component } } });

/** Hands a text to the browser to keep. */
export function keepText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
