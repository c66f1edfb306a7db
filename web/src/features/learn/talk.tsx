// The conversation, which keeps its newest words in sight.
import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { Button } from "@/ui/button";
import { ErrorNote } from "@/ui/feedback";
import { Bubble } from "./bubble";
import { withoutRepeats } from "./conversation";
import { whereYouAre, type Progress } from "./progress";
import type { State } from "./session";

/** Pixels above what is brought to the top. */
const MARGIN = 12;

type Props = { state: State; progress: Progress; onOlder: () => void; onAloud: ((text: string) => void) | null; onRetry: () => void };

export function Talk({ state, progress, onOlder, onAloud, onRetry }: Props) {
  const { lines, earlier, resumed, saying, error, fresh } = state;
  const drawn = useMemo(() => withoutRepeats(lines), [lines]);
  const frame = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  /** Whether what grows is followed; who looks at something else is not disturbed. */
  const follows = useRef(true);
  /** Where the page itself has moved the conversation to. */
  const placed = useRef(0);
  /** To the end; but never beyond the beginning of what is new, which is read from there. */
  const down = () => {
    const { current } = frame;
    if (!current || !follows.current) return;
    const newest = unread.current ? inner.current?.querySelector<HTMLElement>("[data-newest]") : null;
    const top = newest ? newest.offsetTop - MARGIN : Infinity;
    current.scrollTop = Math.min(current.scrollHeight, top);
    placed.current = current.scrollTop;
  };
  /** Whether something new is shown, and nothing is being said. */
  const unread = useRef(false);
  unread.current = fresh.length > 0 && saying === null;
  // Formulas and drawings come a moment later, and make the conversation longer.
  useEffect(() => {
    const watch = new ResizeObserver(down);
    for (const node of [frame.current, inner.current]) if (node) watch.observe(node);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    follows.current = true;
    down();
  }, [fresh, saying]);
  // What is new begins with what was said for it; at first, with the first message.
  const newest = Math.max(0, drawn.findLastIndex((line) => line.by === "learner"));
  return (
    <div
      ref={frame}
      role="log"
      aria-label="Conversation"
      aria-live="polite"
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain"
      onScroll={({ currentTarget: it }) => {
        if (Math.abs(it.scrollTop - placed.current) > 2) follows.current = it.scrollHeight - it.scrollTop - it.clientHeight < 80;
      }}
    >
      <div ref={inner} className="mx-auto flex w-full max-w-3xl flex-col px-3 py-4">
        {earlier ? (
          <Button size="small" className="mb-4 self-center" onClick={onOlder}>
            What was said before
          </Button>
        ) : null}
        <ol className="flex flex-col gap-3">
          {drawn.map((line, at) => [
            at === resumed ? <LeftOff key="left-off" words={whereYouAre(progress)} /> : null,
            <Bubble key={line.key} line={line} onAloud={onAloud} newest={at === newest} />,
          ])}
          {resumed === drawn.length ? <LeftOff words={whereYouAre(progress)} /> : null}
          {saying === null ? null : (
            <li className="flex justify-end">
              <p className="max-w-[85%] rounded-2xl rounded-ee-md bg-accent px-4 py-2 whitespace-pre-wrap text-on-accent opacity-70">
                <span className="sr-only">You: </span>
                <span>{saying}</span>
              </p>
            </li>
          )}
        </ol>
        {saying === null ? null : (
          <p role="status" className="mt-3 flex gap-1 ps-4 text-soft">
            <span className="sr-only">The tutor is thinking</span>
            <span aria-hidden className="breathe text-2xl leading-none">
              …
            </span>
          </p>
        )}
        {error ? <ErrorNote error={error} onRetry={onRetry} className="mt-4" /> : null}
      </div>
    </div>
  );
}

function LeftOff({ words }: { words: string }) {
  return (
    <li className="my-2 flex items-center gap-3 text-sm text-accent">
      <span aria-hidden className="h-px flex-1 bg-accent/40" />
      <span>Welcome back. {words}</span>
      <span aria-hidden className="h-px flex-1 bg-accent/40" />
    </li>
  );
}
