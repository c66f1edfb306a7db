// Every screen: on a phone, at 200 %, in both themes, for people who do not see it.
import { serious, sideways } from "./axe";
import { expect, type Tab, test } from "./harness";
import { begin, card, finish, next, point, rest } from "./lesson";

type Screen = { name: string; show: (tab: Tab, lessons: Lessons) => Promise<void> };
type Lessons = { asking: string; done: string; run: string };

const at = (path: string, words: string | RegExp) => async (tab: Tab) => {
  await tab.page.goto(path);
  await tab.page.getByText(words).first().waitFor();
};

const SCREENS: Screen[] = [
  { name: "start", show: at("/", "What are you planning?") },
  {
    name: "a question",
    show: async (tab, { asking }) => {
      await tab.page.goto(asking);
      await card(tab.page).waitFor();
    },
  },
  {
    name: "a finished lesson",
    show: async (tab, { done }) => {
      await tab.page.goto(done);
      await tab.page.getByText("Your lesson is ready and saved").waitFor();
    },
  },
  { name: "lessons", show: at("/sessions", /iteration/i) },
  { name: "files", show: at("/files", "Your files") },
  {
    name: "a file",
    show: async ({ page }) => {
      await page.goto("/files?file=classes%2F3B.md");
      await page.getByRole("textbox", { name: "Text of classes/3B.md" }).waitFor();
    },
  },
  { name: "memory", show: at("/memory", "You and your teaching") },
  { name: "set-up", show: at("/setup", "Ten minutes") },
  { name: "research", show: at("/research", /success|Finished|Runs|ended/i) },
  {
    name: "a run",
    show: async ({ page }, { run }) => {
      await page.goto(run);
      await page.getByRole("tab", { name: "Timeline" }).waitFor();
    },
  },
];

/** A lesson that asks, one that is done, and its run. */
async function lessons({ page }: Tab): Promise<Lessons> {
  const path = () => new URL(page.url()).pathname;
  await begin(page, "3B", "iteration");
  await finish(page);
  const done = path();
  await begin(page, "2A", "the Jacobites");
  while ((await next(page)) !== "sections") await rest(page);
  await point(page, "Outcomes").getByRole("button", { name: "Accept" }).click();
  const asking = path();
  await page.goto("/research");
  await page.getByRole("row").getByRole("link").first().click();
  await page.waitForURL(/\/research\/[0-9a-f]+/);
  return { asking, done, run: path() };
}

let made: Lessons | undefined;
const prepared = async (tab: Tab): Promise<Lessons> => (made ??= await lessons(tab));

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious on any screen, ${colorScheme}`, async ({ open }) => {
    const tab = await open({ colorScheme });
    const found: Record<string, string[]> = {};
    const there = await prepared(tab);
    for (const screen of SCREENS) {
      await screen.show(tab, there);
      const wrong = await serious(tab.page);
      if (wrong.length > 0) found[screen.name] = wrong;
    }
    expect(found).toEqual({});
  });
}

test("the sign-in pages pass axe too", async ({ start, open }) => {
  const program = await start();
  for (const colorScheme of ["light", "dark"] as const) {
    const tab = await open({ at: program, colorScheme });
    tab.expects(/\b401\b/);
    await tab.page.goto("/sign-in?problem=used");
    await tab.page.getByRole("heading").first().waitFor();
    expect(await serious(tab.page)).toEqual([]);
  }
});

for (const [name, options] of [
  ["a phone of 390 by 844", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
  // What a window of 1280 by 720 is at 200 %.
  ["200 % zoom", { viewport: { width: 640, height: 360 }, deviceScaleFactor: 2 }],
] as const) {
  test(`nothing has to be moved sideways: ${name}`, async ({ open }) => {
    const there = await prepared(await open());
    const tab = await open(options);
    const found: Record<string, string[]> = {};
    for (const screen of SCREENS) {
      await screen.show(tab, there);
      const wide = await sideways(tab.page);
      if (wide.length > 0) found[screen.name] = wide;
    }
    expect(found).toEqual({});
    // The parts of planning are tabs here, and one can decide.
    await tab.page.goto(there.asking);
    await card(tab.page).waitFor();
    await tab.page.getByRole("tab", { name: "Lesson" }).click();
    await tab.page.getByRole("region", { name: "Lesson text" }).waitFor();
    await tab.page.getByRole("tab", { name: /^Plan/ }).click();
    await point(tab.page, "Success criteria").getByRole("button", { name: "Accept" }).click();
    await point(tab.page, "Success criteria").getByRole("button", { name: "Accept", pressed: true }).waitFor();
  });
}
