// A lesson from the first click to the file on disk, with every decision made in the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { enter, expect, test } from "./harness";
import { begin, card, finish, go, lesson, next, point, rest, section } from "./lesson";

test("a lesson is planned with every decision made in the page", async ({ start, open }) => {
  // A program of its own: what was dismissed from memory elsewhere is not proposed again.
  const program = await start();
  const tab = await open({ at: program });
  const { page } = tab;
  const { workspace } = program.home;
  await enter(tab, program);
  await begin(page, "3B", "iteration");

  // What it relies on: one point changed, one left out, the others used.
  expect(await next(page)).toBe("context");
  await point(page, /^Class 3B/).getByRole("button", { name: "Change it" }).click();
  await page.getByLabel("What should it say instead?").fill("S3, third level, 45 minutes");
  await card(page).getByRole("button", { name: "Save" }).click();
  await point(page, "3B: What does not").getByRole("button", { name: "Leave it out" }).click();
  await card(page).getByRole("button", { name: "Use the other 8 and go on" }).click();

  // Reflection: one thought, the rest skipped.
  await card(page).and(page.locator('[data-question="reflection"]')).waitFor();
  await card(page).getByRole("textbox").first().fill("The two who copy slowly");
  await card(page).getByRole("button", { name: "Save" }).first().click();
  await card(page).getByRole("button", { name: /^Skip/ }).last().click();

  // Sections: the buttons beside a heading of the lesson and those in the conversation are the same decision.
  await card(page).and(page.locator('[data-question="sections"]')).waitFor();
  await lesson(page).getByRole("group", { name: "Your decision on Outcomes" }).getByRole("button", { name: "Accept" }).click();
  await point(page, "Outcomes").getByRole("button", { name: "Accept", pressed: true }).waitFor();
  await card(page).getByRole("button", { name: /^Accept the other \d+ and go on$/ }).click();

  // Memory: nothing is proposed to all at once; this one note is kept.
  await card(page).and(page.locator('[data-question="memory"]')).waitFor();
  const notes = await card(page).getByRole("button", { name: "Remember it", exact: true }).all();
  for (const note of notes) await note.click();
  await go(page);

  await page.getByText("Your lesson is ready and saved").waitFor();
  const path = await page.getByText(/^lessons\/.+\.md$/).innerText();
  const text = readFileSync(join(workspace, path), "utf8");
  expect(text).toContain("# Iteration");
  expect(text).toContain("45 minutes");
  for (const summary of ["1 changed", "1 left out", "8 used", "12 accepted"]) await page.getByText(new RegExp(`${summary}\\b`)).waitFor();

  // What was kept is on the page of memory, and can be deleted there.
  await page.goto("/memory");
  await page.getByText(/Planned “?"?Iteration/).first().waitFor();
});

test("evidence opens beside the claim, with the cited lines marked", async ({ tab: { page } }) => {
  await begin(page, "3B", "iteration");
  await finish(page);
  await lesson(page).getByRole("button", { name: /show the evidence in curriculum\/cfe-computing\.md/ }).first().click();
  const evidence = page.getByRole("complementary", { name: "Evidence" });
  await evidence.getByText("The file says what the lesson says it does.").waitFor();
  await evidence.getByText("Cited from here:").waitFor();
  await evidence.getByText("Cited from here:").locator("..").getByText(/TCH 3-14a/).waitFor();
  await page.keyboard.press("Escape");
  await evidence.waitFor({ state: "detached" });
});

test("one section is revised, and the others stay word for word", async ({ tab: { page } }) => {
  await begin(page, "3B", "iteration");
  while ((await next(page)) !== "sections") await rest(page);
  const before = await section(page, "Explanation");
  await point(page, /^Starter/).getByRole("button", { name: "Revise" }).click();
  await card(page).getByRole("textbox").fill("five minutes, on mini-whiteboards");
  await card(page).getByRole("button", { name: "Save" }).click();
  await card(page).getByRole("button", { name: /^Accept the other \d+ and go on$/ }).click();

  // It comes back with only what was asked for, and what changed in it can be seen.
  await page.getByText("Draft 2 is ready").waitFor();
  expect(await next(page)).toBe("sections");
  const shown = () => card(page).locator("[data-options]").evaluateAll((all) => all.map((it) => it.getAttribute("aria-label") ?? ""));
  // The card of the first draft may stand for a moment longer, and then for a moment none.
  const only = (names: string[]) => names.length < 12 && names.some((name) => name.startsWith("Starter"));
  await expect.poll(async () => only(await shown()), { timeout: 20_000 }).toBe(true);
  await page.getByRole("button", { name: "Show what changed since the last draft" }).click();
  await lesson(page).locator("ins").first().waitFor();
  await page.getByRole("button", { name: "Hide what changed" }).click();
  expect(before.length).toBeGreaterThan(200);
  expect(await section(page, "Explanation")).toBe(before);
  await finish(page);
});

test("alternatives are compared side by side, and one is taken", async ({ tab: { page } }) => {
  await begin(page, "3B", "iteration");
  while ((await next(page)) !== "sections") await rest(page);
  await point(page, /^Starter/).getByRole("button", { name: "Alternatives" }).click();
  await card(page).getByRole("button", { name: "2", exact: true }).click();
  await card(page).getByRole("button", { name: /^Accept the other \d+ and go on$/ }).click();

  await page.locator('[data-question^="alternatives"]').waitFor();
  await card(page).getByRole("button", { name: "Compare side by side" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Mark what differs from the section as it is").check();
  await dialog.locator("ins").first().waitFor();
  expect(await dialog.getByRole("button", { name: /^Choose/ }).count()).toBe(2);
  const chosen = dialog.getByRole("listitem").filter({ has: page.getByRole("button", { name: /Choose “Alternative 2”/ }) });
  const words = (await chosen.locator("p, li").first().innerText()).trim();
  await dialog.getByRole("button", { name: /Choose “Alternative 2”/ }).click();

  await dialog.waitFor({ state: "detached" });
  expect(await next(page)).not.toMatch(/^alternatives/);
  await finish(page);
  await page.getByText(/You chose: Alternative 2/).waitFor();
  await lesson(page).getByText(words.slice(0, 40)).first().waitFor();
});

test("who presses the button before everything has come is not left standing", async ({ tab: { page } }) => {
  await page.route("**/api/commands", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await route.continue();
  });
  await begin(page, "3B", "iteration");
  expect(await next(page)).toBe("context");
});
