// The files that the set-up would write, and which of those that are there it replaces.
import type { StagedFile as SetupFile } from "@/api/actions";

export type { StagedFile as SetupFile } from "@/api/actions";

/** What stands on disk in the way of the assistant's own words is never replaced by the set-up. */
export const shownFiles = (list: SetupFile[]) => list.filter((it) => !(it.exists && (it.path === "soul.md" || it.path.startsWith("curriculum/"))));

/**
 * Which files are replaced, each with the digest of what was shown: those that the person picked, and the two about the
 * teacher, which they said to write anew, unless they changed their mind.
 */
export function replaced(list: SetupFile[], picked: Record<string, string | null>): Record<string, string> {
  const made: Record<string, string> = {};
  for (const { path, exists, sha256_before } of list) {
    const own = path === "teacher.md" || path === "pedagogy.md";
    const digest = picked[path] === undefined ? (own ? sha256_before : null) : picked[path];
    if (exists && digest) made[path] = digest;
  }
  return made;
}
