import { Columns2 } from "lucide-react";
import { useState } from "react";
import type { Choice, Question } from "@/api/types";
import { Differences, Markdown } from "@/features/document";
import { Badge, Button, cx, Dialog, ErrorNote } from "@/ui";
import type { QuestionEntry } from "../model/view";
import { useAnswers } from "./answers";

type Choices = Extract<Question, { kind: "choice" }>;

/** Longest label of choices that stand beside each other, as a scale does. */
const SCALE_MAX = 24;

export function ChoiceQuestion({ entry }: { entry: QuestionEntry }) {
  const answers = useAnswers();
  const { question } = entry;
  if (question.kind !== "choice" || !answers) return null;
  const choose = (id: string) => answers.answer({ outcome: "answered", answer: { choice: id } });
  const scale = question.choices.every((it) => !it.detail && it.label.length <= SCALE_MAX);
  return (
    <div className="px-4 pb-4 pt-1">
      {scale ? <Scale question={question} busy={answers.busy} choose={choose} /> : <Alternatives entry={entry} question={question} busy={answers.busy} choose={choose} />}
      {answers.error ? <ErrorNote error={answers.error} className="mt-3" /> : null}
    </div>
  );
}

type Props = { question: Choices; busy: boolean; choose: (id: string) => void };

function Scale({ question, busy, choose }: Props) {
  return (
    <div role="group" aria-label={question.title} className="flex flex-wrap gap-2">
      {question.choices.map((choice) => (
        <Button key={choice.id} aria-disabled={busy || undefined} onClick={() => (busy ? undefined : choose(choice.id))}>
          {choice.label}
        </Button>
      ))}
    </div>
  );
}

function One({ choice, present, marked, busy, choose }: { choice: Choice; present: string | undefined; marked: boolean; busy: boolean; choose: (id: string) => void }) {
  return (
    <li className="flex min-w-0 flex-col rounded-lg border border-line bg-panel">
      <h3 className="flex items-center gap-2 border-b border-line px-3 py-2">{choice.label}</h3>
      <div className="flex-1 px-3 py-2.5">
        {marked && present !== undefined && choice.detail ? <Differences before={present} after={choice.detail} side="after" /> : choice.detail ? <Markdown text={choice.detail} shift={3} /> : null}
      </div>
      <div className="px-3 pb-3">
        <Button look="primary" size="small" className="w-full" aria-disabled={busy || undefined} onClick={() => (busy ? undefined : choose(choice.id))}>
          Choose “{choice.label}”
        </Button>
      </div>
    </li>
  );
}

function Columns({ entry, question, busy, choose, wide }: Props & { entry: QuestionEntry; wide: boolean }) {
  const present = entry.before[""]?.replace(/^## .*\n+/, "");
  const [marked, setMarked] = useState(false);
  return (
    <div className="flex flex-col gap-3">
      {present !== undefined ? (
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" className="size-4 accent-accent" checked={marked} onChange={(event) => setMarked(event.target.checked)} />
          Mark what differs from the section as it is
        </label>
      ) : null}
      <ul className={cx("grid gap-3", wide ? "grid-cols-[repeat(auto-fit,minmax(min(17rem,100%),1fr))]" : "grid-cols-1 @xl:grid-cols-2")}>
        {present !== undefined && wide ? (
          <li className="flex min-w-0 flex-col rounded-lg border border-dashed border-edge/60">
            <h3 className="flex items-center gap-2 border-b border-line px-3 py-2">
              As it is <Badge>before</Badge>
            </h3>
            <div className="px-3 py-2.5">
              <Markdown text={present} shift={3} />
            </div>
          </li>
        ) : null}
        {question.choices.map((choice) => (
          <One key={choice.id} choice={choice} present={present} marked={marked} busy={busy} choose={choose} />
        ))}
      </ul>
    </div>
  );
}

function Alternatives(props: Props & { entry: QuestionEntry }) {
  const [wide, setWide] = useState(false);
  const { question } = props;
  return (
    <div className="@container flex flex-col gap-3">
      <Button size="small" className="self-start" icon={<Columns2 className="size-4" aria-hidden />} onClick={() => setWide(true)}>
        Compare side by side
      </Button>
      <Columns {...props} wide={false} />
      <Dialog open={wide} onOpenChange={setWide} title={question.title} width="full">
        <Columns {...props} wide />
      </Dialog>
    </div>
  );
}
