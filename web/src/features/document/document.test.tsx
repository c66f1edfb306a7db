import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/ui/tooltip";
import { recorded } from "../../../tests/journal";
import { DocumentPane, type ShownLesson } from ".";

const last = recorded("lesson-for-3b").at(-1);
const text = last?.type === "run.finished" ? (last.output ?? "") : "";
const LESSON: ShownLesson = { text, version: 9, round: 1, final: true, saved: "lessons/3B-iteration.md", before: null };
const evidence = { claim: "c", path: "curriculum/cfe-computing.md", from: 172, to: 176, quote: "q", holds: false, why: "Line 176 says something else." };
const sections = [
  { id: "a", title: "Outcomes", audience: "teacher" },
  { id: "b", title: "Exit questions", audience: "pupil" },
];

beforeEach(() => {
  vi.stubGlobal("fetch", (path: string) => {
    if (path.startsWith("/api/files/")) {
      const lines = Array.from({ length: 400 }, (_, at) => `line ${at + 1} of the curriculum`).join("\n");
      return Promise.resolve(Response.json({ path: evidence.path, text: lines, sha256: "", role: "curriculum", writable: false, problems: [] }));
    }
    if (path.startsWith("/api/plugins/")) return Promise.resolve(Response.json({ result: { sections }, writes: [], written: [], left: [] }));
    return Promise.resolve(Response.json({ run: "r", markdown: text, sections: [], evidence: [evidence], drafts: [] }));
  });
});
afterEach(() => vi.unstubAllGlobals());

const show = (lesson: ShownLesson | null, writing: string | null = null) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <DocumentPane session="s" lesson={lesson} writing={writing} loading={false} working={false} asked={null} />
      </TooltipProvider>
    </QueryClientProvider>,
  );

test("a claim opens the lines that it cites, marked, with what the check found", async () => {
  show(LESSON);
  fireEvent.click(await screen.findByRole("button", { name: /^TCH 3-14a: show the evidence/ }));
  expect(await screen.findByText("curriculum/cfe-computing.md, lines 172 to 176")).toBeTruthy();
  expect(screen.getByText("Line 176 says something else.")).toBeTruthy();
  const marked = await waitFor(() => {
    const found = [...document.querySelectorAll("li.bg-mark")].map((it) => it.textContent);
    expect(found).toHaveLength(5);
    return found;
  });
  expect(marked[0]).toContain("line 172 of the curriculum");
  fireEvent.keyDown(screen.getByRole("complementary", { name: "Evidence" }), { key: "Escape" });
  expect(screen.queryByRole("complementary", { name: "Evidence" })).toBeNull();
});

test("what pupils see stands alone when it is asked for", async () => {
  show(LESSON);
  expect(await screen.findByRole("heading", { name: "Differentiation" })).toBeTruthy();
  fireEvent.click(await screen.findByRole("button", { name: "Show only what pupils see" }));
  expect(screen.queryByRole("heading", { name: "Differentiation" })).toBeNull();
  expect(screen.getByRole("heading", { name: "Exit questions" })).toBeTruthy();
});

test("what is being written is shown as it comes, and cannot be exported", async () => {
  show(null, "# Loops\n\n## Starter\n\nOne ques");
  expect(await screen.findByText("One ques")).toBeTruthy();
  expect(screen.getByText("Being written")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Export/ })).toBeNull();
});

test("what changed since the draft before is named, and marked when it is asked for", async () => {
  show({ ...LESSON, final: false, before: text.replace("Boards up.", "Boards down.") });
  expect(await screen.findByText("changed")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Show what changed since the last draft" }));
  await waitFor(() => expect(document.querySelector("del")?.textContent).toContain("down"));
  expect(document.querySelector("ins")?.textContent).toContain("up");
});

test("ten megabytes are cut, and say so", async () => {
  const { container } = show({ ...LESSON, text: `# Long\n\n## Part\n\n${"word ".repeat(2_000_000)}` });
  expect(await screen.findByText(/too long to show whole/)).toBeTruthy();
  expect(container.textContent.length).toBeLessThan(500_000);
});

test("thirty thousand headings are a few sections and plain text", async () => {
  const { container } = show({ ...LESSON, text: `# Much\n\n${"## Part\n\nSome **words** and a list:\n\n- one\n\n".repeat(30_000)}` });
  expect((await screen.findAllByRole("heading", { name: "Part" })).length).toBeLessThan(100);
  expect(screen.getByText(/are shown as they are written/)).toBeTruthy();
  expect(screen.getByText(/too long to show whole/)).toBeTruthy();
  expect(container.querySelectorAll("*").length).toBeLessThan(3_000);
  // Nothing of what is shown is lost or stands twice.
  expect(container.querySelector(".plain")?.textContent).toMatch(/^## Part\n\nSome \*\*words\*\*/);
});

test("what teachers alone see does not come to pupils behind many sections", async () => {
  const many = "## Exit questions\n\nWhat is a loop?\n\n## Answers\n\nSecret.\n\n".repeat(200);
  const { container } = show({ ...LESSON, text: `# Much\n\n${many}` });
  expect(container.textContent).toContain("Secret.");
  fireEvent.click(await screen.findByRole("button", { name: "Show only what pupils see" }));
  expect(container.querySelector(".plain")?.textContent).toContain("What is a loop?");
  expect(container.textContent).not.toContain("Secret.");
});

test("before there is a lesson it says where it will be", () => {
  show(null);
  expect(screen.getByRole("heading", { name: "No lesson yet" })).toBeTruthy();
});
