import type { ComponentProps, ReactNode } from "react";
import { LoaderCircle } from "lucide-react";
import { cx } from "./cx";
import { Tooltip } from "./tooltip";

type Look = "primary" | "plain" | "quiet" | "danger";
type Size = "small" | "normal";
export type ButtonProps = ComponentProps<"button"> & { look?: Look; size?: Size; icon?: ReactNode; busy?: boolean };

const LOOKS: Record<Look, string> = {
  primary: "bg-accent text-on-accent border-transparent hover:bg-accent-strong",
  plain: "bg-raised text-ink border-edge/60 hover:border-edge hover:bg-panel",
  quiet: "bg-transparent text-ink border-transparent hover:bg-sunken",
  danger: "bg-transparent text-bad border-bad-line hover:bg-bad-wash",
};
const SIZES: Record<Size, string> = { small: "min-h-8 px-2.5 text-sm gap-1.5", normal: "min-h-9 px-3.5 gap-2" };
const BASE =
  "inline-flex items-center justify-center rounded-lg border font-medium transition-colors select-none " +
  "disabled:opacity-55 aria-disabled:opacity-55";

/** A button. While `busy` it keeps its width and its focus, and does nothing when pressed. */
export function Button({ look = "plain", size = "normal", icon, busy, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={busy || rest["aria-disabled"] || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(BASE, LOOKS[look], SIZES[size], className)}
    >
      {busy ? <LoaderCircle className="turn size-4" aria-hidden /> : icon}
      {children}
    </button>
  );
}

export type IconButtonProps = Omit<ButtonProps, "children" | "icon"> & { label: string; children: ReactNode; side?: "top" | "bottom" | "left" | "right" };

/** A button that shows a picture alone; its name is in the tooltip and for screen readers. */
export function IconButton({ label, children, size = "normal", look = "quiet", className, side, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} side={side}>
      <Button {...rest} look={look} aria-label={label} className={cx("!px-0", size === "small" ? "w-8" : "w-9", className)} size={size}>
        {children}
      </Button>
    </Tooltip>
  );
}
