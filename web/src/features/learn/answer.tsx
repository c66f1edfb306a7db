// Where a learner writes: a field, signs that a phone's keyboard hides, and buttons for what can be wished.
import { HelpCircle, Lightbulb, SendHorizontal } from "lucide-react";
import { forwardRef, useImperativeHandle, useLayoutEffect, useRef, type FormEvent } from "react";
import { Button } from "@/ui/button";
import type { Problem } from "./progress";

/** Signs, with what they are called and what is put into the field. */
const SIGNS: [sign: string, name: string][] = [
  ["√", "square root"],
  ["²", "squared"],
  ["/", "fraction bar"],
  ["°", "degrees"],
  ["π", "pi"],
  ["×", "times"],
  ["−", "minus"],
  ["=", "equals"],
];
const TEXT_MAX = 2_000;

type Props = {
  text: string;
  onText: (text: string) => void;
  onSay: (text: string) => void;
  busy: boolean;
  problem: Problem | null;
  maths: boolean;
};

export type AnswerField = { focus: () => void };

export const Answer = forwardRef<AnswerField, Props>(function Answer({ text, onText, onSay, busy, problem, maths }, ref) {
  const field = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  useLayoutEffect(() => {
    if (caret.current === null) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [text]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && text.trim()) onSay(text.trim());
  };
  const put = (sign: string) => {
    const from = field.current?.selectionStart ?? text.length;
    const to = field.current?.selectionEnd ?? from;
    caret.current = from + sign.length;
    onText(text.slice(0, from) + sign + text.slice(to));
    field.current?.focus();
  };
  const solution = problem !== null && problem.hintsGiven > 0;
  return (
    <form onSubmit={send} className="mx-auto w-full max-w-3xl px-3 pt-2 pb-3">
      <div className="mb-2 flex flex-wrap gap-1.5" role="group" aria-label="Help">
        {problem && problem.hintsLeft === 0 ? null : (
          <Button size="small" className="min-h-10" aria-disabled={busy} icon={<Lightbulb className="size-4" aria-hidden />} onClick={() => busy || onSay("hint")}>
            Hint
          </Button>
        )}
        <Button size="small" className="min-h-10" aria-disabled={busy} icon={<HelpCircle className="size-4" aria-hidden />} onClick={() => busy || onSay("I don't know")}>
          I don’t know
        </Button>
        {solution ? (
          <Button size="small" className="min-h-10" aria-disabled={busy} onClick={() => busy || onSay("show me")}>
            Show me how
          </Button>
        ) : null}
      </div>
      {maths ? (
        <div className="mb-2 flex gap-1 overflow-x-auto" role="group" aria-label="Signs">
          {SIGNS.map(([sign, name]) => (
            <button
              key={sign}
              type="button"
              aria-label={name}
              // The field keeps the focus, so that a phone's keyboard stays.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => put(sign)}
              className="flex min-h-10 min-w-10 flex-1 items-center justify-center rounded-lg border border-line bg-raised text-lg hover:border-edge"
            >
              {sign}
            </button>
          ))}
        </div>
      ) : null}
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <label htmlFor="answer" className="sr-only">
            Your answer
          </label>
          <input
            id="answer"
            ref={field}
            value={text}
            maxLength={TEXT_MAX}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={!maths}
            enterKeyHint="send"
            aria-describedby={problem?.expects ? "expects" : undefined}
            placeholder="Your answer"
            onChange={(event) => onText(event.target.value)}
            className="min-h-12 w-full rounded-xl border border-edge/70 bg-raised px-4 text-lg placeholder:text-soft focus:border-accent focus:outline-2 focus:-outline-offset-1 focus:outline-accent"
          />
        </div>
        <Button type="submit" look="primary" busy={busy} disabled={!text.trim() && !busy} className="min-h-12 min-w-12 rounded-xl" aria-label="Send" icon={<SendHorizontal className="size-5" aria-hidden />} />
      </div>
      {problem?.expects ? (
        <p id="expects" className="mt-1 ps-1 text-sm text-soft">
          Write {problem.expects}.
        </p>
      ) : null}
    </form>
  );
});
