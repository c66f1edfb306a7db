import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newQueryClient } from "@/api/queries";
import { stream } from "@/api/stream";
import { newRouter } from "@/router";
import { TooltipProvider } from "@/ui/tooltip";

let asked: string[] = [];

/** A server that knows who is there, has nothing, and refuses no path: what is asked for is the page's own doing. */
function server(roles: string[]) {
  vi.stubGlobal("fetch", (url: string) => {
    const path = url.replace(/\?.*/, "");
    asked.push(path);
    if (path === "/api/me") return Promise.resolve(Response.json({ name: "study", roles, mode: "passcode", version: "0", providers: [] }));
    if (path === "/api/events") return Promise.resolve(new Response(new ReadableStream()));
    if (path === "/api/start") return Promise.resolve(Response.json({ classes: [], topics: [], sessions: [], problems: [] }));
    return Promise.resolve(Response.json(path === "/api/research/runs" ? { runs: [], next: null } : []));
  });
}

function enter(path: string) {
  window.history.replaceState(null, "", path);
  const client = newQueryClient();
  const router = newRouter(client);
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <RouterProvider router={router} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return router;
}

const pages = async () => [...(await screen.findByRole("navigation", { name: "Pages" })).querySelectorAll("a")].map((it) => it.textContent);

beforeEach(() => {
  asked = [];
});
afterEach(() => {
  act(() => stream.close());
  vi.unstubAllGlobals();
});

test.each(["/", "/memory", "/sessions"])("who is a researcher alone is taken from %s to the runs, and nothing of a teacher's is asked for", async (path) => {
  server(["researcher"]);
  const router = enter(path);
  expect(await pages()).toEqual(["Research"]);
  await waitFor(() => expect(asked.some((it) => it.startsWith("/api/research"))).toBe(true));
  expect(router.state.location.pathname).toBe("/research");
  expect(asked.filter((it) => it !== "/api/me" && !it.startsWith("/api/research"))).toEqual([]);
});

test("a teacher is asked for questions that wait, and hears news", async () => {
  server(["teacher"]);
  enter("/memory");
  expect(await pages()).toEqual(["Plan", "Lessons", "Learners", "Files", "Memory", "Set-up"]);
  await waitFor(() => expect(asked).toEqual(expect.arrayContaining(["/api/waiting", "/api/events"])));
});
