// What all tests share: one browser, and one program that a person is signed in to.
import { type Page, chromium } from "playwright-core";
import type { TestProject } from "vitest/node";
import { makeLong } from "./long";
import { Home, Program } from "./program";

export type Shared = {
  browser: string;
  origin: string;
  workspace: string;
  cookies: string;
  /** The directory of the long session, which is written while the tests run; `done` in it says that it is whole. */
  long: string;
};

declare module "vitest" {
  export interface ProvidedContext {
    shared: Shared;
  }
}

/** Without these the browser itself would look for its maker. */
export const BROWSER = {
  executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
  ],
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const undo: (() => Promise<unknown>)[] = [];
  const end = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    project.provide("shared", await make(undo));
  } catch (error) {
    await end();
    throw error;
  }
  return end;
}

/** Starts all of it; what is to be done at the end is put into `undo` at once. */
async function make(undo: (() => Promise<unknown>)[]): Promise<Shared> {
  const home = new Home();
  undo.push(async () => home.remove());
  const server = await chromium.launchServer(BROWSER);
  undo.push(() => server.close());
  const program = await Program.start(home, ["--researcher"]);
  undo.push(() => program.stop());
  // Begun after the first program: by then the components are compiled.
  const long = makeLong();
  undo.push(long.end);
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(program.link());
  await page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  // The researcher of these tests sees only what the teacher of these tests agreed to.
  await page.goto(`${program.origin}/memory`);
  await agree(page);
  const cookies = JSON.stringify(await context.storageState());
  await browser.close();
  return { browser: server.wsEndpoint(), origin: program.origin, workspace: home.workspace, cookies, long: long.dir };
}

/** The teacher agrees, on the page of memory, that researchers may look. */
export async function agree(page: Page): Promise<void> {
  const kept = page.waitForResponse((it) => it.url().endsWith("/api/me/research") && it.ok());
  await page.getByRole("checkbox", { name: /^Researchers of a study here may look/ }).click();
  await kept;
}
