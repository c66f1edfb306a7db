// Actions: what plugins offer to people. What one writes is shown first, and put in place when the person says so.
import { call, pathOf } from "./client";

/** The plugin that knows classes, curricula and lessons. */
export const PLANNING = "lesson-planning";

/** JSON Schema of an action's arguments, as far as a form is drawn from it. */
export type Schema = {
  type?: string | string[];
  title?: string;
  description?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  minimum?: number;
  maximum?: number;
};
export type Action = { name: string; description: string; schema: Schema; reads_only: boolean };
export type Plugin = {
  name: string;
  version: string;
  description: string;
  actions: Action[];
  problem?: string | null;
  set_up?: string | null;
  skills: { name: string; description: string }[];
  forms: string[];
  parts: string[];
  reads: string[];
  roles: Record<string, string>;
};
export type StagedFile = { path: string; text: string; exists: boolean; sha256_before?: string | null; problems: string[] };
export type ActionCall = { arguments: Record<string, unknown>; templates?: string[]; apply?: boolean; replace?: Record<string, string> };
export type ActionDone<T = unknown> = { result: T; writes: StagedFile[]; written: string[]; left: string[] };

const address = (plugin: string, action: string) => `/plugins/${pathOf(plugin)}/actions/${pathOf(action)}`;

/** Calls an action. */
export function act<T>(plugin: string, action: string, body: ActionCall, signal?: AbortSignal): Promise<ActionDone<T>> {
  return call<ActionDone<T>>(address(plugin, action), { method: "POST", body, ...(signal ? { signal } : {}) });
}

/** Asks an action that only reads and needs no arguments. */
export function ask<T>(plugin: string, action: string, signal?: AbortSignal): Promise<T> {
  return call<T>(address(plugin, action), signal ? { signal } : {});
}
