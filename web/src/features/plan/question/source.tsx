import { useContext } from "react";
import { EvidenceContext, Markdown } from "@/features/document";
import { placeOf } from "@/features/document/markdown/tree";
import { sourceOf } from "./wording";

/** What a point is about, with the file it comes from as something to open. */
export function Detail({ detail, label }: { detail: string; label: string }) {
  const { text, from } = sourceOf(detail);
  const open = useContext(EvidenceContext);
  const place = from ? placeOf(from) : null;
  const plainCopy = text === "" || label.endsWith(text);
  return (
    <>
      {plainCopy ? null : <Markdown text={text} className="text-sm text-soft" shift={3} />}
      {from ? (
        <p className="mt-0.5 text-sm text-soft">
          From{" "}
          {place && open ? (
            <button type="button" className="text-accent underline decoration-dotted underline-offset-3" onClick={() => open(place, null, label)}>
              {from}
            </button>
          ) : (
            from
          )}
        </p>
      ) : null}
    </>
  );
}
