import { Volume2 } from "lucide-react";
import { memo } from "react";
import { Markdown } from "@/features/document/markdown/view";
import { IconButton } from "@/ui/button";
import type { Line } from "./conversation";
import { Figure } from "./drawing";

type Props = {
  line: Line;
  onAloud: ((text: string) => void) | null;
  /** Who spoke, as whoever reads this calls them. */
  learner?: string;
  /** Whether what is new begins here. */
  newest?: boolean;
};

/** One thing that was said. Whose it is is told in words for screen readers, and by side and colour for the eye. */
export const Bubble = memo(function Bubble({ line, onAloud, learner = "You", newest = false }: Props) {
  if (line.by === "learner") {
    return (
      <li className="flex justify-end" data-newest={newest || undefined}>
        <p className="max-w-[85%] rounded-2xl rounded-ee-md bg-accent px-4 py-2 whitespace-pre-wrap text-on-accent">
          <span className="sr-only">{learner}: </span>
          <span>{line.text}</span>
        </p>
      </li>
    );
  }
  return (
    <li className="rise-in flex items-start gap-1" data-newest={newest || undefined}>
      <div className="max-w-[92%] min-w-0 rounded-2xl rounded-es-md border border-line bg-raised px-4 py-3" data-emotion={line.emotion ?? undefined}>
        <span className="sr-only">Tutor: </span>
        <Markdown text={line.display} shift={3} className="text-[1.0625rem]" />
        {line.drawing ? <Figure drawing={line.drawing} /> : null}
      </div>
      {onAloud ? (
        <IconButton label="Read this aloud" className="!min-h-10 !w-10 shrink-0" onClick={() => onAloud(line.speech)}>
          <Volume2 className="size-4.5 text-soft" aria-hidden />
        </IconButton>
      ) : null}
    </li>
  );
});
