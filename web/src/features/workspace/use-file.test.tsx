import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { drafts } from "./drafts";
import { useFile } from "./use-file";

/** A server with one file. A save may be held back until `release` is called. */
function server(text: string) {
  const it = { text, sha: 1, held: null as Promise<void> | null, release: () => {}, puts: 0, gone: false };
  const json = (status: number, value: unknown) => new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } });
  const digest = () => `sha-${it.sha}`;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    if (!url.startsWith("/api/files/")) return json(200, { name: "", path: "", kind: "directory", role: "other", children: [] });
    const sent = init.body ? (JSON.parse(String(init.body)) as { text: string; before: string | null }) : null;
    if (init.method === "GET") return it.gone ? json(404, { code: "file.not_found", message: "There is no such file." }) : json(200, { path: "a.md", text: it.text, sha256: digest(), role: "other", writable: true, problems: [] });
    if (init.method === "DELETE") {
      it.gone = true;
      return new Response(null, { status: 204 });
    }
    it.puts += 1;
    if (it.held) await it.held;
    if (!it.gone && sent?.before !== digest()) return json(409, { code: "file.conflict", message: "Changed.", current: { text: it.text, sha256: digest() } });
    it.text = sent?.text ?? "";
    it.gone = false;
    it.sha += 1;
    return json(200, { sha256: digest(), problems: [] });
  });
  return {
    it,
    hold: () => {
      it.held = new Promise((resolve) => (it.release = resolve));
    },
    elsewhere: (now: string) => {
      it.text = now;
      it.sha += 1;
    },
  };
}

const wrapper = () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
};
async function opened() {
  const { result } = renderHook(() => useFile("a.md"), { wrapper: wrapper() });
  await waitFor(() => expect(result.current.now ?? result.current.error).toBeTruthy());
  return result;
}

beforeEach(() => drafts.clear());
afterEach(() => vi.unstubAllGlobals());

it("is dirty while it differs from the file, and clean again when typed back", async () => {
  server("one");
  const file = await opened();
  act(() => file.current.edit("two"));
  expect(file.current).toMatchObject({ text: "two", standing: "dirty" });
  act(() => file.current.edit("one"));
  expect(file.current).toMatchObject({ text: "one", standing: "clean" });
});

it("saves on top of what was changed, and keeps what is typed meanwhile", async () => {
  const { it: there, hold } = server("one");
  const file = await opened();
  act(() => file.current.edit("two"));
  hold();
  let saving: Promise<void> = Promise.resolve();
  act(() => void (saving = file.current.save()));
  act(() => file.current.edit("two and more"));
  there.release();
  await act(() => saving);
  expect(there.text).toBe("two");
  expect(file.current).toMatchObject({ text: "two and more", standing: "dirty" });
  there.held = null;
  await act(() => file.current.save());
  expect(there.text).toBe("two and more");
  expect(file.current.standing).toBe("clean");
});

it("overwrites nothing that was changed elsewhere, until both were seen", async () => {
  const { it: there, elsewhere } = server("one");
  const file = await opened();
  act(() => file.current.edit("mine"));
  elsewhere("theirs");
  await act(() => file.current.save());
  expect(there.text).toBe("theirs");
  expect(file.current.conflict?.current).toEqual({ text: "theirs", sha256: "sha-2" });
  expect(file.current.text).toBe("mine");
  await act(async () => void (await file.current.saveOver("both", "sha-2")));
  expect(there.text).toBe("both");
  expect(file.current).toMatchObject({ conflict: null, text: "both", standing: "clean" });
});

it("keeps what was changed in a file that is gone, and can write it again", async () => {
  const { it: there } = server("one");
  drafts.put("a.md", { base: "sha-0", baseText: "zero", text: "mine" });
  there.gone = true;
  const { result: file } = renderHook(() => useFile("a.md"), { wrapper: wrapper() });
  await waitFor(() => expect(file.current.standing).toBe("orphan"));
  expect(file.current.text).toBe("mine");
  await act(async () => void (await file.current.saveOver("mine", null)));
  expect(there).toMatchObject({ text: "mine", gone: false });
  await waitFor(() => expect(file.current).toMatchObject({ standing: "clean", text: "mine" }));
});
