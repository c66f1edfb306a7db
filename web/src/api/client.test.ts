import { afterEach, expect, test, vi } from "vitest";
import { call, onSignedOut, pathOf, queryOf } from "./client";
import { ApiError, shown } from "./errors";

afterEach(() => vi.unstubAllGlobals());

function answers(...list: (Response | Error)[]) {
  const calls: RequestInit[] = [];
  vi.stubGlobal("fetch", (_: string, init: RequestInit) => {
    calls.push(init);
    const next = list.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  });
  return calls;
}
const header = (init: RequestInit | undefined, name: string) => (init?.headers as Record<string, string>)[name];

test("a change that got no answer is sent again under the same key", async () => {
  const calls = answers(new TypeError("lost"), new Response('{"run":"r"}', { status: 202 }));
  await expect(call("/runs", { method: "POST", body: { a: 1 } })).resolves.toEqual({ run: "r" });
  expect(header(calls[0], "Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/);
  expect(header(calls[1], "Idempotency-Key")).toBe(header(calls[0], "Idempotency-Key"));
});

test("an error keeps its code, sentence and hint, and what else came with it", async () => {
  answers(Response.json({ code: "file.conflict", message: "It was changed.", hint: "Compare.", current: { text: "x" } }, { status: 409 }));
  const error: unknown = await call("/files/a.md", { method: "PUT", body: {} }).catch((it: unknown) => it);
  expect(error).toBeInstanceOf(ApiError);
  expect(shown(error)).toEqual({ code: "file.conflict", message: "It was changed.", hint: "Compare." });
  expect((error as ApiError).body).toMatchObject({ current: { text: "x" } });
});

test("who is not signed in is told once, in one place", async () => {
  const told = vi.fn();
  onSignedOut(told);
  answers(Response.json({ code: "auth.required", message: "Sign in.", hint: "" }, { status: 401 }));
  await expect(call("/me")).rejects.toMatchObject({ status: 401 });
  expect(told).toHaveBeenCalledOnce();
  onSignedOut(null);
});

test("paths and queries are escaped, slashes of a path kept", () => {
  expect(pathOf("classes/3 B?.md")).toBe("classes/3%20B%3F.md");
  expect(queryOf({ q: "a b", limit: 5, after: null })).toBe("?q=a+b&limit=5");
});
