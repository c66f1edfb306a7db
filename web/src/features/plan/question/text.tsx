import { useId, useState } from "react";
import { Button, ErrorNote, TextArea } from "@/ui";
import type { QuestionEntry } from "../model/view";
import { useAnswers } from "./answers";
import { TEXT_MAX } from "./option-text";

/** A question that is answered in one's own words. */
export function TextQuestion({ entry }: { entry: QuestionEntry }) {
  const answers = useAnswers();
  const { question } = entry;
  const [text, setText] = useState(question.kind === "text" ? (question.suggestion ?? "") : "");
  const id = useId();
  if (question.kind !== "text" || !answers) return null;
  const ready = text.trim() !== "";
  const send = () => answers.answer({ outcome: "answered", answer: { text: text.trim() } });
  return (
    <form
      className="flex flex-col gap-2 px-4 pb-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) send();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {question.title}
      </label>
      <TextArea
        id={id}
        rows={3}
        value={text}
        maxLength={TEXT_MAX}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && ready) send();
        }}
      />
      {answers.error ? <ErrorNote error={answers.error} /> : null}
      <Button look="primary" type="submit" className="self-start" disabled={!ready} busy={answers.busy}>
        Answer
      </Button>
    </form>
  );
}
