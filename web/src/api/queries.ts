// What is asked of the server, with its place in the cache. Features add their own beside themselves.
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { act, ask, PLANNING, type Plugin } from "./actions";
import { call, pathOf } from "./client";
import { ApiError } from "./errors";
import type { Command, FileNode, FileText, FlowLine, LessonDocument, Me, MemoryFile, SectionAudience, SessionDetail, SignIn, Start, Waiting } from "./types";

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // Calls without an answer were tried several times already.
        retry: (count, error) => count < 2 && error instanceof ApiError && error.status >= 500,
        refetchOnWindowFocus: true,
      },
    },
  });
}

export const me = queryOptions({ queryKey: ["me"], queryFn: ({ signal }) => call<Me>("/me", { signal }), staleTime: 60_000 });
export const signIns = queryOptions({ queryKey: ["sign-ins"], queryFn: ({ signal }) => call<SignIn[]>("/me/sign-ins", { signal }), staleTime: 0 });
export const commands = queryOptions({
  queryKey: ["commands"],
  queryFn: ({ signal }) => call<Command[]>("/commands", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
/** The flows whose sessions are opened by access codes. */
export const flows = queryOptions({
  queryKey: ["flows"],
  queryFn: ({ signal }) => call<FlowLine[]>("/flows", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});
export const plugins = queryOptions({ queryKey: ["plugins"], queryFn: ({ signal }) => call<Plugin[]>("/plugins", { signal }), staleTime: 60_000 });
export const start = queryOptions({
  queryKey: ["start"],
  queryFn: ({ signal }) => ask<Start>(PLANNING, "beginnings", signal),
});
export const waiting = queryOptions({ queryKey: ["waiting"], queryFn: ({ signal }) => call<Waiting[]>("/waiting", { signal }) });
export const files = queryOptions({ queryKey: ["files"], queryFn: ({ signal }) => call<FileNode>("/files", { signal }) });

export const memory = queryOptions({
  queryKey: ["memory"],
  queryFn: ({ signal }) => call<MemoryFile[]>("/memory", { signal }),
  // Runs write to it, also those that no page of this tab follows: who comes to look is shown what there is now.
  staleTime: 0,
});

export const file = (path: string) =>
  queryOptions({ queryKey: ["file", path], queryFn: ({ signal }) => call<FileText>(`/files/${pathOf(path)}`, { signal }) });

export const session = (id: string) =>
  queryOptions({ queryKey: ["session", id], queryFn: ({ signal }) => call<SessionDetail>(`/sessions/${pathOf(id)}`, { signal }) });

/** The lesson of a session as the server reads it; `version` is the number of the record that it stands in. */
export const lesson = (id: string, version = 0) =>
  queryOptions({
    queryKey: ["document", id, String(version)],
    queryFn: ({ signal }) => call<LessonDocument>(`/sessions/${pathOf(id)}/document`, { signal }),
    // While the newest is fetched, what was known of this lesson stays.
    placeholderData: (last, query) => (query?.queryKey[1] === id ? last : undefined),
  });

/** For whom the sections of a lesson are. */
export const audiences = (markdown: string | null) =>
  queryOptions({
    queryKey: ["audiences", markdown],
    queryFn: async ({ signal }) => (await act<{ sections: SectionAudience[] }>(PLANNING, "document", { arguments: { markdown } }, signal)).result.sections,
    enabled: markdown !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // While those of a newer text are asked for, the headings that stayed keep theirs.
    placeholderData: (last) => last,
  });
