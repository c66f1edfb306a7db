// The pictures of the README, of the sample workspace and a lesson planned in it: `npm run screenshots`.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "./harness";
import { begin, card, finish, lesson, next, point, rest } from "./lesson";

const IMAGES = join(import.meta.dirname, "..", "..", "docs", "images");
const BYTES_MAX = 250_000;

async function take(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => Promise.all(document.getAnimations().map((it) => it.finished.catch(() => undefined))));
  // A field that has the focus blinks, and so differs from picture to picture.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(720, 899);
  mkdirSync(IMAGES, { recursive: true });
  const path = join(IMAGES, `${name}.png`);
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  expect(statSync(path).size).toBeLessThan(BYTES_MAX);
}

test("the pictures of the README", async ({ open }) => {
  const light = (await open({ colorScheme: "light" })).page;
  await begin(light, "3B", "iteration");
  while ((await next(light)) !== "sections") await rest(light);
  for (const name of ["Outcomes", "Success criteria"]) await point(light, name).getByRole("button", { name: "Accept" }).click();
  await point(light, /^Starter/).getByRole("button", { name: "Revise" }).click();
  await card(light).getByRole("textbox").fill("Five minutes, on mini-whiteboards");
  await card(light).getByRole("button", { name: "Save" }).click();
  await card(light).getByText(/^3 of 12 decided/).waitFor();
  await card(light).evaluate((it) => it.scrollIntoView({ block: "start" }));
  await take(light, "plan");
  const session = new URL(light.url()).pathname;
  await finish(light);

  const dark = (await open({ colorScheme: "dark" })).page;
  await dark.goto(session);
  await lesson(dark).getByRole("button", { name: /show the evidence in curriculum/ }).first().click();
  await dark.getByRole("complementary", { name: "Evidence" }).getByText("The file says what the lesson says it does.").waitFor();
  await take(dark, "evidence");

  await light.goto("/research");
  await light.getByRole("row").getByRole("link").first().click();
  await light.getByRole("tab", { name: "Timeline" }).waitFor();
  await light.getByRole("region", { name: /timeline/i }).or(light.locator("[role=tabpanel]")).first().waitFor();
  await light.getByRole("button", { name: "Hooks", exact: true }).or(light.getByRole("radio", { name: "Hooks", exact: true })).first().click();
  await take(light, "research");

  await dark.goto("/files?file=classes%2F3B.md");
  await dark.getByRole("textbox", { name: "Text of classes/3B.md" }).waitFor();
  await take(dark, "workspace");
});
