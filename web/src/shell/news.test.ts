import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { memory, waiting } from "@/api/queries";
import { EventStream } from "@/api/stream";
import { recorded } from "../../tests/journal";
import { hearNews } from "./news";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A stream that the test writes to, and a cache in which all is fresh. */
function tab() {
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
  const stream = new EventStream((() => Promise.resolve(new Response(body))) as unknown as typeof fetch);
  const client = new QueryClient();
  client.setQueryData(memory.queryKey, []);
  client.setQueryData(["memory-audit", "memory/MEMORY.md"], []);
  client.setQueryData(waiting.queryKey, []);
  const fetched = vi.spyOn(client, "invalidateQueries");
  const stale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
  const send = async (event: string, ...all: object[]) => {
    const text = all.map((data) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
    out?.enqueue(new TextEncoder().encode(text));
    await vi.advanceTimersByTimeAsync(1_000);
  };
  return { stream, client, stale, send, fetched };
}

test("what is remembered is stale once a run has written to memory, and not before", async () => {
  const { stream, client, stale, send } = tab();
  const end = hearNews(client, stream);
  stream.follow("s");
  const records = recorded("lesson-for-3b");
  const at = records.findIndex((it) => it.type === "memory.written");
  for (const record of records.slice(at - 3, at)) await send("record", record);
  expect(stale(memory.queryKey)).toBe(false);
  await send("record", records[at] ?? {});
  expect(stale(memory.queryKey)).toBe(true);
  expect(stale(["memory-audit", "memory/MEMORY.md"])).toBe(true);
  expect(stale(waiting.queryKey)).toBe(false);
  end();
  stream.close();
});

test("a journal that comes all at once makes it stale one time", async () => {
  const { stream, client, send, fetched } = tab();
  const end = hearNews(client, stream);
  stream.follow("s");
  const written = recorded("lesson-for-3b").find((it) => it.type === "memory.written");
  await send("record", ...Array.from({ length: 50 }, (_, at) => ({ ...written, seq: at + 1 })));
  // What is remembered, and the list of its changes.
  expect(fetched).toHaveBeenCalledTimes(2);
  end();
  stream.close();
});

test("a question that was answered elsewhere makes both stale", async () => {
  const { stream, client, stale, send } = tab();
  const end = hearNews(client, stream);
  stream.follow(null);
  await send("waiting", { count: 0 });
  expect(stale(waiting.queryKey)).toBe(true);
  expect(stale(memory.queryKey)).toBe(true);
  end();
  stream.close();
});
