// What a teacher asks about sessions that their access codes open.
import { queryOptions, type QueryClient } from "@tanstack/react-query";
import { call, pathOf, queryOf } from "@/api/client";
import type { RunRow, SessionDetail } from "@/api/types";
import type { Conversation, Standing } from "../learn/calls";
import type { Fields } from "../learn/progress";

/** How often it is looked again while somebody looks. */
const LOOK_AGAIN_MS = 10_000;
/** What the list needs of what a flow shows. */
const FIELDS = [
  ...["topic", "status", "alerts", "sectionHistory", "currentSection", "problem", "levels", "counts"],
  ...["study_plan", "current_step", "totals", "replan_count", "off_topic_rate", "duration_ms"],
].join(",");
const KEY = ["learners"];

export type Of = { plugin: string; flow: string };
export type CodeLine = { id: string; subject?: string | null; created_ms: number; expires_ms: number; revoked_ms?: number | null; session_id?: string | null; good: boolean };
export type GivenCode = { id: string; code: string; expires_ms: number; subject?: string | null };
export type Opened = {
  session_id: string;
  code: string;
  subject?: string | null;
  good: boolean;
  begun_ms: number;
  updated_ms: number;
  waits_for: string | null;
  ended: string | null;
  view: Fields;
  problem?: string | null;
};
export type OpenedSessions = { sessions: Opened[]; left_out: number };

const path = ({ plugin, flow }: Of): string => `/flows/${pathOf(plugin)}/${pathOf(flow)}`;

export const codes = (of: Of) =>
  queryOptions({ queryKey: [...KEY, of.plugin, of.flow, "codes"], queryFn: ({ signal }) => call<CodeLine[]>(`${path(of)}/codes`, { signal }), refetchInterval: LOOK_AGAIN_MS });

export const sessions = (of: Of) =>
  queryOptions({
    queryKey: [...KEY, of.plugin, of.flow, "sessions"],
    queryFn: ({ signal }) => call<OpenedSessions>(`${path(of)}/sessions${queryOf({ fields: FIELDS })}`, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });

export type Whole = { standing: Standing; conversation: Conversation; spent: { sent: number; received: number; usd: number } };

export const whole = (of: Of, session: string) =>
  queryOptions({
    queryKey: [...KEY, of.plugin, of.flow, "session", session],
    queryFn: async ({ signal }): Promise<Whole> => {
      const at = `${path(of)}/sessions/${pathOf(session)}`;
      const [standing, conversation, { runs }] = await Promise.all([
        call<Standing>(`${at}/status`, { signal }),
        call<Conversation>(`${at}/messages`, { signal }),
        call<SessionDetail>(`/sessions/${pathOf(session)}`, { signal }),
      ]);
      const sum = (what: (run: RunRow) => number) => runs.reduce((total, run) => total + what(run), 0);
      return { standing, conversation, spent: { sent: sum((it) => it.input_tokens), received: sum((it) => it.output_tokens), usd: sum((it) => it.cost_usd) } };
    },
    refetchInterval: LOOK_AGAIN_MS,
  });

const again = (client: QueryClient) => client.invalidateQueries({ queryKey: KEY });

export async function give(client: QueryClient, of: Of, wanted: { count: number; days: number; subject: string }): Promise<GivenCode[]> {
  const given = await call<GivenCode[]>(`${path(of)}/codes`, { method: "POST", body: wanted });
  await again(client);
  return given;
}

export async function revoke(client: QueryClient, of: Of, code: string): Promise<void> {
  await call(`${path(of)}/codes/${pathOf(code)}`, { method: "DELETE" });
  await again(client);
}

/** Says something as the teacher, where the flow waits for one. */
export async function say(client: QueryClient, of: Of, { session_id, after }: Standing, text: string): Promise<void> {
  await call<Standing>(`${path(of)}/sessions/${pathOf(session_id)}/step`, { method: "POST", body: { text, after } });
  await again(client);
}
