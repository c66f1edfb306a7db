import type { ReactNode } from "react";
import { Tooltip as Radix } from "radix-ui";

export const TooltipProvider = Radix.Provider;

/** Words beside the thing that they explain, on hover and on focus. Never the only place for what someone must know. */
export function Tooltip({ text, side = "bottom", children }: { text: ReactNode; side?: "top" | "bottom" | "left" | "right"; children: ReactNode }) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="fade-in z-50 max-w-72 rounded-md bg-ink px-2.5 py-1.5 text-sm text-page shadow-float"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
