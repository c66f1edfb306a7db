import type { ReactNode } from "react";
import { X } from "lucide-react";
import { AlertDialog as RadixAlert, Dialog as Radix } from "radix-ui";
import { Button, IconButton } from "./button";
import { cx } from "./cx";

const OVERLAY = "fade-in fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]";
const BOX =
  "rise-in fixed left-1/2 top-1/2 z-40 flex max-h-[min(92dvh,60rem)] w-[calc(100vw-1.5rem)] -translate-x-1/2 -translate-y-1/2 " +
  "flex-col rounded-xl border border-line bg-raised text-ink shadow-float focus:outline-none";
const WIDTHS = { normal: "max-w-lg", wide: "max-w-3xl", full: "max-w-[88rem]" };

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  /** A sentence under the title; also read out. */
  description?: ReactNode;
  width?: keyof typeof WIDTHS;
  children?: ReactNode;
  footer?: ReactNode;
};

/** A dialog with its title, a close button, a body that scrolls and a footer that does not. */
export function Dialog({ open, onOpenChange, title, description, width = "normal", children, footer }: Props) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className={OVERLAY} />
        <Radix.Content
          className={cx(BOX, WIDTHS[width])}
          // Where nothing asks for the focus it goes to the dialog itself, not to its close button with its tooltip.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.target as HTMLElement | null)?.focus();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <header className="flex items-start gap-3 border-b border-line px-5 py-3.5">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg leading-snug">{title}</Radix.Title>
              {description ? <Radix.Description className="mt-0.5 text-soft">{description}</Radix.Description> : null}
            </div>
            <Radix.Close asChild>
              <IconButton label="Close" size="small" className="-me-1.5">
                <X className="size-4.5" aria-hidden />
              </IconButton>
            </Radix.Close>
          </header>
          <div className="min-h-0 flex-1 overflow-auto px-5 py-4">{children}</div>
          {footer ? <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ConfirmProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** What the button does, in a word or two: "Delete". */
  action: string;
  danger?: boolean;
  onConfirm: () => void;
};

/** Asks before something that is hard to take back. */
export function Confirm({ open, onOpenChange, title, description, action, danger, onConfirm }: ConfirmProps) {
  return (
    <RadixAlert.Root open={open} onOpenChange={onOpenChange}>
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={OVERLAY} />
        <RadixAlert.Content className={cx(BOX, "max-w-md p-5")}>
          <RadixAlert.Title className="text-lg">{title}</RadixAlert.Title>
          <RadixAlert.Description className="mt-1 text-soft">{description}</RadixAlert.Description>
          <div className="mt-5 flex flex-wrap justify-end gap-2">
            <RadixAlert.Cancel asChild>
              <Button>Cancel</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button look={danger ? "danger" : "primary"} onClick={onConfirm}>
                {action}
              </Button>
            </RadixAlert.Action>
          </div>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
