// What a person who signs out leaves behind in this browser: nothing of their work.

export const DRAFT_PREFIX = "teacher-assist:draft:";
export const SETUP_PREFIX = "teacher-assist:setup:";

const cleaners = new Set<() => void>();

/** Registers what else is to be forgotten, such as what is in memory. */
export function onLeave(clean: () => void): () => void {
  cleaners.add(clean);
  return () => cleaners.delete(clean);
}

function clear(storage: () => Storage): void {
  try {
    const kept = storage();
    const keys = Array.from({ length: kept.length }, (_, index) => kept.key(index) ?? "");
    for (const key of keys) if (key.startsWith(DRAFT_PREFIX) || key.startsWith(SETUP_PREFIX)) kept.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Forgets unsaved texts and answers of the set-up. Settings of the page stay. */
export function forgetWork(): void {
  for (const clean of cleaners) clean();
  clear(() => sessionStorage);
  clear(() => localStorage);
}
