// The real program, started on a copy of the sample workspace.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const program = process.env["TEACHER_ASSIST_BIN"] ?? join(root, "target", "debug", "teacher-assist");
/** The first start of a machine compiles the components. */
const START_MS = 60_000;
const STOP_MS = 15_000;

function present(): string {
  if (!existsSync(program)) throw new Error(`there is no program at ${program}: build it, or set TEACHER_ASSIST_BIN`);
  return program;
}

/** Where one program's data and workspace are; they outlive it, so that it can be started again. */
export class Home {
  readonly workspace: string;

  /** A new one, or one that is there already. */
  constructor(readonly dir = mkdtempSync(join(tmpdir(), "teacher-assist-page-"))) {
    this.workspace = join(dir, "workspace");
    if (existsSync(this.workspace)) return;
    cpSync(join(root, "workspace"), this.workspace, { recursive: true });
    rmSync(join(this.workspace, "lessons"), { recursive: true, force: true });
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env["PATH"],
      HOME: this.dir,
      NO_COLOR: "1",
      TEACHER_ASSIST_WORKSPACE: this.workspace,
      TEACHER_ASSIST_DATA: join(this.dir, "data"),
      // Shared: what is compiled once need not be compiled for each test.
      TEACHER_ASSIST_CACHE: join(tmpdir(), "teacher-assist-page-cache"),
    };
  }

  /** Begins a command of the program, which prints into a file. */
  begin(args: string[], into: string): ChildProcess {
    const out = openSync(join(this.dir, into), "w");
    return spawn(present(), args, { cwd: this.dir, env: this.environment, stdio: ["ignore", out, "ignore"], detached: true });
  }

  /** Runs a command of the program to its end, which is one of these exit codes; returns what it printed. */
  run(args: string[], input = "", codes = [0]): string {
    const done = spawnSync(present(), args, { cwd: this.dir, env: this.environment, input, encoding: "utf8", maxBuffer: 64 * 1_024 * 1_024 });
    if (done.error || !codes.includes(done.status ?? -1)) throw new Error(`${args.join(" ")}: ${done.error?.message ?? done.status}\n${done.stderr}`);
    return done.stdout;
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** The program at work. */
export class Program {
  private constructor(
    readonly home: Home,
    readonly origin: string,
    private readonly child: ChildProcess,
    /** What it has printed so far. */
    private readonly said: () => string,
  ) {}

  static async start(home: Home, more: string[] = [], port?: number): Promise<Program> {
    const at = port ?? (await freePort());
    const child = spawn(present(), ["serve", "--addr", `127.0.0.1:${at}`, "--no-open", ...more], {
      cwd: home.dir,
      env: home.environment,
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that nothing that it may have started outlives it.
      detached: true,
    });
    let said = "";
    const heard = (chunk: Buffer) => void (said += chunk.toString());
    child.stdout?.on("data", heard);
    child.stderr?.on("data", heard);
    const made = new Program(home, `http://127.0.0.1:${at}`, child, () => said);
    try {
      await made.until(() => said.includes(`127.0.0.1:${at}`), START_MS);
    } catch (error) {
      await made.kill();
      throw error;
    }
    return made;
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** The newest link that signs in; it works once. */
  link(): string {
    const found = [...this.said().matchAll(/https?:\/\/\S+token=\S+/g)].at(-1);
    if (!found) throw new Error(`the program printed no link:\n${this.said()}`);
    return found[0];
  }

  /** Ends it as a power cut would. */
  kill(): Promise<void> {
    return this.end("SIGKILL");
  }

  stop(): Promise<void> {
    return this.end("SIGTERM");
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    process.kill(signal === "SIGKILL" ? -child.pid : child.pid, signal);
    const late = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), STOP_MS);
    await over;
    clearTimeout(late);
  }

  private until(so: () => boolean, ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (done: () => void) => {
        clearTimeout(late);
        this.child.stdout?.off("data", look);
        this.child.off("exit", gone);
        done();
      };
      const look = () => (so() ? give(resolve) : undefined);
      const gone = (code: number | null) => give(() => reject(new Error(`the program ended with ${code}:\n${this.said()}`)));
      const late = setTimeout(() => give(() => reject(new Error(`the program did not get so far in ${ms} ms:\n${this.said()}`))), ms);
      this.child.stdout?.on("data", look);
      this.child.once("exit", gone);
      look();
    });
  }
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
