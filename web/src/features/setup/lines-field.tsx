import { Plus, X } from "lucide-react";
import { useId, useRef, type KeyboardEvent } from "react";
import { likelyNames } from "@/lib/names";
import { series } from "@/lib/words";
import { Button, IconButton, TextInput } from "@/ui";

/** Says at once what may be a name, and why to leave it out. */
export function NameWarning({ text }: { text: string }) {
  const names = likelyNames(text);
  if (names.length === 0) return null;
  return (
    <p role="status" className="mt-1 rounded-md bg-ask-wash px-2.5 py-1 text-sm text-ask">
      {series(names)}: is that a person? Say what is needed, and leave the name out. Nothing here should point to one pupil.
    </p>
  );
}

type Props = { label: string; hint?: string; value: string[]; onChange: (lines: string[]) => void; suggestions?: string[]; placeholder?: string };

/** A list of lines. Enter makes the next one, Backspace in an empty one takes it away. */
export function LinesField({ label, hint, value, onChange, suggestions = [], placeholder }: Props) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const lines = value.length === 0 ? [""] : value;
  const focus = (index: number) => requestAnimationFrame(() => box.current?.querySelectorAll("input")[index]?.focus());
  const put = (index: number, text: string) => onChange(lines.map((it, at) => (at === index ? text : it)));
  const drop = (index: number) => {
    onChange(lines.filter((_, at) => at !== index));
    focus(Math.max(0, index - 1));
  };
  const add = (index: number) => {
    onChange([...lines.slice(0, index + 1), "", ...lines.slice(index + 1)]);
    focus(index + 1);
  };
  const press = (event: KeyboardEvent, index: number) => {
    if (event.key === "Enter") {
      event.preventDefault();
      if (lines[index] !== "") add(index);
    } else if (event.key === "Backspace" && lines[index] === "" && lines.length > 1) {
      event.preventDefault();
      drop(index);
    }
  };
  const left = suggestions.filter((it) => !value.includes(it));
  return (
    <div role="group" aria-labelledby={`${id}-label`}>
      <p id={`${id}-label`} className="mb-1 font-medium">{label}</p>
      {hint ? <p className="mb-1.5 text-sm text-soft">{hint}</p> : null}
      <div ref={box} className="flex flex-col gap-1.5">
        {lines.map((text, index) => (
          <div key={index}>
            <div className="flex gap-1">
              <TextInput aria-label={`${label}, line ${index + 1}`} value={text} placeholder={index === 0 ? placeholder : undefined} onChange={(event) => put(index, event.target.value)} onKeyDown={(event) => press(event, index)} />
              {lines.length > 1 || text !== "" ? (
                <IconButton label={`Take away line ${index + 1}`} onClick={() => drop(index)}>
                  <X className="size-4" aria-hidden />
                </IconButton>
              ) : null}
            </div>
            <NameWarning text={text} />
          </div>
        ))}
      </div>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        {lines.at(-1) !== "" ? (
          <Button size="small" look="quiet" icon={<Plus className="size-4" aria-hidden />} onClick={() => add(lines.length - 1)}>Another</Button>
        ) : null}
        {left.map((it) => (
          <button
            key={it}
            type="button"
            onClick={() => onChange([...value.filter((line) => line.trim() !== ""), it])}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-dashed border-edge/60 px-3 py-0.5 text-start text-sm text-soft hover:border-accent hover:text-accent"
          >
            <Plus className="size-3.5 shrink-0" aria-hidden />
            {it}
          </button>
        ))}
      </div>
    </div>
  );
}
