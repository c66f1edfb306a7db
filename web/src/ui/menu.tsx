import type { ReactNode } from "react";
import { DropdownMenu as Radix } from "radix-ui";
import { Check } from "lucide-react";
import { cx } from "./cx";

const CONTENT = "fade-in z-50 min-w-52 max-w-[90vw] rounded-lg border border-line bg-raised p-1 text-ink shadow-float";
const ITEM =
  "flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1 outline-none " +
  "data-[highlighted]:bg-accent-wash data-[disabled]:opacity-50";

/** A menu that opens from a button. */
export function Menu({ trigger, children, align = "end" }: { trigger: ReactNode; children: ReactNode; align?: "start" | "center" | "end" }) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content align={align} sideOffset={5} collisionPadding={8} className={CONTENT}>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type ItemProps = { icon?: ReactNode; hint?: ReactNode; danger?: boolean; disabled?: boolean; onSelect: () => void; children: ReactNode };

export function MenuItem({ icon, hint, danger, disabled, onSelect, children }: ItemProps) {
  return (
    <Radix.Item className={cx(ITEM, danger && "text-bad")} disabled={disabled} onSelect={onSelect}>
      {icon ? <span className="text-soft [&_svg]:size-4">{icon}</span> : null}
      <span className="flex-1">
        {children}
        {hint ? <span className="block text-sm text-soft">{hint}</span> : null}
      </span>
    </Radix.Item>
  );
}

export function MenuChoice<T extends string>({ value, options, onChange }: { value: T; options: { value: T; label: string }[]; onChange: (value: T) => void }) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={ITEM}>
          <span className="w-4">
            <Radix.ItemIndicator>
              <Check className="size-4" aria-hidden />
            </Radix.ItemIndicator>
          </span>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <Radix.Label className="px-2.5 pb-0.5 pt-1.5 text-sm font-medium text-soft">{children}</Radix.Label>
);
export const MenuLine = () => <Radix.Separator className="my-1 h-px bg-line" />;
