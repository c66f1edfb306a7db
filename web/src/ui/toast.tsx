import { useSyncExternalStore } from "react";
import { X } from "lucide-react";
import { Button, IconButton } from "./button";
import { cx } from "./cx";

type Toast = { id: number; text: string; tone: "plain" | "bad"; action?: { label: string; run: () => void } };

/** Messages with something to press stay longer: nobody should have to hurry. */
const SHOWN_MS = 6_000;
const SHOWN_MS_WITH_ACTION = 15_000;
const TOASTS_MAX = 4;

let toasts: Toast[] = [];
let next = 1;
const listeners = new Set<() => void>();

function set(list: Toast[]): void {
  toasts = list;
  for (const listener of listeners) listener();
}

export function dismissToast(id: number): void {
  set(toasts.filter((toast) => toast.id !== id));
}

/** Says something short that needs no answer. `action` is for taking it back. */
export function toast(text: string, options: { tone?: "plain" | "bad"; action?: Toast["action"] } = {}): number {
  const id = next;
  next += 1;
  const made: Toast = { id, text, tone: options.tone ?? "plain", ...(options.action ? { action: options.action } : {}) };
  set([...toasts, made].slice(-TOASTS_MAX));
  setTimeout(() => dismissToast(id), options.action ? SHOWN_MS_WITH_ACTION : SHOWN_MS);
  return id;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section aria-label="Messages" aria-live="polite" className="pointer-events-none fixed inset-x-0 bottom-3 z-50 flex flex-col items-center gap-2 px-3">
      {shown.map((toast) => (
        <div
          key={toast.id}
          className={cx(
            "rise-in pointer-events-auto flex max-w-xl items-center gap-2 rounded-lg py-1.5 ps-4 pe-1.5 shadow-float",
            toast.tone === "bad" ? "border border-bad-line bg-bad-wash text-bad" : "bg-ink text-page",
          )}
        >
          <span className="flex-1">{toast.text}</span>
          {toast.action ? (
            <Button
              look="quiet"
              size="small"
              className="!text-inherit underline underline-offset-3 hover:!bg-transparent"
              onClick={() => {
                dismissToast(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          ) : null}
          <IconButton label="Dismiss" size="small" className="!text-inherit hover:!bg-transparent" side="top" onClick={() => dismissToast(toast.id)}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
