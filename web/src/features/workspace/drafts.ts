// Text that is not saved yet. It outlives a change of page and a reload: this tab keeps it until it is saved or dropped.

import { DRAFT_PREFIX, onLeave } from "@/lib/leave";

export type Draft = {
  /** Digest of the text that was changed; none for a file that is not there any more. */
  base: string | null;
  /** That text, to say what was changed. */
  baseText: string;
  text: string;
};


function isDraft(value: unknown): value is Draft {
  const it = value as Draft | null;
  return typeof it === "object" && it !== null && typeof it.text === "string" && typeof it.baseText === "string" && (it.base === null || typeof it.base === "string");
}

export class Drafts {
  private kept = new Map<string, Draft>();
  private listeners = new Set<() => void>();
  private paths: readonly string[] = [];

  constructor(private readonly storage: Storage | null) {
    for (let index = 0; storage && index < storage.length; index += 1) {
      const key = storage.key(index);
      if (!key?.startsWith(DRAFT_PREFIX)) continue;
      try {
        const value: unknown = JSON.parse(storage.getItem(key) ?? "null");
        if (isDraft(value)) this.kept.set(key.slice(DRAFT_PREFIX.length), value);
      } catch {
        // What cannot be read is no draft.
      }
    }
    this.paths = [...this.kept.keys()];
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get(path: string): Draft | null {
    return this.kept.get(path) ?? null;
  }

  /** The paths of all drafts; the same array until it changes. */
  readonly unsaved = (): readonly string[] => this.paths;

  put(path: string, draft: Draft | null): void {
    if (draft) this.kept.set(path, draft);
    else if (!this.kept.delete(path)) return;
    try {
      if (draft) this.storage?.setItem(DRAFT_PREFIX + path, JSON.stringify(draft));
      else this.storage?.removeItem(DRAFT_PREFIX + path);
    } catch {
      // The tab's store is full or closed: the draft lives as long as the page, which warns before it goes.
    }
    const now = [...this.kept.keys()];
    if (now.length !== this.paths.length || now.some((it, index) => it !== this.paths[index])) this.paths = now;
    for (const listener of this.listeners) listener();
  }

  /** Forgets everything, when the person signs out. */
  clear(): void {
    for (const path of [...this.kept.keys()]) this.put(path, null);
  }
}

function tabStorage(): Storage | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

export const drafts = new Drafts(tabStorage());
onLeave(() => drafts.clear());

export type Standing =
  /** As the server has it. */
  | "clean"
  /** Changed here. */
  | "dirty"
  /** Changed here, and elsewhere since. */
  | "parted"
  /** Changed here, and the file is gone. */
  | "orphan";

/** How a draft stands to what the server has now; `null` where the file is not there. */
export function standing(draft: Draft | null, now: { text: string; sha256: string } | null): Standing {
  if (!draft) return "clean";
  if (!now) return "orphan";
  if (draft.text === now.text) return "clean";
  return draft.base === now.sha256 ? "dirty" : "parted";
}
