// A session of more than 10,000 events, made by the program itself: a model, played from a file, that looks at one place of the
// curriculum after the other.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Home } from "./program";

const TURNS = 165;
const CALLS = 20;
/** A file of the sample workspace has at least as many lines. */
const LINES = 150;

export function makeLong(): { dir: string; end: () => Promise<void> } {
  const home = new Home();
  let place = 0;
  const call = () => {
    place += 1;
    return { name: "read_file", arguments: { path: "curriculum/cfe-computing.md", offset: 1 + (place % LINES), limit: 1 + Math.floor(place / LINES) } };
  };
  const answers: unknown[] = Array.from({ length: TURNS }, (_, turn) => ({
    text: `Step ${turn + 1} of ${TURNS}: what the curriculum says.`,
    calls: Array.from({ length: CALLS }, call),
  }));
  for (let again = 0; again < 4; again += 1) answers.push({ text: "# Loops\n\n## Starter (8 minutes)\n\nTwo minutes, two colours.\n" });
  writeFileSync(join(home.dir, "long.json"), JSON.stringify({ answers }));
  const args = ["--provider", "script", "--script", "long.json", "--max-turns", "200", "--answers", "accept", "--output", "json"];
  const child = home.begin([...args, "lesson-planning:create-lesson", "iteration for 3B"], "long.out");
  const over = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  void over.then(() => writeFileSync(join(home.dir, "done"), "")).catch(() => undefined);
  return {
    dir: home.dir,
    end: async () => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await over;
      home.remove();
    },
  };
}
