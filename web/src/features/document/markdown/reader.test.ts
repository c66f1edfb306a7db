import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { MarkdownReader, PARSE_MAX } from "./reader";
import type { Block } from "./tree";

class FakeWorker {
  static made: FakeWorker[] = [];
  onmessage: ((event: { data: { id: number; blocks: Block[] | null } }) => void) | null = null;
  onerror: (() => void) | null = null;
  asked: { id: number; text: string }[] = [];
  ended = false;
  constructor() {
    FakeWorker.made.push(this);
  }
  postMessage(message: { id: number; text: string }): void {
    this.asked.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(blocks: Block[]): void {
    const id = this.asked.at(-1)?.id ?? 0;
    this.onmessage?.({ data: { id, blocks } });
  }
}

const reader = () => new MarkdownReader(() => new FakeWorker() as unknown as Worker);
beforeEach(() => {
  FakeWorker.made = [];
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test("a text is read once and then known", async () => {
  const markdown = reader();
  const first = markdown.read("a");
  const second = markdown.read("a");
  FakeWorker.made[0]?.answer([{ t: "rule" }]);
  expect(await first).toEqual([{ t: "rule" }]);
  expect(await second).toEqual([{ t: "rule" }]);
  expect(FakeWorker.made[0]?.asked).toHaveLength(1);
  expect(markdown.known("a")).toEqual([{ t: "rule" }]);
});

test("a text that takes too long is shown as it is, its worker is replaced, and the next is read", async () => {
  const markdown = reader();
  const slow = markdown.read("slow");
  const next = markdown.read("next");
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await slow).toEqual([{ t: "plain", v: "slow" }]);
  expect(FakeWorker.made[0]?.ended).toBe(true);
  FakeWorker.made[1]?.answer([{ t: "rule" }]);
  expect(await next).toEqual([{ t: "rule" }]);
});

test("a text that is too long is never read as markdown", () => {
  const long = "x".repeat(PARSE_MAX + 1);
  expect(reader().known(long)).toEqual([{ t: "plain", v: long }]);
  expect(FakeWorker.made).toHaveLength(0);
});
