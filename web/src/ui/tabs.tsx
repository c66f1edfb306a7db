import type { ReactNode } from "react";
import { Tabs as Radix } from "radix-ui";
import { cx } from "./cx";

export type Tab<T extends string> = { id: T; label: ReactNode; badge?: ReactNode; content: ReactNode };
type Props<T extends string> = {
  /** What the tabs are of, for screen readers. */
  label: string;
  tabs: Tab<T>[];
  value: T;
  onChange: (id: T) => void;
  /** Keeps what is not shown in the page, so that it loses neither place nor text. */
  keep?: boolean;
  className?: string;
};

export function Tabs<T extends string>({ label, tabs, value, onChange, keep, className }: Props<T>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as T)} className={cx("flex min-h-0 flex-col", className)}>
      <Radix.List aria-label={label} className="flex shrink-0 gap-1 border-b border-line px-2">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.id}
            value={tab.id}
            className={
              "-mb-px flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium text-soft " +
              "hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
            }
          >
            {tab.label}
            {tab.badge}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.id}
          value={tab.id}
          tabIndex={-1}
          {...(keep ? { forceMount: true as const } : {})}
          className="flex min-h-0 flex-1 flex-col data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
