// What all tests share: one browser, and one program that a person is signed in to.
import { chromium } from "playwright-core";
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
  const home = new Home();
  const long = makeLong();
  const server = await chromium.launchServer(BROWSER);
  const program = await Program.start(home, ["--researcher"]);
  const browser = await chromium.connect(server.wsEndpoint());
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(program.link());
  await page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  project.provide("shared", {
    browser: server.wsEndpoint(),
    origin: program.origin,
    workspace: home.workspace,
    cookies: JSON.stringify(await context.storageState()),
    long: long.dir,
  });
  await browser.close();
  return async () => {
    await server.close();
    await program.stop();
    home.remove();
    await long.end();
  };
}
