// One place that screen readers listen to. Progress is said politely, and not more often than it can be heard.
import { useSyncExternalStore } from "react";

/** Least time between two announcements. */
const PAUSE_MS = 1_200;

let said = "";
let queue: string[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function next(): void {
  timer = undefined;
  const text = queue.shift();
  if (text === undefined) return;
  said = text;
  for (const listener of listeners) listener();
  timer = setTimeout(next, PAUSE_MS);
}

/** Says something to screen readers. Of several things that wait only the first and the newest are said. */
export function announce(text: string): void {
  queue = queue.length > 1 ? [...queue.slice(0, 1), text] : [...queue, text];
  if (timer === undefined) next();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer() {
  const text = useSyncExternalStore(subscribe, () => said);
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {text}
    </p>
  );
}
