// The teacher's side of sessions by code: links given, sessions side by side, one of them whole, a decision where one is asked for.
import { found, sideways } from "./axe";
import { expect, test } from "./harness";
import { enter, field, give, MATHS, NOBODY, PLAN, says, sessionOf, talk } from "./learning";

const LOST = "this makes no sense to me, I am so confused";

test("links are given on the page, each shown once, and one of them opens a session that is listed", async ({ tab: teacher, open }) => {
  const { page } = teacher;
  await page.goto("/learners?tutor=tutor-maths");
  await page.getByRole("button", { name: "Give links" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Topic" }).fill("linear equations");
  await dialog.getByLabel("Class").selectOption("2A");
  await dialog.getByLabel("How many").fill("2");
  await dialog.getByRole("button", { name: "Make links" }).click();
  const links = page.getByRole("list", { name: "Links" }).getByRole("listitem");
  await links.first().waitFor();
  expect(await links.count()).toBe(2);
  const [name = "", link = ""] = (await links.first().innerText()).split("\n").filter(Boolean);
  expect(name).toMatch(/^2A · [0-9A-F]{5}$/);
  // On paper the links stand alone, from edge to edge.
  await page.emulateMedia({ media: "print" });
  const slip = await links.first().boundingBox();
  expect([slip && slip.x >= 0 && slip.y >= 0 && slip.y < 100, await page.getByText("Nobody is ranked.", { exact: false }).isVisible()]).toEqual([true, false]);
  await page.emulateMedia({ media: null });
  await page.getByRole("button", { name: "Done" }).click();
  expect(await page.locator("body").innerText()).not.toContain(link.split("#")[1] ?? "missing");

  const learner = await open(NOBODY);
  await learner.page.goto(link.replace(/^https?:\/\/[^/]+/, ""));
  await field(learner.page).waitFor();
  await learner.page.getByRole("heading", { name: "Linear equations" }).waitFor();
  await says(learner.page, "hint");
  await page.reload();
  const row = page.getByRole("region", { name: "Class 2A" }).getByRole("listitem").filter({ hasText: name });
  await row.getByText("At work").waitFor();
  await row.getByRole("link", { name }).click();
  await page.getByRole("heading", { name: new RegExp(`^${name}`) }).waitFor();
  await page.getByRole("region", { name: "Conversation" }).getByText("A question to start with.").waitFor();
  // Among the lessons it is not.
  const sessions = page.waitForResponse((it) => it.url().includes("/api/sessions") && it.ok());
  await page.getByRole("link", { name: "Lessons", exact: true }).click();
  await sessions;
  expect(await page.getByRole("list", { name: "Lessons" }).getByText(/linear equations/i).count()).toBe(0);
  await page.goBack();
  // Why it went so is there on demand.
  await page.getByText(/^Why it went so/).click();
  await page.getByText(/was taken as hint/).waitFor();

  // A link that is closed opens nothing from the next request on.
  await page.getByRole("button", { name: "Close the link" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Close the link" }).click();
  await page.getByText("its link opens nothing any more").waitFor();
  learner.expects(/\b401\b/);
  await learner.page.reload();
  await learner.page.getByText(/this access code was revoked/).waitFor();
});

test("sessions stand in the order in which their links were given, however they go", async ({ tab: teacher, open }) => {
  const codes: { id: string; code: string }[] = [];
  for (let at = 0; at < 3; at += 1) codes.push(...(await give(teacher, PLAN, 1, "1B")));
  // The last one is opened first, and the one in the middle gets furthest.
  for (const [at, answers] of [[2, []], [1, ["3/8", "6", "5/8 is bigger than 3/8"]], [0, ["8/3"]]] as const) {
    const learner = await open(NOBODY);
    const code = codes[at];
    if (!code) throw new Error("no code");
    await enter(learner, code, "Comparing fractions");
    for (const answer of answers) await says(learner.page, answer);
  }
  await teacher.page.goto("/learners?tutor=tutor");
  const list = teacher.page.getByRole("region", { name: "Class 1B" }).getByRole("listitem");
  await list.nth(2).waitFor();
  const names = await list.getByRole("link").allInnerTexts();
  expect(names).toEqual(codes.map(({ id }) => `1B · ${id.slice(0, 5).toUpperCase()}`));
});

for (const way of ["a note", "leaving the step out", "ending it"] as const) {
  test(`a session that waits for its teacher goes on by ${way}`, async ({ tab: teacher, open }) => {
    const [code] = await give(teacher, PLAN, 1, "3B");
    if (!code) throw new Error("no code");
    const learner = await open(NOBODY);
    await enter(learner, code, "Comparing fractions");
    await says(learner.page, "3/8");
    for (let round = 0; round < 4; round += 1) await says(learner.page, LOST);
    await learner.page.getByText(/Your teacher has been asked to look at this/).waitFor();

    const { page } = teacher;
    const name = `3B · ${code.id.slice(0, 5).toUpperCase()}`;
    await page.goto("/learners?tutor=tutor");
    await page.getByRole("region", { name: /^Look at/ }).getByRole("link", { name }).click();
    await page.getByRole("heading", { name: "The tutor waits for you" }).waitFor();
    await page.getByText("Needs a person.").waitFor();
    await page.getByText("Plan changed often.").waitFor();
    const decide = page.getByRole("region", { name: "The tutor waits for you" });
    if (way === "ending it") {
      await decide.getByRole("button", { name: "End the session" }).click();
      await page.getByRole("alertdialog").getByRole("button", { name: "End the session" }).click();
    } else {
      const button = way === "a note" ? "Go on with this note" : /^Leave this step out/;
      await decide.getByRole("button", { name: button }).click();
      await decide.getByText("Write what the tutor should know or do.").waitFor();
      await decide.getByLabel("A note for the tutor").fill("Draw the bar with them first.");
      await decide.getByRole("button", { name: button }).click();
    }
    await decide.waitFor({ state: "detached" });
    await learner.page.evaluate(() => dispatchEvent(new Event("focus")));
    if (way === "ending it") {
      await learner.page.getByText("Your teacher has ended this session.", { exact: false }).waitFor();
      await learner.page.getByText("This session is over. You can close this page.").waitFor();
    } else {
      await learner.page.getByText("Your teacher has had a look. Let us go on.").waitFor();
      await field(learner.page).waitFor();
      // The note is for the tutor alone.
      expect(await learner.page.locator("body").innerText()).not.toContain("Draw the bar");
      await page.getByText(/The teacher: .*Draw the bar with them first/).waitFor();
    }
  });
}

test("a message in which somebody may be in danger is answered with where help is, and its session stands first", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, MATHS, 1, "2C");
  if (!code) throw new Error("no code");
  const learner = await open(NOBODY);
  await enter(learner, code, "fractions");
  await says(learner.page, "I want to kill myself");
  await talk(learner.page).getByText(/childline\.org\.uk/).waitFor();
  await teacher.page.goto("/learners?tutor=tutor-maths");
  const first = teacher.page.getByRole("region", { name: /^Look at/ }).getByRole("listitem").filter({ hasText: `2C · ${code.id.slice(0, 5).toUpperCase()}` });
  await first.getByText("a message was kept back just now").waitFor();
  await first.getByRole("link").click();
  await teacher.page.getByText("Message kept back.").waitFor();
});

test("nothing of a teacher's view is to be had with a code", async ({ tab: teacher, open }) => {
  const [code] = await give(teacher, PLAN, 1, "3B");
  if (!code) throw new Error("no code");
  const learner = await open(NOBODY);
  learner.expects(/\b40[13]\b/);
  await enter(learner, code, "Comparing fractions");
  const session = await sessionOf(teacher, PLAN, code);
  const headers = { Authorization: `Bearer ${code.code}` };
  const get = (path: string) => learner.context.request.get(`${learner.origin}/api${path}`, { headers });
  for (const path of [`/flows/${PLAN}/sessions`, `/flows/${PLAN}/codes`, "/flows", "/sessions", `/sessions/${session}`, `/sessions/${session}/records`]) {
    expect([401, 403], path).toContain((await get(path)).status());
  }
  const own = (await (await get(`/flows/${PLAN}/sessions/${session}/status`)).json()) as Record<string, unknown>;
  for (const name of ["assessment_notes", "agent_logs", "alerts", "totals", "conversation"]) expect(Object.keys(own)).not.toContain(name);
  expect(JSON.stringify(own)).not.toMatch(/teaching_approach|success_criteria/);
  // The page of teachers shows whoever has a code alone nothing but its sign-in.
  await learner.page.goto("/learners");
  await learner.page.waitForURL(/\/sign-in/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the teacher's view, ${colorScheme}`, async ({ tab: teacher, open }) => {
    const [code] = await give(teacher, MATHS, 1, "3B");
    if (!code) throw new Error("no code");
    const learner = await open(NOBODY);
    await enter(learner, code, "trigonometry");
    for (const words of ["0", "hint", "show me"]) await says(learner.page, words);
    const session = await sessionOf(teacher, MATHS, code);
    const wrong: Record<string, string[]> = {};
    for (const width of [1_440, 390]) {
      const { page } = await open({ colorScheme, viewport: { width, height: 900 } });
      await page.goto("/learners?tutor=tutor-maths");
      await page.getByRole("region", { name: "Class 3B" }).waitFor();
      const list = [...(await found(page)), ...(await sideways(page))];
      await page.goto(`/learners/${MATHS}/${session}`);
      await page.getByRole("region", { name: "Conversation" }).getByText("An answer", { exact: false }).or(page.getByText(/^Why it went so/)).first().waitFor();
      await page.getByText(/^Why it went so/).click();
      const one = [...(await found(page)), ...(await sideways(page))];
      if (list.length + one.length > 0) wrong[String(width)] = [...list, ...one];
    }
    expect(wrong).toEqual({});
  });
}
