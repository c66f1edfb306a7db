import { ChevronRight } from "lucide-react";
import { memo, useContext, useRef, useState, type KeyboardEvent } from "react";
import type { Decision, Item, OptionKind } from "@/api/types";
import { Differences } from "@/features/document";
import { bringIntoView } from "@/lib/scroll";
import { Button, cx, ErrorNote } from "@/ui";
import type { QuestionEntry } from "../model/view";
import { ShowSection, useAnswers, type Answers } from "./answers";
import { OptionText } from "./option-text";
import { Options } from "./options";
import { Detail, Source } from "./source";
import { plain, progressWords, rest, restWords, startText } from "./wording";

/** Longer details are folded away at first. */
const OPEN_MAX = 420;

type RowProps = {
  item: Item;
  entry: QuestionEntry;
  options: OptionKind[];
  decision: Decision | undefined;
  before: string | undefined;
  disabled: boolean;
  decide: Answers["decide"];
  clear: Answers["clear"];
};

const Row = memo(function Row({ item, entry, options, decision, before, disabled, decide, clear }: RowProps) {
  const { theme } = entry;
  const reflection = theme === "reflection";
  const asked = options.find((it) => it.text_prompt);
  // A question to think about shows its field at once, but does not take the focus from the page.
  const first = reflection && !decision && asked ? asked.id : null;
  const [writing, setWriting] = useState<string | null>(first);
  const [open, setOpen] = useState(theme !== "sections" && item.detail.length <= OPEN_MAX);
  const row = useRef<HTMLLIElement>(null);
  const option = options.find((it) => it.id === writing);
  const skip = options.find(plain);
  const thinking = reflection && !decision && writing !== null;
  const left = decision?.choice === "dismiss" || decision?.choice === "skip";

  const choose = (picked: OptionKind, byKeyboard: boolean) => {
    if (!plain(picked)) return setWriting(writing === picked.id ? null : picked.id);
    setWriting(null);
    if (decision?.choice === picked.id) clear(item.id);
    else decide({ item: item.id, choice: picked.id });
    // Whoever decides by keyboard is taken to the next point.
    if (byKeyboard && decision?.choice !== picked.id) go(row.current, 1);
  };
  const save = (text: string) => {
    if (writing) decide({ item: item.id, choice: writing, text });
    setWriting(null);
    // Whoever went elsewhere with the focus stays there.
    if (row.current?.contains(document.activeElement)) queueMicrotask(() => row.current?.querySelector<HTMLElement>("[data-options] button[tabindex='0']")?.focus());
  };

  const show = useContext(ShowSection);
  const foldable = before !== undefined || (theme === "sections" ? show === null : item.detail.length > OPEN_MAX);
  const fold = before !== undefined ? "What changed" : theme === "sections" ? "Read it here" : "All of it";
  return (
    <li ref={row} data-row="" className="border-t border-line px-4 py-3 first:border-t-0">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <p className={cx("min-w-40 flex-1 font-medium", theme === "sections" && "pt-1", left && "text-soft line-through decoration-1")}>
          {theme === "sections" && show !== null ? (
            <button type="button" title="Show it in the lesson" className="text-start font-medium underline-offset-3 hover:text-accent hover:underline" onClick={() => show(item.label)}>
              {item.label}
            </button>
          ) : (
            item.label
          )}
        </p>
        {theme === "sections" ? <Options label={item.label} options={options} chosen={decision} writing={writing} disabled={disabled} onChoose={choose} /> : null}
      </div>
      {foldable ? (
        <button type="button" aria-expanded={open} className="flex items-center gap-1 text-sm text-soft hover:text-ink" onClick={() => setOpen(!open)}>
          <ChevronRight className={cx("size-4 transition-transform", open && "rotate-90")} aria-hidden />
          {fold}
        </button>
      ) : null}
      {open && item.detail.trim() !== "" ? (
        <div className={cx("mt-1", theme === "sections" && "rounded-lg bg-panel px-3 py-2")}>
          {before !== undefined ? <Differences before={withoutHeading(before)} after={withoutHeading(item.detail)} /> : <Detail detail={theme === "sections" ? withoutHeading(item.detail) : item.detail} label={item.label} />}
        </div>
      ) : null}
      {theme === "sections" || thinking ? null : (
        <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
          <Options label={item.label} options={options} chosen={decision} writing={writing} disabled={disabled} onChoose={choose} />
          <Source detail={item.detail} label={item.label} />
        </div>
      )}
      {decision?.text && writing === null ? (
        <p className="mt-2 rounded-md bg-accent-wash px-2.5 py-1.5 whitespace-pre-wrap">
          {theme === "sections" && decision.choice === "alternatives" ? `${decision.text} alternatives` : decision.text}
        </p>
      ) : null}
      {option ? (
        <div className="rise-in mt-2">
          <OptionText
            theme={theme}
            option={option}
            start={decision?.choice === option.id ? (decision.text ?? "") : startText(theme, item.label, item.detail)}
            focus={!thinking}
            leave={thinking ? skip?.label : undefined}
            onSave={save}
            onCancel={() => (thinking && skip ? choose(skip, false) : setWriting(null))}
          />
        </div>
      ) : null}
    </li>
  );
});

const withoutHeading = (text: string): string => text.replace(/^## .*\n+/, "");

/** Takes the focus to the decisions of a row further down or up. */
function go(row: HTMLElement | null, by: 1 | -1): boolean {
  const rows = [...(row?.parentElement?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
  const target = row ? rows[rows.indexOf(row) + by] : undefined;
  const button = target?.querySelector<HTMLElement>("[data-options] button[tabindex='0']");
  button?.focus({ preventScroll: true });
  if (target) bringIntoView(target, "nearest", 72);
  return button !== undefined && button !== null;
}

/** Points to decide on, one by one or all at once. */
export function ItemsQuestion({ entry }: { entry: QuestionEntry }) {
  const answers = useAnswers();
  const list = useRef<HTMLUListElement>(null);
  const { question, theme } = entry;
  if (question.kind !== "items" || !answers) return null;
  const { undecided, items } = answers;
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (target.tagName === "TEXTAREA" || !target.closest("[data-options]")) return;
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : null;
    if (by !== null && go(target.closest("[data-row]"), by)) event.preventDefault();
  };
  return (
    <div className="group/items">
      <ul ref={list} onKeyDown={press}>
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            entry={entry}
            options={question.options}
            decision={answers.of(item.id)}
            before={entry.before[item.id]}
            disabled={answers.busy}
            decide={answers.decide}
            clear={answers.clear}
          />
        ))}
      </ul>
      {answers.error ? <ErrorNote error={answers.error} className="mx-4 mb-2" /> : null}
      <footer className="sticky -bottom-0.5 z-10 flex flex-wrap items-center gap-2 rounded-b-xl border-t border-line bg-raised px-4 py-2.5">
        <p className="flex-1 text-sm text-soft">
          {progressWords(items.length - undecided.length, items.length)}
          <span className="hidden group-has-[[data-options]_:focus-visible]/items:inline"> · ↑ ↓ between points, ← → or 1 to {Math.min(question.options.length, 9)} to decide</span>
        </p>
        {undecided.length === 0 ? (
          <Button look="primary" busy={answers.busy} onClick={() => answers.finish()}>
            Go on
          </Button>
        ) : (
          rest(theme, question.options).map((option, at) => (
            <Button key={option.id} look={at === 0 && theme !== "memory" ? "primary" : "plain"} busy={answers.busy} onClick={() => answers.finish(option.id)}>
              {restWords(theme, option, undecided.length, undecided.length === items.length)}
            </Button>
          ))
        )}
      </footer>
    </div>
  );
}
