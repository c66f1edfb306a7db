import { memo, useMemo } from "react";
import { thinned, timescale } from "./timescale";
import { lane, LANE_NAMES, LANE_ORDER, loud } from "./trace";
import type { Span } from "./types";
import { wait } from "./words";

const LANE_HEIGHT = 22;
const HEIGHT = LANE_ORDER.length * LANE_HEIGHT;
/** With more marks than this a mark is too thin to point at. */
const TITLED_MAX = 800;
const FILLS = { person: "fill-ask", hook: "fill-accent", model: "fill-good", tool: "fill-edge", record: "fill-soft" } as const;

/** The run as lanes along the time that was worked. The list below says the same in words. */
export const Overview = memo(function Overview({ spans, onPick }: { spans: Span[]; onPick: (seq: number) => void }) {
  const { marks, gaps } = useMemo(() => {
    const { placed, gaps: waits } = timescale(spans);
    return { marks: thinned(placed, (span) => `${lane(span)}${loud(span) ? "!" : ""}`), gaps: waits };
  }, [spans]);
  return (
    <figure className="m-0">
      <div className="flex gap-2">
        <div aria-hidden className="shrink-0 text-xs text-soft">
          {LANE_ORDER.map((it) => (
            <div key={it} style={{ height: LANE_HEIGHT }} className="flex items-center">{LANE_NAMES[it]}</div>
          ))}
        </div>
        <svg
          role="img"
          aria-label={`The run along its time: ${spans.length} steps, ${gaps.length} long waits. The list below says the same in words.`}
          viewBox={`0 0 1000 ${HEIGHT}`}
          preserveAspectRatio="none"
          className="min-w-0 flex-1 rounded-md bg-sunken"
          style={{ height: HEIGHT }}
        >
          {LANE_ORDER.map((it, index) => (index % 2 ? <rect key={it} x={0} y={index * LANE_HEIGHT} width={1000} height={LANE_HEIGHT} className="fill-panel" /> : null))}
          {gaps.map((it, index) => (
            <g key={index}>
              <title>{`waited ${wait(it.ms)}`}</title>
              <line x1={it.at * 1000} x2={it.at * 1000} y1={0} y2={HEIGHT} strokeWidth={2} strokeDasharray="3 4" vectorEffect="non-scaling-stroke" className="stroke-edge" />
            </g>
          ))}
          {marks.map(({ span, from, to }) => {
            const own = lane(span);
            const bad = loud(span);
            return (
              <rect
                key={span.seq}
                x={Math.min(from * 1000, 996)}
                y={LANE_ORDER.indexOf(own) * LANE_HEIGHT + (bad ? 2 : 5)}
                width={Math.max((to - from) * 1000, bad ? 5 : 3)}
                height={LANE_HEIGHT - (bad ? 4 : 10)}
                rx={1}
                className={`cursor-pointer ${bad ? "fill-bad" : FILLS[own]}`}
                onClick={() => onPick(span.seq)}
              >
                {marks.length < TITLED_MAX ? <title>{`${span.seq}: ${span.name}`}</title> : null}
              </rect>
            );
          })}
        </svg>
      </div>
      <figcaption className="mt-1 text-xs text-soft">
        {gaps.length > 0 ? `Dashed lines are waits, drawn short (the longest ${wait(Math.max(...gaps.map((it) => it.ms)))}). ` : ""}
        Red steps changed or ended something, or found something.
      </figcaption>
    </figure>
  );
});
