import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { backoff, EventStream } from "./stream";

type Call = { url: string; headers: Record<string, string>; send: (text: string) => void; end: () => void };

/** A server that answers every connection with a stream that the test writes to. */
function server(status = 200) {
  const calls: Call[] = [];
  const get = ((url: string, init: RequestInit) => {
    let out: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
    const bytes = new TextEncoder();
    init.signal?.addEventListener("abort", () => out?.error(new DOMException("given up", "AbortError")));
    calls.push({
      url,
      headers: init.headers as Record<string, string>,
      send: (text) => out?.enqueue(bytes.encode(text)),
      end: () => out?.close(),
    });
    return Promise.resolve(new Response(status === 200 ? body : null, { status }));
  }) as unknown as typeof fetch;
  return { calls, get };
}

const record = (seq: number) => `event: record\nid: ${seq}\ndata: {"seq":${seq},"type":"run.resumed"}\n\n`;
const settled = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("a dropped connection goes on behind the last record, and no record comes twice", async () => {
  const { calls, get } = server();
  const stream = new EventStream(get);
  const seen: number[] = [];
  stream.on("record", ({ seq }) => seen.push(seq));
  stream.follow("abc");
  await settled();
  calls[0]?.send(record(1) + record(2));
  await settled();
  calls[0]?.end();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(calls).toHaveLength(2);
  expect(calls[0]?.url).toBe("/api/events?session=abc&after=0");
  expect(calls[1]?.headers["Last-Event-ID"]).toBe("2");
  calls[1]?.send(record(2) + record(3));
  await settled();
  expect(seen).toEqual([1, 2, 3]);
  stream.close();
});

test("each failure waits longer, up to a bound, and never all tabs at once", () => {
  expect([0, 1, 2, 3].map((attempt) => backoff(attempt, 0.5))).toEqual([500, 1_000, 2_000, 4_000]);
  expect(backoff(50, 0.5)).toBe(15_000);
  expect(backoff(0, 0)).not.toBe(backoff(0, 1));
});

test("a stream that falls silent is taken for dead", async () => {
  const { calls, get } = server();
  const stream = new EventStream(get);
  stream.follow("abc");
  await settled();
  calls[0]?.send(": beat\n\n");
  await vi.advanceTimersByTimeAsync(39_000);
  expect(calls).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(stream.status === "waiting" || calls.length > 1).toBe(true);
  stream.close();
});

test.each([401, 403])("nobody signed in, or not as a teacher (%i): it stops and does not knock on", async (status) => {
  const { calls, get } = server(status);
  const stream = new EventStream(get);
  stream.follow("abc");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(calls).toHaveLength(1);
  expect(stream.status).toBe("idle");
});

test("another session is another stream, from its beginning", async () => {
  const { calls, get } = server();
  const stream = new EventStream(get);
  stream.follow("abc", 5);
  await settled();
  stream.follow("def");
  await settled();
  expect(calls.map((call) => call.url)).toEqual(["/api/events?session=abc&after=5", "/api/events?session=def&after=0"]);
  expect(calls[1]?.headers["Last-Event-ID"]).toBeUndefined();
  stream.close();
});

test("a hidden tab lets its stream go and takes it up again when it is looked at", async () => {
  const { calls, get } = server();
  const stream = new EventStream(get);
  const page = new EventTarget() as unknown as Document & { visibilityState: string };
  page.visibilityState = "visible";
  stream.watchVisibility(page);
  stream.follow("abc");
  await settled();
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(stream.status).toBe("closed");
  const before = calls.length;
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await settled();
  expect(calls.length).toBe(before + 1);
  stream.close();
});
