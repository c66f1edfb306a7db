import { Check } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import type { Decision, OptionKind } from "@/api/types";
import { cx } from "@/ui";

type Props = {
  /** What is decided on, for screen readers. */
  label: string;
  options: OptionKind[];
  chosen: Decision | undefined;
  /** The option whose words are being written. */
  writing: string | null;
  disabled?: boolean;
  onChoose: (option: OptionKind, byKeyboard: boolean) => void;
};

/**
 * The decisions that may be taken on one thing. One stop of the Tab key; left and right go between them, Enter or the number chooses.
 */
export function Options({ label, options, chosen, writing, disabled, onChoose }: Props) {
  const group = useRef<HTMLDivElement>(null);
  const picked = options.findIndex((it) => it.id === (writing ?? chosen?.choice));
  const [at, setAt] = useState(0);
  const stop = picked >= 0 && at === 0 ? picked : Math.min(at, options.length - 1);
  const move = (to: number) => {
    const next = (to + options.length) % options.length;
    setAt(next);
    group.current?.querySelectorAll<HTMLButtonElement>("button")[next]?.focus();
  };
  const press = (event: KeyboardEvent) => {
    const number = /^[1-9]$/.test(event.key) ? options[Number(event.key) - 1] : undefined;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "ArrowRight") move(stop + 1);
    else if (event.key === "ArrowLeft") move(stop - 1);
    else if (number && !disabled) onChoose(number, true);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={group} role="group" aria-label={label} data-options="" onKeyDown={press} className="inline-flex flex-wrap gap-1">
      {options.map((option, index) => {
        const on = (writing ?? chosen?.choice) === option.id;
        return (
          <button
            key={option.id}
            type="button"
            aria-pressed={on}
            aria-disabled={disabled || undefined}
            tabIndex={index === stop ? 0 : -1}
            onFocus={() => setAt(index)}
            onClick={(event) => {
              if (!disabled) onChoose(option, event.detail === 0);
            }}
            className={cx(
              "inline-flex min-h-8 items-center gap-1 rounded-md border px-2.5 text-sm font-medium transition-colors",
              on ? "border-accent bg-accent text-on-accent" : "border-edge/60 bg-raised hover:border-accent hover:text-accent",
            )}
          >
            {on && writing === null ? <Check className="size-3.5" aria-hidden /> : null}
            {option.label}
          </button>
        );
      })}
    </div>
  );
}
