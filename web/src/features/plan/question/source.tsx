import { useContext } from "react";
import { EvidenceContext, Markdown } from "@/features/document";
import { placeOf } from "@/features/document/markdown/tree";
import { sourceOf } from "./wording";

/** What a point is about; nothing where its label says the same. */
export function Detail({ detail, label }: { detail: string; label: string }) {
  const { text } = sourceOf(detail);
  return text === "" || label.endsWith(text) ? null : <Markdown text={text} className="text-sm text-soft" shift={3} />;
}

/** The file that a point comes from, as something to open. */
export function Source({ detail, label }: { detail: string; label: string }) {
  const { from } = sourceOf(detail);
  const open = useContext(EvidenceContext);
  if (!from) return null;
  const place = placeOf(from);
  return (
    <span className="text-sm text-soft">
      From{" "}
      {place && open ? (
        <button type="button" className="text-accent underline decoration-dotted underline-offset-3" onClick={() => open(place, null, label)}>
          {from}
        </button>
      ) : (
        from
      )}
    </span>
  );
}
