import { test } from "./harness";
import { begin, card, next, rest, lesson, point } from "./lesson";
test("look", async ({ tab: { page } }) => {
  await begin(page, "3B", "iteration");
  for (let n = await next(page); n; n = await next(page)) {
    console.log(n, await card(page).ariaSnapshot());
    if (n === "sections") { console.log((await lesson(page).ariaSnapshot()).slice(0, 3000)); await page.screenshot({ path: "/tmp/e2e0/s.png" }); }
    await rest(page);
  }
  console.log((await page.locator("body").ariaSnapshot()).slice(0, 6000));
  await page.getByRole("button", { name: "Export" }).click();
  console.log(await page.getByRole("menu").ariaSnapshot());
});
