import { cx } from "@/ui";
import { byVerdict } from "./trace";
import type { Counts } from "./types";

/** Colours by how loud a verdict is; its name and number always stand beside the colour. */
const LOOKS: Record<string, { fill: string; tone: string }> = {
  pass: { fill: "fill-good", tone: "bg-good-wash text-good" },
  modify: { fill: "fill-accent", tone: "bg-accent-wash text-accent" },
  asks: { fill: "fill-edge", tone: "bg-sunken text-soft" },
  refuse: { fill: "fill-ask-line", tone: "bg-ask-wash text-ask" },
  rework: { fill: "fill-ask", tone: "bg-ask-wash text-ask" },
  abort: { fill: "fill-bad", tone: "bg-bad-wash text-bad" },
  failed: { fill: "fill-bad-line", tone: "bg-bad-wash text-bad" },
};
const look = (name: string) => LOOKS[name] ?? { fill: "fill-edge", tone: "bg-sunken text-soft" };

export const Verdict = ({ name, count }: { name: string; count?: number }) => (
  <span className={cx("inline-block whitespace-nowrap rounded-full px-2 py-px text-xs font-medium", look(name).tone)}>
    {name}
    {count !== undefined ? ` ${count.toLocaleString("en-GB")}` : ""}
  </span>
);

export const Verdicts = ({ counts, wrap = true }: { counts: Counts; wrap?: boolean }) => (
  <span className={cx("inline-flex gap-1", wrap && "flex-wrap")}>
    {byVerdict(counts).map(([name, count]) => (
      <Verdict key={name} name={name} count={count} />
    ))}
  </span>
);

/** Counts as one bar; `most` is what fills the whole width. The numbers stand beside it as text. */
export function StackedBar({ counts, most }: { counts: Counts; most: number }) {
  const list = byVerdict(counts);
  let at = 0;
  return (
    <svg viewBox="0 0 100 10" preserveAspectRatio="none" className="block h-4 w-full rounded-sm bg-sunken" aria-hidden focusable="false">
      {list.map(([name, count]) => {
        const width = most > 0 ? (count / most) * 100 : 0;
        const from = at;
        at += width;
        return <rect key={name} x={from} y={0} width={Math.max(width - 0.25, 0.1)} height={10} className={look(name).fill} />;
      })}
    </svg>
  );
}

/** How much of a bound was used, as a thin bar under the number. */
export function Gauge({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-0.5 block h-1 w-full rounded-full bg-sunken" aria-hidden focusable="false">
      <rect x={0} y={0} height={4} width={Math.min(Math.max(share, 0), 1) * 100} className={share > 0.8 ? "fill-bad" : share > 0.5 ? "fill-ask" : "fill-accent"} />
    </svg>
  );
}
