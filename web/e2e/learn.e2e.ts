// The page of learners: a session by code from its link to its end, and everything that can happen on the way.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { found, sideways } from "./axe";
import { expect, enter as signIn, type Tab, test } from "./harness";
import { answered, enter, field, give, type Given, MATHS, NOBODY, PLAN, revoke, says, sessionOf, status, talk } from "./learning";

/** Problems of the shipped topic with its six sections, solved without a mistake: no more than this. */
const PROBLEMS_MAX = 60;
const GONE = /net::ERR_(INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|NETWORK_CHANGED)/;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const press = (tab: Tab, name: string) => tab.page.getByRole("button", { name, exact: true }).click();

/** Opens one link after the other until a first problem has a drawing: which problem comes first is drawn by lot. */
async function drawn(tab: Tab, codes: Given[]): Promise<Given> {
  for (const code of codes) {
    await enter(tab, code, "trigonometry");
    const drawing = talk(tab.page).locator("svg polygon").first();
    const there = await drawing.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    if (there) return code;
    await tab.page.goto("about:blank");
  }
  throw new Error("no problem has a drawing");
}

test("a link leads through a whole topic, with formulas and drawings, to its end", async ({ tab: teacher, open }) => {
  const tab = await open(NOBODY);
  const { page } = tab;
  const code = await drawn(tab, await give(teacher, MATHS, 12));
  // The code leaves the address as soon as it was read, and is no part of any request's address.
  expect(page.url()).toBe(`${tab.origin}/learn`);
  expect(tab.asked.join(" ")).not.toContain(code.code);
  await page.getByRole("heading", { name: "Right-angled triangles" }).waitFor();
  await talk(page).getByRole("img", { name: /triangle/i }).first().waitFor();
  expect(await talk(page).locator("svg polygon").count()).toBeGreaterThan(0);
  expect(await page.locator("[aria-current=step]").innerText()).toContain("Naming the sides");

  // Help comes step by step, and none of it counts as an answer.
  expect(await page.getByRole("button", { name: "Show me how" }).count()).toBe(0);
  await press(tab, "Hint");
  await talk(page).getByText("A question to start with.").waitFor();
  await answered(page);
  await press(tab, "I don’t know");
  await talk(page).getByText("An idea.").waitFor();
  await answered(page);
  await press(tab, "Show me how");
  await talk(page).getByText("Answer:").waitFor();
  await answered(page);
  await says(page, "no side at all");

  const session = await sessionOf(teacher, MATHS, code);
  let number = 0;
  for (; number < PROBLEMS_MAX; number += 1) {
    const now = await status(teacher, MATHS, session);
    if (now.ended !== null || !now.answer) break;
    await says(page, now.answer);
  }
  expect(number).toBeGreaterThan(12);
  await page.getByText("You have finished this topic. You can close this page.").waitFor();
  expect((await status(teacher, MATHS, session)).status).toBe("completed");
  await page.getByText("6 of 6 sections done").waitFor();
  expect(await talk(page).locator(".katex").count()).toBeGreaterThan(3);
  // It is still there for whoever opens it again.
  await page.reload();
  await page.getByText("You have finished this topic. You can close this page.").waitFor();
  expect(await talk(page).locator("li").count()).toBeGreaterThan(20);
}, 300_000);

test("a reload in the middle loses neither what was said nor what was being written", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, MATHS);
  if (!code) throw new Error("no code");
  const tab = await open(NOBODY);
  const { page } = tab;
  await enter(tab, code, "fractions");
  await says(page, "hint");
  await field(page).fill("3/4 or so");
  await page.reload();
  await field(page).waitFor();
  expect(await field(page).inputValue()).toBe("3/4 or so");
  await talk(page).getByText("Welcome back. You are in section 1, Equal fractions, at problem 1.").waitFor();
  await talk(page).getByText("A question to start with.").waitFor();
  expect(await talk(page).getByText("hint", { exact: true }).count()).toBeGreaterThan(0);
  // While an answer is under way, too.
  await field(page).fill("99");
  await field(page).press("Enter");
  await page.reload();
  await field(page).waitFor();
  await talk(page).getByText("99", { exact: true }).waitFor();
  expect(await talk(page).getByText("99", { exact: true }).count()).toBe(1);
});

test("a code that is wrong, unfinished, revoked or over opens nothing and says so", async ({ start, open }) => {
  const program = await start();
  const teacher = await open({ at: program });
  await signIn(teacher, program);
  const [revoked, over, good] = await give(teacher, MATHS, 3);
  if (!revoked || !over || !good) throw new Error("no codes");
  await revoke(teacher, MATHS, revoked);
  await teacher.page.close();
  const tab = await open({ at: program });
  const { page } = tab;
  tab.expects(/\b401\b/);
  const tries = async (code: string, words: RegExp) => {
    await page.goto("/learn");
    await page.getByLabel("Code").fill(code);
    await page.getByRole("button", { name: "Start" }).click();
    await page.getByText(words).waitFor();
  };
  await tries("7KQ2M-9XWPD", /not a whole code/);
  await tries("7KQ2M-9XWPD-HT4ZB-E6RVN", /this access code opens nothing/);
  await tries(revoked.code, /this access code was revoked/);
  // A link with such a code says the same.
  await page.goto("/");
  await page.goto(`/learn#${revoked.code}`);
  await page.getByText(/this access code was revoked/).waitFor();

  await program.stop();
  const journal = join(program.home.dir, "data", "journal.db");
  const past = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('UPDATE codes SET expires_ms = 1 WHERE id = ?', (sys.argv[2],)); db.commit()";
  expect(spawnSync("python3", ["-c", past, journal, over.id]).status).toBe(0);
  await start([], program.home, program.port);
  await tries(over.code, /the time of this access code is over/);
  // What was mistyped is put right, and nothing of the wrong ones is left over.
  await tries(` ${good.code.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`, /What do you want to work on/);
  await page.getByLabel("Topic").fill("linear equations");
  await page.getByRole("button", { name: "Begin" }).click();
  await field(page).waitFor();
});

test("two tabs of one code go on together, and neither speaks over the other", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, MATHS);
  if (!code) throw new Error("no code");
  const [one, two] = [await open(NOBODY), await open(NOBODY)];
  await enter(one, code, "fractions");
  await enter(two, code, "fractions");
  await says(one.page, "hint");
  // The other one answers a question that has gone on since: its words stay, and it sees what happened.
  two.expects(/\b409\b/);
  await field(two.page).fill("12345");
  await field(two.page).press("Enter");
  await talk(two.page).getByText("A question to start with.").waitFor();
  await two.page.getByRole("alert").getByText(/gone on since/).waitFor();
  expect(await field(two.page).inputValue()).toBe("12345");
  await field(two.page).press("Enter");
  await talk(two.page).getByText("12345", { exact: true }).waitFor();
  await answered(two.page);
  // And the first one follows when it is looked at again.
  await one.page.evaluate(() => dispatchEvent(new Event("focus")));
  await talk(one.page).getByText("12345", { exact: true }).waitFor();
});

test("nothing is lost where the connection goes, or the program", async ({ start, open }) => {
  const program = await start();
  const teacher = await open({ at: program });
  await signIn(teacher, program);
  const [code] = await give(teacher, MATHS);
  if (!code) throw new Error("no code");
  const tab = await open({ at: program });
  const { page } = tab;
  await enter(tab, code, "fractions");
  await teacher.page.close();
  tab.expects(GONE);
  await tab.context.setOffline(true);
  await field(page).fill("777");
  await field(page).press("Enter");
  await page.getByText("No connection. Nothing you have written is lost.").waitFor();
  expect(await field(page).inputValue()).toBe("777");
  await tab.context.setOffline(false);
  await page.getByText("No connection. Nothing you have written is lost.").waitFor({ state: "detached" });
  await field(page).press("Enter");
  await talk(page).getByText("777", { exact: true }).waitFor();
  await answered(page);

  await program.kill();
  await field(page).fill("888");
  await field(page).press("Enter");
  await page.getByText("No connection. Nothing you have written is lost.").waitFor();
  await start([], program.home, program.port);
  await page.getByRole("button", { name: "Try now" }).click();
  await page.getByText("No connection. Nothing you have written is lost.").waitFor({ state: "detached" });
  await field(page).press("Enter");
  await talk(page).getByText("888", { exact: true }).waitFor();
  await answered(page);
  for (const said of ["777", "888"]) expect(await talk(page).getByText(said, { exact: true }).count()).toBe(1);
});

test("a session with a plan: its steps fill, and it waits for a teacher where it has to", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, PLAN);
  if (!code) throw new Error("no code");
  const tab = await open(NOBODY);
  const { page } = tab;
  await enter(tab, code, "Comparing fractions");
  await page.getByText("0 of 3 steps done").waitFor();
  for (const right of ["3/8", "6"]) await says(page, right);
  await page.getByText("1 of 3 steps done").waitFor();
  for (let round = 0; round < 4; round += 1) await says(page, "this makes no sense to me, I am so confused");
  await page.getByText(/Your teacher has been asked to look at this/).waitFor();
  expect(await field(page).count()).toBe(0);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the page of learners, ${colorScheme}`, async ({ tab: teacher, open }) => {
    const wrong: Record<string, string[]> = {};
    for (const [size, options] of [["wide", {}], ["phone", PHONE]] as const) {
      const tab = await open({ ...NOBODY, ...options, colorScheme });
      const { page } = tab;
      const look = async (name: string) => {
        const all = [...(await found(page)), ...(await sideways(page))];
        if (all.length > 0) wrong[`${name}, ${size}`] = all;
      };
      await page.goto("/learn");
      await page.getByLabel("Code").waitFor();
      await look("the code");
      // A link that is opened where the page is open already counts as well.
      await drawn(tab, await give(teacher, MATHS, 12));
      await says(page, "0");
      await says(page, "hint");
      await look("a session");
      if (size === "phone") {
        await press(tab, "Sections");
        await page.getByRole("dialog").waitFor();
        await look("sections");
        await page.getByRole("dialog").getByRole("button", { name: /Sine, cosine and tangent/ }).click();
        await answered(page);
        await talk(page).locator(".katex").first().waitFor();
        await look("formulas");
      }
    }
    expect(wrong).toEqual({});
  });
}

test("a session on a phone of 390 by 844, with what is needed in sight", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, MATHS);
  if (!code) throw new Error("no code");
  const tab = await open({ ...NOBODY, ...PHONE });
  const { page } = tab;
  await enter(tab, code, "trigonometry");
  await page.getByRole("button", { name: "square root" }).tap();
  await page.getByRole("button", { name: "squared" }).tap();
  expect(await field(page).inputValue()).toBe("√²");
  expect(await sideways(page)).toEqual([]);
  // Everything that is tapped is large enough for a finger, and the field is in sight.
  const small = await page.evaluate(() =>
    [...document.querySelectorAll("button, input")].map((it) => ({ it, box: it.getBoundingClientRect() })).filter(({ box }) => box.width > 0 && (box.width < 36 || box.height < 36)).map(({ it }) => it.outerHTML.slice(0, 120)),
  );
  expect(small).toEqual([]);
  const box = await field(page).boundingBox();
  expect((box?.y ?? 9_999) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
  await page.getByRole("button", { name: "Send" }).tap();
  await answered(page);
});

test("a session with the keyboard alone, and what is new is told to screen readers", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, MATHS);
  if (!code) throw new Error("no code");
  const { page } = await open(NOBODY);
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.id ?? "");
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      const now = await page.evaluate(() => document.activeElement === document.body ? "" : `${document.activeElement?.id ?? ""} ${document.activeElement?.getAttribute("aria-label") ?? ""} ${document.activeElement?.textContent ?? ""}`);
      if (name.test(now)) return;
    }
    throw new Error(`Tab never came to ${name}`);
  };
  await page.goto("/learn");
  await page.getByLabel("Code").waitFor();
  await page.keyboard.type(code.code);
  await page.keyboard.press("Enter");
  await page.getByLabel("Topic").waitFor();
  await page.keyboard.type("trigonometry");
  await page.keyboard.press("Enter");
  await field(page).waitFor();
  // The first stop leads past everything to the answer.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  expect(await focused()).toBe("answer");
  await page.keyboard.type("hint");
  await page.keyboard.press("Enter");
  await talk(page).getByText("A question to start with.").waitFor();
  await answered(page);
  expect(await focused()).toBe("answer");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(/Sine, cosine and tangent/);
  await page.keyboard.press("Enter");
  await talk(page).getByText(/Section 2: Sine, cosine and tangent/).waitFor();
  await answered(page);
  expect(await page.locator("[aria-current=step]").innerText()).toContain("Sine, cosine and tangent");
  // New messages are put into a region that is read out politely, each with who said it.
  expect(await talk(page).getAttribute("aria-live")).toBe("polite");
  expect(await talk(page).locator("li").last().innerText()).toContain("Tutor:");
});
