// The workspace in the page: read, written, and never written over.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test } from "./harness";
import { begin, finish } from "./lesson";

const FILE = "classes/2C.md";

/** Opens a file to be written in, and puts the cursor at its end. */
async function edit(page: Page, path: string): Promise<void> {
  await page.goto(`/files?file=${encodeURIComponent(path)}`);
  const file = page.getByRole("region", { name: `File ${path}` });
  const write = file.getByRole("button", { name: /^(Edit|Change|Write)/ }).or(file.getByRole("textbox", { name: `Text of ${path}` }));
  await write.first().waitFor();
  if ((await file.getByRole("textbox", { name: `Text of ${path}` }).count()) === 0) await write.first().click();
  await file.getByRole("textbox", { name: `Text of ${path}` }).click();
  await page.keyboard.press("Control+End");
}

test("a file is changed in the page and lands on disk", async ({ tab: { page }, workspace }) => {
  await edit(page, FILE);
  await page.keyboard.type("\nA line from the page.");
  await page.getByText("not saved").first().waitFor();
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Saved" }).waitFor();
  expect(readFileSync(join(workspace, FILE), "utf8")).toContain("A line from the page.");
});

test("a file that was changed elsewhere is not written over", async ({ tab, workspace }) => {
  const { page } = tab;
  const disk = join(workspace, FILE);
  await edit(page, FILE);
  await page.keyboard.type("\nMine, from the page.");
  await page.getByText("not saved").first().waitFor();
  const theirs = readFileSync(disk, "utf8") + "\nTheirs, from another program.\n";
  writeFileSync(disk, theirs);

  tab.expects(/\b409\b/);
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog", { name: `${FILE} was changed elsewhere` });
  await dialog.waitFor();
  expect(readFileSync(disk, "utf8")).toBe(theirs);
  await dialog.getByText("Theirs, from another program.").waitFor();
  await dialog.getByText("Mine, from the page.").waitFor();

  // Deciding later keeps both; then both are taken.
  await dialog.getByRole("button", { name: "Decide later" }).click();
  expect(readFileSync(disk, "utf8")).toBe(theirs);
  await page.getByRole("button", { name: "Compare" }).click();
  await dialog.getByRole("radio", { name: "Both" }).first().check();
  await dialog.getByRole("button", { name: "Save what I chose" }).click();
  await dialog.waitFor({ state: "detached" });
  const now = readFileSync(disk, "utf8");
  expect(now).toContain("Mine, from the page.");
  expect(now).toContain("Theirs, from another program.");
});

test("lessons are taken away as files", async ({ tab }) => {
  const { page } = tab;
  const taken = mkdtempSync(join(tmpdir(), "teacher-assist-export-"));
  await begin(page, "3B", "iteration");
  await finish(page);
  const session = new URL(tab.page.url()).pathname.replace("/plan/", "");
  for (const [label, form, magic] of [
    ["Markdown", "md", "# Iteration"],
    ["Word", "docx", "PK\u0003\u0004"],
    ["PDF", "pdf", "%PDF-"],
  ] as const) {
    const answer = await tab.context.request.get(`${tab.origin}/api/sessions/${session}/export?form=${form}&part=all`);
    const pick = async () => {
      await page.getByRole("button", { name: "Export", exact: true }).click();
      await page.getByRole("menu").getByRole("menuitem", { name: label }).first().click();
    };
    if (answer.status() === 501) {
      // A program that cannot make this form says so in words.
      tab.expects(/\b501\b.*export/);
      const { message } = (await answer.json()) as { message: string };
      await pick();
      await page.getByText(message).first().waitFor();
      continue;
    }
    const coming = page.waitForEvent("download");
    await pick();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${form}$`));
    const saved = join(taken, file.suggestedFilename());
    await file.saveAs(saved);
    expect(readFileSync(saved).subarray(0, 4_096).toString("latin1")).toContain(magic);
  }
  rmSync(taken, { recursive: true });
});
