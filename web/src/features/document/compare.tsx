import { useMemo } from "react";
import { Skeleton } from "@/ui";
import { changes, plainLines, type Change } from "./difference";
import { useMarkdown } from "./markdown/reader";

/** What a change is called for those who do not see colours. */
function Piece({ change }: { change: Change }) {
  if (change.kind === "added") return <ins className="rounded-xs bg-added no-underline decoration-good [text-decoration:underline_1px] underline-offset-3">{change.text}</ins>;
  if (change.kind === "removed") return <del className="rounded-xs bg-removed">{change.text}</del>;
  return change.text;
}

/** The second text with what it adds to the first and leaves out of it marked. `side` leaves one kind out. */
export function Differences({ before, after, side = "both" }: { before: string; after: string; side?: "both" | "after" }) {
  const first = useMarkdown(before);
  const second = useMarkdown(after);
  const texts = useMemo(() => (first && second ? { before: plainLines(first), after: plainLines(second) } : null), [first, second]);
  const found = useMemo(() => (texts ? changes(texts.before, texts.after) : null), [texts]);
  if (!texts) return <Skeleton lines={2} />;
  const shown: Change[] = found ?? [{ kind: "added", text: texts.after }];
  return (
    <div className="whitespace-pre-wrap leading-relaxed">
      {found === null ? <p className="mb-2 font-sans text-sm text-soft">Different throughout.</p> : null}
      {shown.filter((it) => side === "both" || it.kind !== "removed").map((change, at) => (
        <Piece key={at} change={found === null ? { ...change, kind: "same" } : change} />
      ))}
    </div>
  );
}
