import { Check, Ellipsis, MessageCircleQuestion } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { Markdown } from "@/features/document";
import { bringIntoView } from "@/lib/scroll";
import { IconButton, Menu, MenuItem } from "@/ui";
import type { QuestionEntry } from "../model/view";
import { useAnswers } from "./answers";
import { ChoiceQuestion } from "./choice";
import { ItemsQuestion } from "./items";
import { Past } from "./past";
import { TextQuestion } from "./text";
import { outcomeWords } from "./wording";

/** A question in the conversation: open, with everything to answer it; answered, in a line that opens. */
export const QuestionCard = memo(function QuestionCard({ entry, open, focus }: { entry: QuestionEntry; open: boolean; focus: boolean }) {
  return open ? <Open entry={entry} focus={focus} /> : <Answered entry={entry} />;
});

function Open({ entry, focus }: { entry: QuestionEntry; focus: boolean }) {
  const answers = useAnswers();
  const head = useRef<HTMLHeadingElement>(null);
  const { question } = entry;
  useEffect(() => {
    // The focus comes along from the question before, and from the button that began it all; nobody is taken away from writing.
    const at = document.activeElement;
    const free = at === null || at === document.body || at.matches('[aria-label="Conversation"]');
    if (!focus && !free) return;
    head.current?.focus({ preventScroll: true });
    const card = head.current?.closest("section");
    if (card) bringIntoView(card, "start");
  }, [focus]);
  if (answers?.entry.key !== entry.key) return null;
  return (
    <section aria-labelledby={`q-${entry.key}`} data-question={question.id} className="rise-in scroll-mt-3 rounded-xl border-2 border-ask-line bg-raised">
      <header className="flex items-start gap-3 px-4 pb-1 pt-3">
        <MessageCircleQuestion className="mt-0.5 size-5 shrink-0 text-ask" aria-hidden />
        <div className="min-w-0 flex-1">
          <h2 ref={head} tabIndex={-1} id={`q-${entry.key}`} className="text-base focus:outline-none">
            {question.title}
          </h2>
          {question.detail ? <Markdown text={question.detail} className="mt-1 text-soft" shift={3} /> : null}
        </div>
        <Menu
          trigger={
            <IconButton label="More about this question" size="small" className="-me-2">
              <Ellipsis className="size-4.5" aria-hidden />
            </IconButton>
          }
        >
          <MenuItem hint="What is open stays as it is" onSelect={() => answers.answer({ outcome: "dismissed" })}>
            Go on without answering
          </MenuItem>
        </Menu>
      </header>
      {question.kind === "items" ? <ItemsQuestion entry={entry} /> : null}
      {question.kind === "choice" ? <ChoiceQuestion entry={entry} /> : null}
      {question.kind === "text" ? <TextQuestion entry={entry} /> : null}
    </section>
  );
}

function Answered({ entry }: { entry: QuestionEntry }) {
  const [shown, setShown] = useState(false);
  const words = outcomeWords(entry);
  return (
    <section className="rounded-xl border border-line bg-panel">
      <details open={shown} onToggle={(event) => setShown(event.currentTarget.open)}>
        <summary className="flex items-start gap-3 rounded-xl px-4 py-2.5">
          <Check className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
          <span className="min-w-0 flex-1">
            <span className="block font-medium">{entry.question.title}</span>
            <span className="block text-soft">{words || "No longer open."}</span>
          </span>
          <span className="text-sm text-accent underline underline-offset-3">{shown ? "Hide" : "Show"}</span>
        </summary>
        {shown ? <Past entry={entry} /> : null}
      </details>
    </section>
  );
}
