import type { ReactNode } from "react";
import { CircleAlert, RotateCw } from "lucide-react";
import { shown } from "@/api/errors";
import { Button } from "./button";
import { cx } from "./cx";

/** Where there is nothing yet: what will be here, and what to do. */
export function EmptyState({ icon, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center px-6 py-10 text-center">
      {icon ? <div className="mb-3 text-edge [&_svg]:size-9 [&_svg]:stroke-[1.4]">{icon}</div> : null}
      <h2 className="text-base">{title}</h2>
      {children ? <div className="mt-1 text-soft">{children}</div> : null}
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  );
}

type ErrorProps = { error: unknown; onRetry?: () => void; className?: string; children?: ReactNode };

/** An error: what happened, what to do, and the code to name when asking for help. */
export function ErrorNote({ error, onRetry, className, children }: ErrorProps) {
  const { code, message, hint } = shown(error);
  return (
    <div role="alert" className={cx("flex gap-3 rounded-lg border border-bad-line bg-bad-wash px-3.5 py-3 text-ink", className)}>
      <CircleAlert className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium first-letter:uppercase">{message}</p>
        {hint ? <p className="mt-0.5 first-letter:uppercase">{hint}</p> : null}
        {children}
        <p className="mt-1 font-mono text-xs text-soft">{code}</p>
      </div>
      {onRetry ? (
        <Button size="small" icon={<RotateCw className="size-3.5" aria-hidden />} onClick={onRetry} className="self-start">
          Try again
        </Button>
      ) : null}
    </div>
  );
}

/** Where something is on its way. Said once to screen readers, drawn as lines of text. */
export function Skeleton({ lines = 3, label = "Loading", className }: { lines?: number; label?: string; className?: string }) {
  return (
    <div role="status" className={cx("flex flex-col gap-2.5", className)}>
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} aria-hidden className={cx("breathe h-3.5 rounded bg-line", line % 3 === 2 ? "w-3/5" : line % 2 ? "w-11/12" : "w-full")} />
      ))}
    </div>
  );
}

export function Badge({ tone = "plain", children }: { tone?: "plain" | "ask" | "good" | "bad" | "accent"; children: ReactNode }) {
  const tones = {
    plain: "bg-sunken text-soft",
    ask: "bg-ask-wash text-ask",
    good: "bg-good-wash text-good",
    bad: "bg-bad-wash text-bad",
    accent: "bg-accent-wash text-accent",
  };
  return <span className={cx("inline-flex items-center gap-1 rounded-full px-2 py-px text-xs font-medium whitespace-nowrap", tones[tone])}>{children}</span>;
}
