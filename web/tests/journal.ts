import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JournalRecord } from "@/api/events";

/** A journal as the binary wrote it, recorded with the offline planner on the sample workspace. */
export function recorded(name: string): JournalRecord[] {
  const text = readFileSync(join(import.meta.dirname, "journals", `${name}.jsonl`), "utf8");
  return text.trim().split("\n").map((line) => JSON.parse(line) as JournalRecord);
}
