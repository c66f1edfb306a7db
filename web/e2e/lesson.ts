// Steps of a lesson, done as a person does them: by what is written on the page.
import type { Locator, Page } from "playwright-core";

/** Chooses a class and a topic and begins. */
export async function begin(page: Page, group: string, topic: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("radio", { name: new RegExp(`^${group}`) }).check({ force: true });
  await page.getByLabel("Topic").fill(topic);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Plan the lesson" }).click();
  await page.waitForURL(/\/plan\/[0-9a-f]+/);
}

export const card = (page: Page): Locator => page.locator("section[data-question]");
const finished = (page: Page): Locator => page.getByText("Your lesson is ready and saved").last();

/** The open question, once there is one. */
export async function question(page: Page): Promise<Locator> {
  await card(page).waitFor();
  return card(page);
}

/** The group of buttons that decide on one point. */
export const point = (page: Page, name: string | RegExp): Locator => card(page).getByRole("group", { name });

/** Presses what answers all the open points that are left, then waits for what comes next: another question, or the end. */
export async function rest(page: Page): Promise<void> {
  const open = await question(page);
  const key = await open.getAttribute("aria-labelledby");
  const foot = open.locator("footer");
  const press = (await foot.count()) > 0 ? foot.getByRole("button").last() : open.getByRole("button", { name: /^Choose|^Answer/ }).first();
  await press.click();
  await page.locator(`section[data-question][aria-labelledby="${key}"]`).waitFor({ state: "detached" });
}

/** What the lesson waits for now: the name of a question, or nothing where it is over. */
export async function next(page: Page): Promise<string | null> {
  for (;;) {
    await card(page).or(finished(page)).first().waitFor();
    if ((await card(page).count()) > 0) return card(page).getAttribute("data-question");
    if ((await finished(page).count()) > 0) return null;
    // The question before went away between the two looks.
  }
}

/** Answers whatever is asked with what is proposed, until the lesson is saved; returns what was asked. */
export async function finish(page: Page): Promise<string[]> {
  const asked: string[] = [];
  for (let name = await next(page); name !== null; name = await next(page)) {
    asked.push(name);
    await rest(page);
  }
  return asked;
}

/** The lesson beside the conversation. */
export const lesson = (page: Page): Locator => page.getByRole("region", { name: "Lesson text" });

/** Goes on once every point is decided. */
export const go = (page: Page): Promise<void> => card(page).getByRole("button", { name: "Go on" }).click();

/** The words of one section of the lesson, without the decisions on it. */
export async function section(page: Page, name: string): Promise<string> {
  const found = lesson(page).locator("section").filter({ has: page.getByRole("heading", { name: new RegExp(`^${name}`) }) });
  return (await found.locator("p, li, td, th, code").allTextContents()).join("\n");
}
