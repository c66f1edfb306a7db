// What a test asks of every screen: what axe finds in it, and whether anything has to be moved sideways.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
type Found = { id: string; impact: string; nodes: { html: string; target: unknown[] }[] };

/** Everything that axe finds, with how bad it is. */
export async function found(page: Page): Promise<string[]> {
  // What is shown by degrees is looked at when it is there.
  await page.evaluate(() => Promise.all(document.getAnimations().map((it) => it.finished.catch(() => undefined))));
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (node: Document, options: object) => Promise<{ violations: Found[] }> } };
    return (await axe.run(document, { resultTypes: ["violations"] })).violations;
  });
  return violations.flatMap((it) => it.nodes.map((node) => `${it.impact} ${it.id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)}`));
}

/** What of it is serious or critical. */
export const serious = async (page: Page): Promise<string[]> => (await found(page)).filter((it) => /^(serious|critical) /.test(it));

/** How far the page can be moved sideways, and what sticks out. */
export async function sideways(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    if (wide <= 0 && document.body.scrollWidth <= innerWidth) return [];
    const out = [...document.querySelectorAll("body *")].filter((it) => it.getBoundingClientRect().right > innerWidth + 1);
    return [`${wide} px`, ...out.slice(0, 5).map((it) => it.outerHTML.slice(0, 160))];
  });
}
