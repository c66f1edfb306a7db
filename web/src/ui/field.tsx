import { useId, type ComponentProps, type ReactNode } from "react";
import { cx } from "./cx";

export const INPUT =
  "w-full rounded-lg border border-edge/70 bg-raised px-3 py-1.5 text-ink placeholder:text-soft " +
  "focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent disabled:opacity-60";

type FieldProps = { label: ReactNode; hint?: ReactNode; error?: ReactNode; children: (ids: { id: string; "aria-describedby"?: string; "aria-invalid"?: true }) => ReactNode };

/** A label, its control, a hint and what is wrong with what stands in it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(" ");
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      {children({ id, ...(described ? { "aria-describedby": described } : {}), ...(error ? { "aria-invalid": true as const } : {}) })}
      {hint ? (
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="mt-1 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}

export const TextInput = ({ className, ...rest }: ComponentProps<"input">) => <input {...rest} className={cx(INPUT, "min-h-9", className)} />;
export const TextArea = ({ className, ...rest }: ComponentProps<"textarea">) => <textarea {...rest} className={cx(INPUT, "max-h-80 min-h-16 resize-none", className)} />;
export const Select = ({ className, ...rest }: ComponentProps<"select">) => <select {...rest} className={cx(INPUT, "min-h-9 pe-8", className)} />;
