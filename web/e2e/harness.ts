// What a test is given: tabs that watch themselves, and programs of its own where the shared one would not do.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { expect, inject, test as plain } from "vitest";
import { Home, Program } from "./program";

export { expect };
export { Home, Program } from "./program";

/** Where a failed test leaves pictures of its tabs. */
const PICTURES = join(import.meta.dirname, ".failures");
/** How long one step may take; a busy machine is slow. */
const STEP_MS = 20_000;

/** A tab that watches: what goes wrong in it, and what tries to leave it. */
export class Tab {
  /** Addresses that it asked for, in order. */
  readonly asked: string[] = [];
  private readonly problems: string[] = [];
  private readonly known: RegExp[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly origin: string,
  ) {}

  static async in(context: BrowserContext, origin: string): Promise<Tab> {
    const page = await context.newPage();
    page.setDefaultTimeout(STEP_MS);
    const tab = new Tab(context, page, origin);
    const wrong = (text: string) => void tab.problems.push(text);
    page.on("console", (message) => {
      if (message.type() === "error") wrong(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => wrong(`error: ${error.message}`));
    page.on("requestfailed", (request) => {
      // A request that the page itself gave up, as with a stream at leaving, is no failure.
      const why = request.failure()?.errorText ?? "";
      if (why !== "net::ERR_ABORTED") wrong(`failed: ${request.url()}: ${why}`);
    });
    page.on("request", (request) => {
      const url = request.url();
      tab.asked.push(url);
      if (!url.startsWith(`${origin}/`) && !url.startsWith(`blob:${origin}/`)) wrong(`left the page: ${url}`);
    });
    page.on("dialog", (dialog) => {
      wrong(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return tab;
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(this.origin + path);
  }

  /** A problem that this test brings about on purpose. */
  expects(problem: RegExp): void {
    this.known.push(problem);
  }

  /** Nothing has gone wrong but what was expected. */
  calm(): void {
    expect(this.problems.filter((problem) => !this.known.some((known) => known.test(problem)))).toEqual([]);
  }
}

type OpenOptions = BrowserContextOptions & {
  /** Another program than the shared one; nobody is signed in there. */
  at?: Program;
};

type Given = {
  browser: Browser;
  /** Opens a tab in a browser context of its own, signed in where it is the shared program. */
  open: (options?: OpenOptions) => Promise<Tab>;
  tab: Tab;
  /** A program of the test's own. */
  start: (more?: string[], home?: Home, port?: number) => Promise<Program>;
  workspace: string;
};

export const test = plain.extend<Given>({
  browser: [
    async ({}, use) => {
      const browser = await chromium.connect(inject("shared").browser);
      await use(browser);
      await browser.close();
    },
    { scope: "file" },
  ],
  start: async ({}, use) => {
    const started: Program[] = [];
    await use(async (more = [], home = new Home(), port) => {
      const program = await Program.start(home, more, port);
      started.push(program);
      return program;
    });
    await Promise.all(started.map((it) => it.stop()));
    for (const it of started) it.home.remove();
  },
  // After `start`, so that tabs are closed before their program is.
  open: async ({ browser, start: _, task }, use) => {
    const { origin, cookies } = inject("shared");
    const tabs: Tab[] = [];
    await use(async ({ at, ...options } = {}) => {
      const signedIn = at ? {} : { storageState: JSON.parse(cookies) as NonNullable<BrowserContextOptions["storageState"]> };
      const context = await browser.newContext({ baseURL: at?.origin ?? origin, viewport: { width: 1440, height: 900 }, ...signedIn, ...options });
      const tab = await Tab.in(context, at?.origin ?? origin);
      tabs.push(tab);
      return tab;
    });
    if (task.result?.state === "fail") await pictures(task.name, tabs);
    try {
      for (const tab of tabs) tab.calm();
    } finally {
      for (const context of new Set(tabs.map((it) => it.context))) await context.close();
    }
  },
  tab: async ({ open }, use) => {
    await use(await open());
  },
  workspace: async ({}, use) => {
    await use(inject("shared").workspace);
  },
});

async function pictures(test: string, tabs: Tab[]): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const name = test.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 60);
  for (const [at, tab] of tabs.entries()) {
    await tab.page.screenshot({ path: join(PICTURES, `${name}-${at}.png`), timeout: 5_000 }).catch(() => undefined);
  }
}

/** Signs in with the link that the program printed. */
export async function enter(tab: Tab, program: Program): Promise<void> {
  await tab.page.goto(program.link());
  await tab.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
}
