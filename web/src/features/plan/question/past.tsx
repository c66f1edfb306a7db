import { Badge } from "@/ui";
import type { QuestionEntry } from "../model/view";
import { Detail } from "./source";

/** What was asked and what was decided, to look back at. */
export function Past({ entry }: { entry: QuestionEntry }) {
  const { question, outcome, decided } = entry;
  if (question.kind === "choice") {
    const picked = outcome?.outcome === "answered" && "choice" in outcome.answer ? outcome.answer.choice : null;
    return (
      <ul className="px-4 pb-3">
        {question.choices.map((choice) => (
          <li key={choice.id} className="border-t border-line py-2">
            <p className="font-medium">
              {choice.label} {choice.id === picked ? <Badge tone="good">chosen</Badge> : null}
            </p>
            {choice.detail ? <Detail detail={choice.detail} label={choice.label} /> : null}
          </li>
        ))}
      </ul>
    );
  }
  if (question.kind !== "items") return <p className="px-4 pb-3 text-soft">{question.detail}</p>;
  return (
    <ul className="px-4 pb-3">
      {question.items.map((item) => {
        const decision = decided[item.id];
        const label = question.options.find((it) => it.id === decision?.choice)?.label;
        return (
          <li key={item.id} className="border-t border-line py-2">
            <p className="flex flex-wrap items-baseline gap-2">
              <span className="min-w-40 flex-1">{item.label}</span>
              <Badge>{label ?? "left open"}</Badge>
            </p>
            {decision?.text ? <p className="mt-1 whitespace-pre-wrap text-soft">{decision.text}</p> : null}
          </li>
        );
      })}
    </ul>
  );
}
