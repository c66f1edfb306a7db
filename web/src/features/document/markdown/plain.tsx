import { memo, useMemo } from "react";

/** Characters of one part. */
const PART = 4_096;

/** The text in parts that, put together, are the text; cut at ends of lines where there are any. */
export function parts(text: string): string[] {
  const list: string[] = [];
  let at = 0;
  while (text.length - at > PART) {
    const line = text.lastIndexOf("\n", at + PART - 1) + 1;
    let end = line > at ? line : at + PART;
    // A character of two halves stays whole.
    if (line <= at && /[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
    list.push(text.slice(at, end));
    at = end;
  }
  if (at < text.length) list.push(text.slice(at));
  return list;
}

/** A text as it is written. A long one stands in parts, of which the browser lays out those in sight alone. */
export const Plain = memo(function Plain({ text }: { text: string }) {
  const list = useMemo(() => parts(text), [text]);
  if (list.length < 2) return <div className="plain">{text}</div>;
  return (
    <div className="plain">
      {list.map((it, at) => (
        <div key={at} className="plain-part">
          {it}
        </div>
      ))}
    </div>
  );
});
