// Starts the program on a copy of the sample workspace, and a browser that lets nothing leave the page.
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, type Page, chromium } from "playwright-core";
import { expect } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const program = process.env.TEACHER_ASSIST_BIN ?? join(root, "target", "debug", "teacher-assist");
const browserProgram = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Without these the browser itself would look for its maker. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Where one program's data and workspace are; they outlive it, so that it can be started again. */
export class Home {
  readonly dir = mkdtempSync(join(tmpdir(), "teacher-assist-page-"));
  readonly workspace = join(this.dir, "workspace");

  constructor() {
    cpSync(join(root, "workspace"), this.workspace, { recursive: true });
    rmSync(join(this.workspace, "lessons"), { recursive: true, force: true });
  }

  remove() {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The program at work. */
export class Program {
  private constructor(
    readonly home: Home,
    readonly origin: string,
    /** The link that signs in once; none where there are passcodes. */
    readonly link: string | undefined,
    private readonly child: ChildProcess,
  ) {}

  static async start(home: Home, more: string[] = [], port?: number): Promise<Program> {
    if (!existsSync(program)) throw new Error(`there is no program at ${program}: build it, or set TEACHER_ASSIST_BIN`);
    const at = port ?? (await freePort());
    const child = spawn(program, ["serve", "--addr", `127.0.0.1:${at}`, "--no-open", ...more], {
      cwd: home.dir,
      env: {
        PATH: process.env.PATH,
        HOME: home.dir,
        NO_COLOR: "1",
        TEACHER_ASSIST_WORKSPACE: home.workspace,
        TEACHER_ASSIST_DATA: join(home.dir, "data"),
        // Shared: what is compiled once need not be compiled for each test.
        TEACHER_ASSIST_CACHE: join(tmpdir(), "teacher-assist-page-cache"),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const link = await address(child);
    const origin = `http://127.0.0.1:${at}`;
    return new Program(home, origin, link?.includes("token=") ? link : undefined, child);
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await ended(this.child, "SIGKILL");
  }

  async stop(): Promise<void> {
    await ended(this.child, "SIGTERM");
  }
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await over;
}

/** What the program prints once it listens: an address. */
function address(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let said = "";
    const heard = (chunk: Buffer) => {
      said += chunk.toString();
      const found = /https?:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    };
    child.stdout?.on("data", heard);
    child.stderr?.on("data", heard);
    child.once("exit", (code) => reject(new Error(`the program ended with ${code}:\n${said}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const at = server.address();
      server.close(() => (typeof at === "object" && at ? resolve(at.port) : reject(new Error("no free port"))));
    });
  });
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: browserProgram, args: QUIET });
}

/** A tab that watches: what goes wrong in it, and what tries to leave it. */
export class Tab {
  readonly problems: string[] = [];

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    private readonly origin: string,
  ) {}

  static async open(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
    return Tab.in(context, origin);
  }

  static async in(context: BrowserContext, origin: string): Promise<Tab> {
    const page = await context.newPage();
    const tab = new Tab(context, page, origin);
    page.on("console", (message) => {
      if (message.type() === "error") tab.problems.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => tab.problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(origin) && !url.startsWith("blob:") && !url.startsWith("data:")) tab.problems.push(`left the page: ${url}`);
    });
    return tab;
  }

  /** Signs in with the link, and forgets it: it works once. */
  async enter(program: Program): Promise<void> {
    await this.page.goto(program.link ?? program.origin);
    await this.page.waitForSelector("main");
  }

  go(path: string): Promise<unknown> {
    return this.page.goto(this.origin + path);
  }

  /** What has gone wrong since the last look; a server that is gone for a while may be let pass. */
  calm(except: RegExp[] = []): void {
    const left = this.problems.filter((problem) => !except.some((known) => known.test(problem)));
    this.problems.length = 0;
    expect(left).toEqual([]);
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
