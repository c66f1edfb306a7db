// The first minutes: the link, the empty page, and that nobody else gets in.
import { expect, enter, test } from "./harness";

test("the link of the first start leads to a page that is ready to plan", async ({ start, open }) => {
  const program = await start();
  const stranger = await open({ at: program });
  stranger.expects(/\b401\b/);
  await stranger.page.goto("/");
  await stranger.page.getByText("teacher-assist printed a link where it was started.").waitFor();
  expect((await stranger.context.request.get(`${program.origin}/api/sessions`)).status()).toBe(401);

  const link = program.link();
  const tab = await open({ at: program });
  await enter(tab, program);
  const { page } = tab;
  expect(await page.locator("div#root").count()).toBe(1);
  for (const name of ["1B", "2A", "2C", "3B"]) await page.getByRole("radio", { name: new RegExp(`^${name}`) }).waitFor();
  expect(await page.getByText(/waiting/i).count()).toBe(0);

  // Without a topic it says what is missing, and begins nothing.
  await page.getByRole("button", { name: "Plan the lesson" }).click();
  await page.getByText("A topic is all that is needed.").waitFor();
  await page.getByRole("combobox", { name: "Topic" }).fill("TCH 3-1");
  await page.getByRole("option", { name: /TCH 3-1/ }).first().waitFor();

  // Every page has something to say before there is anything in it.
  for (const [name, words] of [
    ["Lessons", "No lessons yet"],
    ["Files", "Open a file"],
    ["Memory", "Nothing is remembered yet"],
    ["Set-up", "Ten minutes"],
  ] as const) {
    await page.getByRole("link", { name, exact: true }).click();
    await page.getByText(words).first().waitFor();
  }

  // The link was for one time.
  await stranger.page.goto(link);
  await stranger.page.waitForURL(/\/sign-in\?/);
  expect((await stranger.context.request.get(`${program.origin}/api/sessions`)).status()).toBe(401);
});
