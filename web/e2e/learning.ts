// Sessions by code, begun and worked at as learners do it; answers come from what a teacher alone is shown.
import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { expect, type Tab } from "./harness";

export const MATHS = "tutor-maths/tutor-maths";
export const PLAN = "tutor/tutor";
export type Given = { id: string; code: string };
type Status = { after: number; answer?: string; status: string; waits_for: string | null; ended: string | null };

/** A browser that nobody is signed in to. */
export const NOBODY = { storageState: { cookies: [], origins: [] } };

const headers = (teacher: Tab) => ({ Origin: teacher.origin, "Idempotency-Key": randomUUID() });

/** Gives codes as the teacher of this tab. */
export async function give(teacher: Tab, flow: string, count = 1, subject = "3B"): Promise<Given[]> {
  const answer = await teacher.context.request.post(`${teacher.origin}/api/flows/${flow}/codes`, { headers: headers(teacher), data: { count, days: 1, subject } });
  expect(answer.status()).toBe(200);
  return (await answer.json()) as Given[];
}

export async function revoke(teacher: Tab, flow: string, { id }: Given): Promise<void> {
  const answer = await teacher.context.request.delete(`${teacher.origin}/api/flows/${flow}/codes/${id}`, {
    headers: { ...headers(teacher), "Content-Type": "application/json" },
    data: {},
  });
  expect(answer.status()).toBe(204);
}

/** The session that a code has opened. */
export async function sessionOf(teacher: Tab, flow: string, { id }: Given): Promise<string> {
  const codes = (await (await teacher.context.request.get(`${teacher.origin}/api/flows/${flow}/codes`)).json()) as { id: string; session_id?: string }[];
  return codes.find((it) => it.id === id)?.session_id ?? "";
}

export async function status(teacher: Tab, flow: string, session: string): Promise<Status> {
  return (await (await teacher.context.request.get(`${teacher.origin}/api/flows/${flow}/sessions/${session}/status`)).json()) as Status;
}

export const field = (page: Page): Locator => page.getByRole("textbox", { name: "Your answer" });
export const talk = (page: Page): Locator => page.getByRole("log", { name: "Conversation" });

/** Opens the link of a code, and waits until somebody can answer. */
export async function enter(tab: Tab, { code }: Given, topic: string): Promise<void> {
  await tab.page.goto(`/learn#${code}/${encodeURIComponent(topic)}`);
  await field(tab.page).waitFor();
}

/** Waits until what was said is answered. */
export async function answered(page: Page): Promise<void> {
  await page.getByText("The tutor is thinking").waitFor({ state: "detached" });
}

/** Writes something and sends it. */
export async function says(page: Page, words: string): Promise<void> {
  await field(page).fill(words);
  await field(page).press("Enter");
  await talk(page).getByText(words, { exact: true }).last().waitFor();
  await answered(page);
}
