// A file to read instead of to write: its markdown as the lesson is shown, pointers to evidence open the lines.
import { useMemo } from "react";
import { EvidenceContext, Markdown, type OpenEvidence } from "@/features/document";
import { split } from "./front-matter-text";

type Props = { text: string; onPlace: (path: string, from: number | null, to: number | null) => void };

export default function Reading({ text, onPlace }: Props) {
  const { head, body } = useMemo(() => split(text), [text]);
  const open = useMemo<OpenEvidence>(() => (place) => onPlace(place.path, place.from, place.to), [onPlace]);
  return (
    <div tabIndex={0} role="region" aria-label="The text to read" className="min-h-0 flex-1 overflow-auto bg-paper px-5 py-5">
      <article className="mx-auto max-w-3xl">
        {head ? <pre className="mb-5 whitespace-pre-wrap break-words rounded-lg bg-sunken px-4 py-3 font-sans text-sm text-soft">{head}</pre> : null}
        <EvidenceContext.Provider value={open}>
          <Markdown text={body} shift={1} className="prose" />
        </EvidenceContext.Provider>
      </article>
    </div>
  );
}
