// Several people: each signs in with a passcode and sees what is theirs; research is for researchers.
import { afterAll, beforeAll } from "vitest";
import { expect, Home, Program, type Tab, test } from "./harness";
import { begin, finish, next } from "./lesson";
import { agree } from "./shared";

const PASSCODES: Record<string, string> = { ailsa: "birch-lantern-seven-otters", hamish: "granite-kettle-nine-herons", study: "harbour-violet-three-foxes", desk: "copper-meadow-five-larks" };
const ROLES: Record<string, string> = { study: "researcher", desk: "operator" };
let program: Program;

beforeAll(async () => {
  const home = new Home();
  for (const [name, passcode] of Object.entries(PASSCODES)) {
    home.run(["people", "add", name, "--role", ROLES[name] ?? "teacher"], `${passcode}\n`);
  }
  program = await Program.start(home);
});
afterAll(async () => {
  await program.stop();
  program.home.remove();
});

async function signIn({ page }: Tab, name: string, passcode = PASSCODES[name] ?? ""): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("Name").fill(name);
  await page.getByLabel("Passcode").fill(passcode);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a wrong passcode lets nobody in", async ({ open }) => {
  const tab = await open({ at: program });
  tab.expects(/\b401\b/);
  await tab.page.goto("/memory");
  await tab.page.waitForURL(/\/sign-in/);
  await signIn(tab, "ailsa", "not this one at all");
  await tab.page.getByText("Name and passcode do not belong together.").waitFor();
  expect((await tab.context.request.get(`${program.origin}/api/sessions`)).status()).toBe(401);
  // The right one then does.
  await signIn(tab, "ailsa");
  await tab.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
});

test("what one teacher plans the other does not see", async ({ open }) => {
  const one = await open({ at: program });
  const other = await open({ at: program });
  for (const tab of [one, other]) tab.expects(/\b401\b/);
  await signIn(one, "ailsa");
  await one.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  await begin(one.page, "3B", "iteration");
  expect(await next(one.page)).toBe("context");
  const session = new URL(one.page.url()).pathname;

  await signIn(other, "hamish");
  await other.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  expect(await other.page.getByText(/waiting/i).count()).toBe(0);
  await other.page.getByRole("link", { name: "Lessons", exact: true }).click();
  await other.page.getByText("No lessons yet").waitFor();
  other.expects(/\b404\b/);
  await other.page.goto(session);
  await other.page.getByRole("alert").first().waitFor();
  expect(await other.page.locator("main").innerText()).not.toMatch(/Class 3B|What this lesson/);
  await finish(one.page);
});

test("a teacher is refused what is for researchers", async ({ open }) => {
  const tab = await open({ at: program });
  tab.expects(/\b40[13]\b/);
  await signIn(tab, "hamish");
  await tab.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  expect(await tab.page.getByRole("link", { name: "Research", exact: true }).count()).toBe(0);
  await tab.page.goto("/research");
  await tab.page.getByText("For researchers").waitFor();
  for (const path of ["runs", "components"]) {
    expect((await tab.context.request.get(`${program.origin}/api/research/${path}`)).status()).toBe(403);
  }
});

test("a researcher sees runs of those who agreed, without their names", async ({ open }) => {
  const teacher = await open({ at: program });
  teacher.expects(/\b401\b/);
  await signIn(teacher, "ailsa");
  await teacher.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  await begin(teacher.page, "3B", "iteration");
  await finish(teacher.page);
  const researcher = await open({ at: program });
  researcher.expects(/\b401\b/);
  await signIn(researcher, "study");
  await researcher.page.waitForURL((url) => url.pathname !== "/sign-in");
  await researcher.page.goto("/research");
  await researcher.page.getByRole("heading", { name: /^(Runs|Research)/ }).first().waitFor();
  const rows = researcher.page.getByRole("row").filter({ has: researcher.page.getByRole("link") });
  expect(await rows.count()).toBe(0);

  await teacher.page.goto("/memory");
  await agree(teacher.page);
  await researcher.page.reload();
  await rows.first().waitFor();
  expect(await researcher.page.locator("body").innerText()).not.toMatch(/ailsa/i);
});

test("an operator adds somebody, who signs in at once, and removes them", async ({ open }) => {
  const operator = await open({ at: program });
  operator.expects(/\b40[13]\b/);
  await signIn(operator, "desk");
  const { page } = operator;
  await page.getByRole("heading", { name: "People" }).waitFor();
  // Nothing of a teacher's is on offer.
  expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts()).toEqual(["People"]);
  await page.getByRole("button", { name: "Add a person" }).click();
  await page.getByLabel("Name").fill("isla");
  await page.getByLabel("Passcode").fill("short");
  operator.expects(/\b400\b/);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("people.passcode").waitFor();
  await page.getByLabel("Passcode").fill("seven-quiet-silver-owls");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("isla").waitFor();

  const added = await open({ at: program });
  added.expects(/\b401\b/);
  await signIn(added, "isla", "seven-quiet-silver-owls");
  await added.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  await page.getByRole("button", { name: "Change isla" }).click();
  await page.getByLabel("Name").fill("isla-m");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("button", { name: "Remove isla-m" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove isla-m" }).waitFor({ state: "detached" });
  await added.page.goto("/memory");
  await added.page.waitForURL(/\/sign-in/);
});

test("who is signed in twice ends one of the two, then all", async ({ open }) => {
  const [here, there] = [await open({ at: program }), await open({ at: program })];
  for (const tab of [here, there]) {
    tab.expects(/\b401\b/);
    await signIn(tab, "hamish");
    await tab.page.getByRole("heading", { name: "What are you planning?" }).waitFor();
  }
  const menu = async () => {
    await here.page.getByRole("button", { name: "You and this page" }).click();
    await here.page.getByRole("menuitem", { name: "Where you are signed in" }).click();
  };
  await menu();
  const dialog = here.page.getByRole("dialog");
  await dialog.getByText("This one").waitFor();
  const others = dialog.getByRole("button", { name: /^Sign out Chrome/ });
  // Those of the tests before this one hold as well.
  for (let left = await others.count(); left > 0; left -= 1) {
    await others.first().click();
    await expect.poll(() => others.count()).toBe(left - 1);
  }
  await there.page.goto("/memory");
  await there.page.waitForURL(/\/sign-in/);
  await dialog.getByRole("button", { name: "Sign out everywhere" }).click();
  await here.page.waitForURL(/\/sign-in/);
});
