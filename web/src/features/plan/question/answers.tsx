// The question that waits and what is being decided on it: one state for the card in the conversation and the tools in the lesson.
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import type { Decision, Item, Outcome } from "@/api/types";
import { announce } from "@/lib/announce";
import { ApiError } from "@/api/errors";
import { useAnswer } from "../actions";
import type { QuestionEntry } from "../model/view";

export type Answers = {
  entry: QuestionEntry;
  items: Item[];
  /** The decision on an item as the page knows it, sent or not. */
  of: (item: string) => Decision | undefined;
  /** Whether it stands in the journal. */
  kept: (item: string) => boolean;
  undecided: Item[];
  decide: (decision: Decision) => void;
  /** Takes back what was not sent yet, or is about to be decided otherwise. */
  clear: (item: string) => void;
  /** Ends the question: with a decision for all that have none, or with what is there. */
  finish: (restChoice?: string) => void;
  answer: (outcome: Outcome) => void;
  busy: boolean;
  error: unknown;
};

/** Shows a section in the lesson beside the conversation; none where the lesson is not beside it. */
export const ShowSection = createContext<((title: string) => void) | null>(null);

const Context = createContext<Answers | null>(null);
export const useAnswers = (): Answers | null => useContext(Context);

type Marked = Record<string, Decision>;
const keyOf = (hash: string) => `teacher-assist:decisions:${hash}`;

/** What was marked and not sent is kept for this tab, so that a reload in the middle loses nothing. */
function remembered(hash: string): Marked {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(hash)) ?? "{}") as Marked;
  } catch {
    return {};
  }
}

function remember(hash: string, marked: Marked | null): void {
  try {
    if (marked === null || Object.keys(marked).length === 0) sessionStorage.removeItem(keyOf(hash));
    else sessionStorage.setItem(keyOf(hash), JSON.stringify(marked));
  } catch {
    // Full or switched off: what was sent is safe all the same.
  }
}

const same = (one: Decision | undefined, other: Decision | undefined): boolean =>
  one !== undefined && other !== undefined && one.choice === other.choice && (one.text ?? "") === (other.text ?? "");

/** What has to be sent to end the question: what is marked and not kept so, and `rest` for what has no mark. */
export function toSend(items: Item[], kept: Marked, marked: Marked, restChoice?: string): Decision[] {
  return items.flatMap((item) => {
    const mine = marked[item.id];
    if (mine) return same(mine, kept[item.id]) ? [] : [mine];
    return kept[item.id] || restChoice === undefined ? [] : [{ item: item.id, choice: restChoice }];
  });
}

/** Whether this decision would be the last: it is held back until the person says to go on. */
export function wouldEnd(items: Item[], kept: Marked, sent: ReadonlySet<string>, item: string): boolean {
  return items.every((it) => it.id === item || kept[it.id] !== undefined || sent.has(it.id));
}

export function AnswersProvider({ entry, children }: { entry: QuestionEntry | null; children: ReactNode }) {
  return entry ? (
    <Provider key={entry.key} entry={entry}>
      {children}
    </Provider>
  ) : (
    <Context value={null}>{children}</Context>
  );
}

function Provider({ entry, children }: { entry: QuestionEntry; children: ReactNode }) {
  const { hash, run, question, decided } = entry;
  const items = useMemo(() => (question.kind === "items" ? question.items : []), [question]);
  const [marked, setMarked] = useState<Marked>(() => remembered(hash));
  const [error, setError] = useState<unknown>(null);
  const [ending, setEnding] = useState(false);
  const sent = useRef(new Set<string>());
  const { mutateAsync } = useAnswer();

  useEffect(() => remember(hash, marked), [hash, marked]);

  const send = useCallback(
    async (decisions: Decision[], outcome?: Outcome) => {
      setError(null);
      for (const decision of decisions) sent.current.add(decision.item);
      try {
        await mutateAsync({ run, hash, ...(decisions.length ? { decisions } : {}), ...(outcome ? { outcome } : {}) });
        return true;
      } catch (problem) {
        for (const decision of decisions) sent.current.delete(decision.item);
        // Another tab may have been quicker: then the journal says so in a moment, and there is nothing to mend.
        if (!(problem instanceof ApiError && problem.code === "question.answered")) setError(problem);
        return false;
      }
    },
    [hash, mutateAsync, run],
  );

  const decide = useCallback(
    (decision: Decision) => {
      setMarked((all) => ({ ...all, [decision.item]: decision }));
      if (same(decided[decision.item], decision)) return;
      if (wouldEnd(items, decided, sent.current, decision.item)) announce("Every point is decided. Press Go on to continue.");
      else void send([decision]);
    },
    [decided, items, send],
  );

  const clear = useCallback((item: string) => setMarked(({ [item]: _, ...others }) => others), []);

  const end = useCallback(
    async (decisions: Decision[], outcome?: Outcome) => {
      setEnding(true);
      const ok = await send(decisions, outcome);
      if (ok) remember(hash, null);
      else setEnding(false);
    },
    [hash, send],
  );

  const value = useMemo<Answers>(() => {
    const of = (item: string) => marked[item] ?? decided[item];
    return {
      entry,
      items,
      of,
      kept: (item) => same(of(item), decided[item]),
      undecided: items.filter((it) => !of(it.id)),
      decide,
      clear,
      finish: (choice) => void end(toSend(items, decided, marked, choice)),
      answer: (outcome) => void end([], outcome),
      busy: ending,
      error,
    };
  }, [clear, decide, decided, end, ending, entry, error, items, marked]);

  return <Context value={value}>{children}</Context>;
}
