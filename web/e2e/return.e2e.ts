// What lasts: the question that waits, the work in the middle, what two tabs see of each other.
import { expect, type Program, type Tab, enter, test } from "./harness";
import { begin, card, finish, lesson, next, point, rest } from "./lesson";

/** A server that is gone for a while, as the browser tells it. */
const GONE = /net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE_CHUNKED_ENCODING|SOCKET_NOT_CONNECTED)/;

test("a question waits for the teacher who left, in another browser too", async ({ tab, open }) => {
  await begin(tab.page, "2A", "the Jacobites");
  expect(await next(tab.page)).toBe("context");
  await point(tab.page, /^Class 2A/).getByRole("button", { name: "Use it" }).click();
  await card(tab.page).getByText(/^1 of \d+ decided/).waitFor();
  const session = new URL(tab.page.url()).pathname;
  await tab.page.close();

  const { page } = await open();
  await page.goto("/memory");
  await page.getByRole("button", { name: /questions? waiting/ }).click();
  await page.getByRole("dialog", { name: "Questions waiting for you" }).getByRole("link", { name: /jacobites/i }).click();
  await page.waitForURL((url) => url.pathname === session);
  expect(await page.title()).toMatch(/^\(\d+\) /);
  await point(page, /^Class 2A/).getByRole("button", { name: "Use it", pressed: true }).waitFor();
  await finish(page);
});

test("a reload in the middle loses nothing", async ({ tab: { page } }) => {
  await begin(page, "3B", "selection");
  // While the first draft is being made.
  await page.reload();
  expect(await next(page)).toBe("context");
  await point(page, "3B: What works").getByRole("button", { name: "Leave it out" }).click();
  await card(page).getByText(/^1 of \d+ decided/).waitFor();
  await page.reload();
  await point(page, "3B: What works").getByRole("button", { name: "Leave it out", pressed: true }).waitFor();
  await rest(page);
  await page.reload();
  const asked = await finish(page);
  expect(asked).not.toContain("context");
  expect(asked).toContain("sections");
  await page.reload();
  await page.getByText("Your lesson is ready and saved").waitFor();
  expect(await page.getByText("You asked: ").count()).toBe(1);
});

test("the program is killed in the middle, started again, and the lesson goes on", async ({ start, open }) => {
  const first = await start();
  const tab = await open({ at: first });
  const { page } = tab;
  await enter(tab, first);
  await begin(page, "3B", "iteration");
  while ((await next(page)) !== "sections") await rest(page);
  await point(page, "Outcomes").getByRole("button", { name: "Accept" }).click();
  await card(page).getByText(/^1 of \d+ decided/).waitFor();
  await idle(tab);
  tab.expects(GONE);
  await first.kill();
  await page.getByText("No connection to the planner. Nothing is lost; trying again.").waitFor();

  const again: Program = await start([], first.home, first.port);
  expect(again.port).toBe(first.port);
  await page.getByText("No connection to the planner").waitFor({ state: "detached" });
  // The question is there as it was, with what was decided on it.
  expect(await next(page)).toBe("sections");
  await point(page, "Outcomes").getByRole("button", { name: "Accept", pressed: true }).waitFor();
  await finish(page);
  expect(await page.getByText("A first draft is ready").count()).toBe(1);
});

/** Waits until what was sent is answered. */
async function idle(tab: Tab): Promise<void> {
  await tab.page.waitForFunction(() => {
    const sent = performance.getEntriesByType("resource").filter((it) => it.name.endsWith("/answers"));
    return sent.length > 0 && sent.every((it) => (it as PerformanceResourceTiming).responseEnd > 0);
  });
}

test("two tabs on one lesson see the same, and one decision is taken once", async ({ tab, open }) => {
  await begin(tab.page, "3B", "iteration");
  expect(await next(tab.page)).toBe("context");
  const other = await open();
  await other.page.goto(new URL(tab.page.url()).pathname);
  await point(other.page, "3B: What works").getByRole("button", { name: "Leave it out" }).click();
  await point(tab.page, "3B: What works").getByRole("button", { name: "Leave it out", pressed: true }).waitFor();

  // Both end the same question; the one that is too late hears so and goes on with the other.
  tab.expects(/\b409\b/);
  other.expects(/\b409\b/);
  const [one, two] = [tab.page, other.page].map((page) => card(page).locator("footer").getByRole("button").last());
  await Promise.all([one?.click(), two?.click()]);
  for (const page of [tab.page, other.page]) await page.locator('section[data-question="context"]').waitFor({ state: "detached" });

  for (;;) {
    const name = await next(tab.page);
    expect(await next(other.page)).toBe(name);
    if (name === null) break;
    const key = (await card(other.page).getAttribute("aria-labelledby")) ?? "";
    await rest(tab.page);
    await other.page.locator(`section[aria-labelledby="${key}"]`).waitFor({ state: "detached" });
  }
  await other.page.getByText("Your lesson is ready and saved").waitFor();
  expect(await lesson(other.page).innerText()).toBe(await lesson(tab.page).innerText());
});
