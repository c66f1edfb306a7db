import type { FractionBars as Parameters } from "./kinds";

const WIDTH = 320;
const HEIGHT = 40;
const GAP = 14;

/** Bars of the same length, cut into equal parts, some of them shaded. */
export function FractionBars({ bars }: Parameters) {
  const named = bars.some(({ label }) => label !== "");
  const left = named ? 8 + 9 * Math.max(...bars.map(({ label }) => label.length)) : 0;
  const long = WIDTH - left - 2;
  const height = bars.length * (HEIGHT + GAP) - GAP + 2;
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} width={WIDTH} height={height} aria-hidden>
      {bars.map(({ parts, shaded, label }, bar) => {
        const y = 1 + bar * (HEIGHT + GAP);
        const wide = long / parts;
        return (
          <g key={bar}>
            {label ? (
              <text x={left - 8} y={y + HEIGHT / 2} className="end">
                {label}
              </text>
            ) : null}
            <rect x={left + 1} y={y} width={long} height={HEIGHT} className="shape" />
            <rect x={left + 1} y={y} width={wide * shaded} height={HEIGHT} className="shaded" />
            {Array.from({ length: parts - 1 }, (_, at) => (
              <line key={at} x1={left + 1 + wide * (at + 1)} x2={left + 1 + wide * (at + 1)} y1={y} y2={y + HEIGHT} className="side" />
            ))}
            <rect x={left + 1} y={y} width={long} height={HEIGHT} className="frame" />
          </g>
        );
      })}
    </svg>
  );
}
