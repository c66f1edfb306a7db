// A whole lesson without a mouse.
import type { Page } from "playwright-core";
import { expect, test } from "./harness";
import { card, next } from "./lesson";

const TABS_MAX = 150;

/** Presses Tab until something with this name has the focus. */
async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    await page.keyboard.press(key);
    const now = await page.evaluate(() => {
      const it = document.activeElement;
      const labelled = (it as HTMLInputElement | null)?.labels?.[0]?.textContent;
      return (it?.getAttribute("aria-label") ?? labelled ?? it?.textContent ?? "").trim();
    });
    if (name.test(now)) return;
    passed.push(now.slice(0, 30));
  }
  throw new Error(`Tab never came to ${name}; it passed ${passed.join(" | ")}`);
}

test("a lesson is planned with the keyboard alone", async ({ tab: { page } }) => {
  await page.goto("/");
  await page.getByRole("radio", { name: /^3B/ }).waitFor();
  // The first stop leads past what is on every page.
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the page");
  await page.keyboard.press("Enter");

  await tabTo(page, /^(1B|2A|2C|3B)/);
  for (let at = 0; at < 8 && !(await page.getByRole("radio", { name: /^3B/ }).isChecked()); at += 1) await page.keyboard.press("ArrowRight");
  expect(await page.getByRole("radio", { name: /^3B/ }).isChecked()).toBe(true);
  await tabTo(page, /^Topic/);
  await page.keyboard.type("iteration");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/plan\//);

  const asked: (string | null)[] = [];
  for (let name = await next(page); name !== null; name = await next(page)) {
    const key = (await card(page).getAttribute("aria-labelledby")) ?? "";
    asked.push(name);
    await page.locator(`[id="${key}"]`).evaluate((it: HTMLElement) => it.focus());
    if (name === "context") {
      // Numbers decide and lead to the next point; arrows go between points.
      await tabTo(page, /^Use it/);
      await page.keyboard.press("1");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("3");
      await card(page).getByText(/^2 of 10 decided/).waitFor();
    }
    await tabTo(page, /and go on$|^Accept all|^Remember nothing|^Go on$/);
    await page.keyboard.press("Enter");
    await page.locator(`section[data-question][aria-labelledby="${key}"]`).waitFor({ state: "detached" });
  }
  expect(asked).toEqual(["context", "reflection", "sections", "memory"]);

  // Evidence opens and closes from the keyboard, and the focus comes to it.
  await page.getByRole("region", { name: "Lesson text" }).focus();
  await tabTo(page, /show the evidence/);
  await page.keyboard.press("Enter");
  const evidence = page.getByRole("complementary", { name: "Evidence" });
  await evidence.waitFor();
  expect(await evidence.evaluate((it) => it.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await evidence.waitFor({ state: "detached" });
});
