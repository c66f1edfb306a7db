import type { NumberLine as Parameters } from "./kinds";
import { shown } from "./points";

const WIDTH = 320;
const EDGE = 22;
const LINE = 56;
const LABEL = 12;

/** A line of numbers in equal parts. Marks whose labels would meet stand in two rows. */
export function NumberLine({ from, to, parts, marks }: Parameters) {
  const x = (value: number) => EDGE + ((value - from) / (to - from)) * (WIDTH - 2 * EDGE);
  const places = Array.from({ length: parts + 1 }, (_, at) => from + ((to - from) * at) / parts);
  const sorted = [...marks].sort((a, b) => a.at - b.at);
  let before = -Infinity;
  let high = false;
  const placed = sorted.map((mark) => {
    const near = x(mark.at) - before < 14 + mark.label.length * 7;
    high = near ? !high : false;
    before = x(mark.at);
    return { ...mark, high };
  });
  return (
    <svg viewBox={`0 0 ${WIDTH} 92`} width={WIDTH} height={92} aria-hidden>
      <line x1={6} x2={WIDTH - 6} y1={LINE} y2={LINE} className="side" />
      {places.map((value, at) => {
        const whole = Number.isInteger(value) || at === 0 || at === parts;
        return (
          <g key={at}>
            <line x1={x(value)} x2={x(value)} y1={LINE - (whole ? 8 : 5)} y2={LINE + (whole ? 8 : 5)} className="side" />
            {whole && (parts <= LABEL || at === 0 || at === parts) ? (
              <text x={x(value)} y={LINE + 22}>
                {shown(value)}
              </text>
            ) : null}
          </g>
        );
      })}
      {placed.map(({ at, label, high: up }, index) => (
        <g key={index}>
          <circle cx={x(at)} cy={LINE} r={5.5} className="dot" />
          {up ? <line x1={x(at)} x2={x(at)} y1={LINE - 10} y2={LINE - 26} className="thin" /> : null}
          <text x={x(at)} y={LINE - (up ? 36 : 18)} className="marked">
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}
