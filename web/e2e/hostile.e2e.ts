// Text from files and models is shown, and never more than shown: nothing runs, nothing leaves, the page stays at hand.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, afterAll } from "vitest";
import { HOSTILE, much } from "./hostile";
import { expect, Home, Program, type Tab, enter, test } from "./harness";
import { begin, card, next } from "./lesson";

/** Longest that the page may stand still while 5 MB of text are shown, in milliseconds, on a busy machine. */
const STILL_MAX_MS = 2_500;
const MUCH_BYTES = 5_000_000;

let program: Program;
const sessions: Record<string, string> = {};

/** A session that a model, played from a file, has answered with this text. */
function answered(home: Home, name: string, text: string): void {
  const script = join(home.dir, `${name}.json`);
  writeFileSync(script, JSON.stringify({ answers: Array.from({ length: 4 }, () => ({ text })) }));
  const args = ["--provider", "script", "--script", script, "--answers", "accept", "--output", "json", "lesson-planning:create-lesson", "iteration for 3B"];
  const said = home.run(args, "", [0, 3, 4, 5]);
  sessions[name] = (JSON.parse(said) as { session: string }).session;
}

beforeAll(async () => {
  const home = new Home();
  answered(home, "hostile", HOSTILE);
  answered(home, "much", much(MUCH_BYTES));
  mkdirSync(join(home.workspace, "lessons"), { recursive: true });
  writeFileSync(join(home.workspace, "lessons", "hostile.md"), HOSTILE);
  writeFileSync(join(home.workspace, "lessons", "<img src=x onerror=window.hostile=1>.md"), HOSTILE);
  writeFileSync(join(home.workspace, "lessons", "page.html"), "<script>window.hostile=1</script>");
  writeFileSync(join(home.workspace, "classes", "4H.md"), HOSTILE_CLASS);
  program = await Program.start(home);
});
afterAll(async () => {
  await program.stop();
  program.home.remove();
});

const HOSTILE_CLASS = `---
class: 4H
year: S4
level: fourth
subjects: [computing]
period_minutes: 50
needs:
  - group: two pupils <img src=x onerror="window.hostile=1">
    need: "[press](javascript:window.hostile=1) ![p](https://elsewhere.example/need.png)"
    support: <script>window.hostile=1</script>
---

# 4H

## What works

- <svg onload="window.hostile=1"></svg> drawing, <a href="javascript:window.hostile=1">then</a> code
`;

async function harmless({ page }: Tab): Promise<void> {
  expect(await page.evaluate(() => "hostile" in window)).toBe(false);
  const found = await page.evaluate(() => {
    const bad = [...document.querySelectorAll("main iframe, main object, main embed, main form[action], main base, main style, main link, main script, main video, main image, main meta")];
    const links = [...document.querySelectorAll("a[href]")].map((it) => (it as HTMLAnchorElement).protocol).filter((it) => !/^(https?|mailto):$/.test(it));
    const handlers = [...document.querySelectorAll("*")].flatMap((it) => it.getAttributeNames().filter((name) => name.startsWith("on")));
    const pictures = [...document.querySelectorAll("main img")].map((it) => (it as HTMLImageElement).src).filter((it) => !it.startsWith(location.origin));
    return [...bad.map((it) => it.outerHTML.slice(0, 200)), ...links, ...handlers, ...pictures];
  });
  expect(found).toEqual([]);
}

test("a lesson full of traps is read as text", async ({ open }) => {
  const tab = await open({ at: program });
  await enter(tab, program);
  await tab.go(`/plan/${sessions["hostile"]}`);
  const text = tab.page.getByRole("region", { name: "Lesson text" });
  await text.getByText("The last words of this lesson.").waitFor();
  await text.getByText("After what closes everything.").waitFor();
  await harmless(tab);
  // Pressing what looks like a link does nothing either.
  for (const words of ["press me", "and me", "mixed", "tabs"]) {
    const link = text.getByText(words, { exact: true });
    if ((await link.count()) > 0) await link.first().click({ trial: false, noWaitAfter: true });
  }
  await harmless(tab);
  expect(new URL(tab.page.url()).origin).toBe(program.origin);
  // Nothing hangs over the edge of the page.
  expect(await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test("files full of traps, by name and by text, are read as text", async ({ open }) => {
  const tab = await open({ at: program });
  const { page } = tab;
  await enter(tab, program);
  for (const name of [/^hostile/, /img src=x onerror/]) {
    await page.goto("/files");
    await page.getByRole("tree", { name: "Files" }).getByRole("treeitem", { name }).click();
    await page.getByText("Iteration").first().waitFor();
    await harmless(tab);
  }
  // Its name ends in .html: still no page, neither in the list nor under its address.
  const answer = await tab.context.request.get(`${program.origin}/api/files/lessons/page.html`);
  expect(answer.headers()["content-type"] ?? "").not.toContain("text/html");
  const asPage = await tab.context.request.get(`${program.origin}/lessons/page.html`);
  expect(await asPage.text()).not.toContain("window.hostile");
});

test("titles and reasons of components are plain text", async ({ open }) => {
  const tab = await open({ at: program });
  await enter(tab, program);
  await begin(tab.page, "4H", "iteration");
  expect(await next(tab.page)).toBe("context");
  await card(tab.page).getByText(/Need: two pupils <img src=x/).waitFor();
  await harmless(tab);
});


test("5 MB of markdown leave the page at hand", async ({ open }) => {
  const tab = await open({ at: program });
  const { page } = tab;
  await enter(tab, program);
  await page.addInitScript(() => {
    const holder = window as unknown as { still: number };
    holder.still = 0;
    let last = performance.now();
    const look = () => {
      const now = performance.now();
      holder.still = Math.max(holder.still, now - last);
      last = now;
      setTimeout(look, 20);
    };
    look();
  });
  const started = Date.now();
  await tab.go(`/plan/${sessions["much"]}`);
  const text = page.getByRole("region", { name: "Lesson text" });
  await text.getByRole("heading", { name: "Part" }).first().waitFor();
  const shown = Date.now() - started;
  // It can be scrolled and typed into at once.
  await text.press("PageDown");
  const field = page.getByLabel("Your next request");
  await field.fill("shorter");
  expect(await field.inputValue()).toBe("shorter");
  const still = await page.evaluate(() => (window as unknown as { still: number }).still);
  console.log(`5 MB of markdown: seen after ${shown} ms, longest standstill ${Math.round(still)} ms`);
  expect(still).toBeLessThan(STILL_MAX_MS);
});
