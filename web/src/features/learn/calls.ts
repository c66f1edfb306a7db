// The calls of a session of a flow, and their shapes. What a flow shows of itself is read in `progress.ts`.
import { call, queryOf } from "@/api/client";
import type { ShownMessage } from "@/api/events";

export type Opened = { plugin: string; flow: string; role: string; session_id?: string; expires_ms: number };

export type Standing = {
  session_id: string;
  after: number;
  waits_for: string | null;
  open_question?: unknown;
  messages: ShownMessage[];
  ended: string | null;
  /** The flow's own fields. */
  [field: string]: unknown;
};

export type Part = { seq: number; at_ms: number; role?: string; text?: string; messages: ShownMessage[] };
export type Conversation = { parts: Part[]; earlier: boolean };

export const sessionsOf = ({ plugin, flow }: { plugin: string; flow: string }): string =>
  `/flows/${encodeURIComponent(plugin)}/${encodeURIComponent(flow)}/sessions`;

export const opened = (code: string): Promise<Opened> => call("/code", { code });

export const begin = (code: string, of: Opened, text: string, key: string): Promise<Standing> =>
  call(sessionsOf(of), { method: "POST", code, key, body: { text } });

export const step = (code: string, of: Opened, session: string, said: { text: string; after: number }, key: string): Promise<Standing> =>
  call(`${sessionsOf(of)}/${session}/step`, { method: "POST", code, key, body: said });

export const status = (code: string, of: Opened, session: string): Promise<Standing> => call(`${sessionsOf(of)}/${session}/status`, { code });

export const conversation = (code: string, of: Opened, session: string, before?: number): Promise<Conversation> =>
  call(`${sessionsOf(of)}/${session}/messages${queryOf({ before })}`, { code });
