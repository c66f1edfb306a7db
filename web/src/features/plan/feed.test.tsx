import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JournalRecord } from "@/api/events";
import { TooltipProvider } from "@/ui/tooltip";
import { recorded } from "../../../tests/journal";
import { Activity, Feed } from "./feed";
import { reduce } from "./model/reduce";
import { EMPTY, type View } from "./model/view";
import { SessionStore } from "./session";

const full = recorded("lesson-for-3b");
const calling = full.findIndex((record) => record.type === "model.called") + 1;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function show(view: View, store = new SessionStore("s")) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <Feed store={store} view={view} focusQuestion={false} onRead={() => undefined} />
        <Activity store={store} view={view} cost="4 ¢ so far" />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

test("a session of ten thousand records draws what fits the eye, and the rest when it is asked for", () => {
  const many: JournalRecord[] = [];
  for (let seq = 1; seq <= 10_000; seq += 1) many.push({ ...full[seq % full.length], seq } as JournalRecord);
  const { container } = show(reduce(EMPTY, many));
  expect(container.querySelectorAll("*").length).toBeLessThan(4_000);
  expect(screen.getByRole("button", { name: /^Show earlier/ })).toBeTruthy();
});

test("what goes on is said in plain words, with its cost and a way to stop it", () => {
  show(reduce(EMPTY, full.slice(0, calling)));
  expect(screen.getByText("Thinking it through…")).toBeTruthy();
  expect(screen.getByText(/4 ¢ so far/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
});

test("text that comes piece by piece is shown together, starts anew when the answer does, and gives way to the record", async () => {
  const store = new SessionStore("s");
  const run = full[0]?.run ?? "";
  for (const record of full.slice(0, calling)) store.record(record);
  store.delta({ run, text: "# Ite" });
  store.delta({ run, text: "ration" });
  await act(() => vi.advanceTimersByTimeAsync(60));
  expect(store.live.text).toBe("# Iteration");
  store.restarted();
  store.delta({ run, text: "# Again" });
  await act(() => vi.advanceTimersByTimeAsync(60));
  expect(store.live.text).toBe("# Again");
  const answered = full.find((record) => record.type === "model.answered");
  if (answered) store.record({ ...answered, seq: calling + 1 });
  await act(() => vi.advanceTimersByTimeAsync(60));
  expect(store.live.text).toBe("");
});

test("what a guest says is text, whatever it holds", () => {
  const at = { session: "s", run: full[0]?.run ?? "", at_ms: 1 };
  const finding = { class: "x", part: null, line: null, message: "<img src=x onerror=alert(1)> [a](javascript:b)" };
  const hook = full.find((record) => record.type === "hook.finished");
  if (hook?.type !== "hook.finished") throw new Error("a journal has hooks");
  const checked = { ...hook, ...at, seq: calling + 1, hook: "<script>mine</script>", point: "post-loop", findings: [finding] } as JournalRecord;
  const { container } = show(reduce(EMPTY, [...full.slice(0, calling), checked]));
  expect(screen.getByText(finding.message)).toBeTruthy();
  expect(container.querySelector("img, script, a[href^='javascript']")).toBeNull();
});
