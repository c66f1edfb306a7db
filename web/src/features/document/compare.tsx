import { useMemo } from "react";
import { Skeleton } from "@/ui";
import { changes, plainLines, type Change } from "./difference";
import { useMarkdown } from "./markdown/reader";
import { Blocks } from "./markdown/view";

/** What a change is called for those who do not see colours. */
function Piece({ change }: { change: Change }) {
  if (change.kind === "added") return <ins className="rounded-xs bg-added no-underline decoration-good [text-decoration:underline_1px] underline-offset-3">{change.text}</ins>;
  if (change.kind === "removed") return <del className="rounded-xs bg-removed">{change.text}</del>;
  return change.text;
}

/** The second text with what it adds to the first and leaves out of it marked. `side` leaves one kind out. */
export default function Compare({ before, after, side = "both" }: { before: string; after: string; side?: "both" | "after" }) {
  const first = useMarkdown(before);
  const second = useMarkdown(after);
  const texts = useMemo(() => (first && second ? { before: plainLines(first), after: plainLines(second) } : null), [first, second]);
  const found = useMemo(() => (texts ? changes(texts.before, texts.after) : null), [texts]);
  if (!texts) return <Skeleton lines={2} />;
  if (found === null) {
    return (
      <div className="prose">
        <p className="font-sans text-sm text-soft">Different throughout.</p>
        <Blocks blocks={second ?? []} shift={3} />
      </div>
    );
  }
  return (
    <div className="whitespace-pre-wrap leading-relaxed">
      {found.map((row, at) => {
        const shown = side === "both" ? row : row.filter((it) => it.kind !== "removed");
        return shown.length === 0 ? null : (
          <p key={at}>
            {shown.map((change, index) => (
              <Piece key={index} change={change} />
            ))}
          </p>
        );
      })}
    </div>
  );
}
