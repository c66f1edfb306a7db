// Reads markdown away from the page: in a worker, one text after the other, each with a deadline. A text that takes longer is shown as
// it is, and the worker is replaced; typing never waits for any of it.
import { useEffect, useRef, useState } from "react";
import type { Block } from "./tree";

/** Longest text that is read as markdown, in characters; a longer one is shown as it is. */
export const PARSE_MAX = 48 * 1024;
/** Longest time for one text. */
const DEADLINE_MS = 2_500;
/** Characters of text whose trees are kept. */
const CACHE_MAX = 2_000_000;

type Job = { text: string; done: ((blocks: Block[]) => void)[] };

export class MarkdownReader {
  private cache = new Map<string, Block[]>();
  private cached = 0;
  private jobs = new Map<string, Job>();
  private current: Job | null = null;
  private worker: Worker | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private id = 0;

  constructor(private readonly make: (() => Worker) | null) {}

  /** The tree, where it is there already. */
  known(text: string): Block[] | null {
    if (text.length > PARSE_MAX) return [{ t: "plain", v: text }];
    return this.cache.get(text) ?? null;
  }

  /** Starts the worker before it is needed. */
  warm(): void {
    if (this.make) this.worker ??= this.make();
  }

  read(text: string): Promise<Block[]> {
    const known = this.known(text);
    if (known) return Promise.resolve(known);
    return new Promise((resolve) => {
      const job = this.jobs.get(text);
      if (job) job.done.push(resolve);
      else this.jobs.set(text, { text, done: [resolve] });
      this.next();
    });
  }

  private next(): void {
    if (this.current) return;
    const job = this.jobs.values().next().value;
    if (!job) return;
    this.current = job;
    if (this.make) this.ask(job, this.make);
    else void import("./parse").then(({ parse }) => this.end(job, attempt(() => parse(job.text))));
  }

  private ask(job: Job, make: () => Worker): void {
    this.id += 1;
    const id = this.id;
    this.worker ??= make();
    this.worker.onmessage = (message: MessageEvent<{ id: number; blocks: Block[] | null }>) => {
      if (message.data.id === id) this.end(job, message.data.blocks);
    };
    this.worker.onerror = () => this.giveUp(job);
    this.timer = setTimeout(() => this.giveUp(job), DEADLINE_MS);
    this.worker.postMessage({ id, text: job.text });
  }

  private giveUp(job: Job): void {
    this.worker?.terminate();
    this.worker = null;
    this.end(job, null);
  }

  private end(job: Job, blocks: Block[] | null): void {
    clearTimeout(this.timer);
    const shown: Block[] = blocks ?? [{ t: "plain", v: job.text }];
    this.keep(job.text, shown);
    this.jobs.delete(job.text);
    this.current = null;
    for (const done of job.done) done(shown);
    this.next();
  }

  private keep(text: string, blocks: Block[]): void {
    this.cache.set(text, blocks);
    this.cached += text.length;
    for (const oldest of this.cache.keys()) {
      if (this.cached <= CACHE_MAX) break;
      this.cache.delete(oldest);
      this.cached -= oldest.length;
    }
  }
}

function attempt(run: () => Block[]): Block[] | null {
  try {
    return run();
  } catch {
    return null;
  }
}

const inWorker = () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
export const markdown = new MarkdownReader(typeof Worker === "undefined" ? null : inWorker);

/** The tree of a text. While a new one is read the one before stays, so that nothing flickers. */
export function useMarkdown(text: string): Block[] | null {
  const [read, setRead] = useState<{ text: string; blocks: Block[] } | null>(null);
  const latest = useRef(text);
  latest.current = text;
  const known = markdown.known(text);
  const missing = known === null;
  useEffect(() => {
    if (!missing) return;
    void markdown.read(text).then((blocks) => {
      if (latest.current === text || latest.current.startsWith(text)) setRead({ text, blocks });
    });
  }, [text, missing]);
  return known ?? read?.blocks ?? null;
}
