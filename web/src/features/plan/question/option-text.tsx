import { useEffect, useId, useRef, useState } from "react";
import type { OptionKind } from "@/api/types";
import { Button, TextArea } from "@/ui";
import type { Theme } from "../model/view";
import { WISHES } from "./wording";

type Props = {
  theme: Theme;
  option: OptionKind;
  start: string;
  /** Whether the field takes the focus. */
  focus?: boolean;
  /** What leaving it is called, where it is not just "Cancel". */
  leave?: string | undefined;
  onSave: (text: string) => void;
  onCancel: () => void;
};

/** Most characters of an answer; the server takes some more. */
export const TEXT_MAX = 4_000;

/** Asks for the words that go with a decision. Control and Enter saves, Escape leaves it. */
export function OptionText(props: Props) {
  return props.theme === "sections" && props.option.id === "alternatives" ? <HowMany {...props} /> : <Words {...props} />;
}

function HowMany({ option, start, onSave, onCancel }: Props) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  return (
    <div role="group" aria-label={option.text_prompt ?? "How many"} className="flex flex-wrap items-center gap-1.5" onKeyDown={(event) => event.key === "Escape" && onCancel()}>
      <span className="text-sm text-soft">How many to choose from?</span>
      {["2", "3", "4", "5"].map((n, at) => (
        <Button key={n} ref={at === 0 ? first : null} size="small" aria-pressed={start === n} onClick={() => onSave(n)}>
          {n}
        </Button>
      ))}
      <Button size="small" look="quiet" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function Words({ theme, option, start, focus = true, leave, onSave, onCancel }: Props) {
  const [text, setText] = useState(start);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    if (!focus) return;
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
    // Once, when the field appears.
  }, []);
  const ready = text.trim() !== "" && text.trim() !== start.trim();
  const wish = (words: string) => {
    setText((now) => (now.trim() === "" ? words : `${now.replace(/[\s,]+$/, "")}, ${words.toLowerCase()}`));
    field.current?.focus();
  };
  return (
    <div
      className="flex flex-col gap-2"
      // Its own buttons take no focus from the field, also in browsers where a pressed button has none.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLTextAreaElement)) event.preventDefault();
      }}
      // Words that were written are kept when the focus goes elsewhere: nobody loses a sentence by pressing another button.
      onBlur={({ currentTarget, relatedTarget }) => {
        if (ready && !currentTarget.contains(relatedTarget)) onSave(text.trim());
      }}
    >
      <label htmlFor={id} className="text-sm font-medium">
        {option.text_prompt}
      </label>
      <TextArea
        ref={field}
        id={id}
        value={text}
        maxLength={TEXT_MAX}
        rows={2}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && ready) onSave(text.trim());
          else if (event.key === "Escape" && !leave) onCancel();
          else return;
          event.preventDefault();
        }}
      />
      {theme === "sections" ? (
        <div className="flex flex-wrap gap-1" role="group" aria-label="Quick wishes">
          {WISHES.map((words) => (
            <button key={words} type="button" className="min-h-7 rounded-full border border-line bg-panel px-2.5 text-sm hover:border-edge" onClick={() => wish(words)}>
              {words}
            </button>
          ))}
        </div>
      ) : null}
      <div className="flex gap-2">
        <Button look="primary" size="small" disabled={!ready} onClick={() => onSave(text.trim())}>
          Save
        </Button>
        <Button look="quiet" size="small" onClick={onCancel}>
          {leave ?? "Cancel"}
        </Button>
      </div>
    </div>
  );
}
