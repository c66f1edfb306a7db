// Questions as a teacher meets them: by keyboard, changing her mind, with nothing sent that she did not decide.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { TooltipProvider } from "@/ui/tooltip";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { recorded } from "../../../../tests/journal";
import { reduce } from "../model/reduce";
import { EMPTY, openQuestion, type QuestionEntry } from "../model/view";
import { AnswersProvider, toSend, wouldEnd } from "./answers";
import { QuestionCard } from "./card";

type Sent = { hash: string; decisions?: { item: string; choice: string; text?: string }[]; outcome?: unknown };
let sent: Sent[] = [];
let refuse: Response | null = null;

beforeEach(() => {
  sent = [];
  refuse = null;
  sessionStorage.clear();
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    if (init.method !== "POST") return Promise.resolve(Response.json([]));
    if (refuse) return Promise.resolve(refuse);
    expect(path).toMatch(/^\/api\/runs\/[0-9a-f]+\/answers$/);
    sent.push(JSON.parse(init.body as string) as Sent);
    return Promise.resolve(new Response(null, { status: 202 }));
  });
});
afterEach(() => vi.unstubAllGlobals());

/** The n-th question of the recorded lesson, as it stood when it was asked. */
function asked(n: number): QuestionEntry {
  const full = recorded("lesson-for-3b");
  const places = full.flatMap((record, at) => (record.type === "request.made" ? [at] : []));
  const entry = openQuestion(reduce(EMPTY, full.slice(0, (places[n] ?? 0) + 1)));
  if (!entry) throw new Error("no question is open there");
  return entry;
}

async function show(entry: QuestionEntry) {
  const client = new QueryClient();
  const tree = (it: QuestionEntry) => (
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <AnswersProvider entry={it.outcome ? null : it}>
          <QuestionCard entry={it} open={!it.outcome} focus={false} />
        </AnswersProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
  const page = render(tree(entry));
  await act(async () => {
    await Promise.resolve();
  });
  return { ...page, again: (it: QuestionEntry) => page.rerender(tree(it)) };
}

const options = (label: RegExp) => screen.getByRole("group", { name: label });
const press = (label: RegExp, name: string) => fireEvent.click(within(options(label)).getByRole("button", { name }));
const pressed = (label: RegExp) => within(options(label)).queryAllByRole("button", { pressed: true }).map((it) => it.textContent);

test("a decision is sent at once, and the rest with one press", async () => {
  await show(asked(0));
  press(/What does not/, "Leave it out");
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.decisions).toEqual([{ item: "works-not", choice: "dismiss" }]);
  fireEvent.click(screen.getByRole("button", { name: "Use the other 9 and go on" }));
  await waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.decisions).toHaveLength(10);
  expect(sent[1]?.decisions?.filter((it) => it.choice === "confirm")).toHaveLength(9);
});

test("a change starts from what stands there, and Control and Enter keeps it", async () => {
  await show(asked(0));
  press(/^Class 3B/, "Change it");
  const field = screen.getByLabelText("What should it say instead?");
  expect((field as HTMLTextAreaElement).value).toBe("S3, third level, 50 minutes");
  fireEvent.change(field, { target: { value: "S3, third level, 45 minutes" } });
  fireEvent.keyDown(field, { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(sent[0]?.decisions).toEqual([{ item: "class-basics", choice: "modify", text: "S3, third level, 45 minutes" }]));
  expect(pressed(/^Class 3B/)).toEqual(["Change it"]);
});

test("words that were written count though nobody pressed Save", async () => {
  await show(asked(1));
  const [field] = screen.getAllByLabelText("Your thought, in a sentence");
  if (!field) throw new Error("each point has its field");
  fireEvent.change(field, { target: { value: "those who copy slowly" } });
  fireEvent.blur(field, { relatedTarget: screen.getByRole("button", { name: "Skip and go on" }) });
  await waitFor(() => expect(sent[0]?.decisions).toEqual([{ item: "steps", choice: "answer", text: "those who copy slowly" }]));
  fireEvent.click(screen.getByRole("button", { name: "Skip the other 2 and go on" }));
  await waitFor(() => expect(sent[1]?.decisions?.map((it) => it.choice)).toEqual(["answer", "skip", "skip"]));
});

test("numbers decide and lead on to the next point; arrows go between points and decisions", async () => {
  await show(asked(2));
  const first = within(options(/^Outcomes/)).getByRole("button", { name: "Accept" });
  first.focus();
  fireEvent.keyDown(first, { key: "1" });
  await waitFor(() => expect(sent[0]?.decisions).toEqual([{ item: "outcomes", choice: "accept" }]));
  expect(document.activeElement?.closest("[data-options]")?.getAttribute("aria-label")).toBe("Success criteria");
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
  fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowRight" });
  expect(document.activeElement?.closest("[data-options]")?.getAttribute("aria-label")).toBe("Prior knowledge");
  expect(document.activeElement?.textContent).toBe("Revise");
});

test("the last point does not end the question before the teacher says so", async () => {
  const entry = asked(4);
  const page = await show(entry);
  press(/^Starter/, "Accept");
  await waitFor(() => expect(sent).toHaveLength(1));
  page.again({ ...entry, decided: { starter: { item: "starter", choice: "accept" } } });
  press(/^Plenary/, "Accept");
  expect(sent).toHaveLength(1);
  fireEvent.click(screen.getByRole("button", { name: "Go on" }));
  await waitFor(() => expect(sent[1]?.decisions).toEqual([{ item: "plenary", choice: "accept" }]));
});

test("for memory nothing is remembered by a press for all", async () => {
  await show(asked(5));
  expect(screen.queryByRole("button", { name: /Remember (all|both|it:)/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Remember nothing" }));
  await waitFor(() => expect(sent[0]?.decisions?.map((it) => it.choice)).toEqual(["dismiss", "dismiss"]));
});

test("alternatives stand beside each other and one is chosen", async () => {
  await show(asked(3));
  fireEvent.click(screen.getByRole("button", { name: "Choose “Alternative 2”" }));
  await waitFor(() => expect(sent[0]?.outcome).toEqual({ outcome: "answered", answer: { choice: "2" } }));
});

test("an answer that could not be kept says why and loses nothing", async () => {
  refuse = Response.json({ code: "journal.full", message: "The disk is full.", hint: "Make room." }, { status: 507 });
  await show(asked(0));
  press(/What does not/, "Leave it out");
  expect(await screen.findByText("The disk is full.")).toBeTruthy();
  expect(pressed(/What does not/)).toEqual(["Leave it out"]);
});

test("what was marked and not sent is there again after a reload", async () => {
  refuse = Response.json({ code: "journal.full", message: "The disk is full.", hint: "" }, { status: 507 });
  const entry = asked(0);
  const page = await show(entry);
  press(/What does not/, "Leave it out");
  await screen.findByText("The disk is full.");
  page.unmount();
  await show(entry);
  expect(pressed(/What does not/)).toEqual(["Leave it out"]);
});

test("a question of a kind and name that nobody knows here is put all the same", async () => {
  const common = { key: "k", run: "aa", at: 0, kind: "question", hash: "h", asker: "someone-elses", theme: "other", decided: {}, outcome: null, by: null, before: {} } as const;
  await show({ ...common, question: { id: "tone", title: "<b>Which tone?</b>", detail: "", kind: "text", suggestion: "plain" } });
  expect(screen.getByRole("heading", { name: "<b>Which tone?</b>" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Answer" }));
  await waitFor(() => expect(sent[0]?.outcome).toEqual({ outcome: "answered", answer: { text: "plain" } }));
});

test("what is sent is what differs from the journal", () => {
  const items = [1, 2, 3].map((n) => ({ id: `${n}`, label: "", detail: "" }));
  const accept = (item: string) => ({ item, choice: "accept" });
  expect(toSend(items, { 1: accept("1") }, { 1: accept("1"), 2: accept("2") }, "accept")).toEqual([accept("2"), accept("3")]);
  expect(toSend(items, { 1: accept("1") }, { 1: { item: "1", choice: "revise", text: "x" } })).toEqual([{ item: "1", choice: "revise", text: "x" }]);
  expect(wouldEnd(items, { 1: accept("1") }, new Set(["2"]), "3")).toBe(true);
  expect(wouldEnd(items, { 1: accept("1") }, new Set(), "3")).toBe(false);
});
