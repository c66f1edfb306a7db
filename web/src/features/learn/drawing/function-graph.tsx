import type { FunctionGraph as Parameters } from "./kinds";
import { round, shown, stepOf, ticks } from "./points";

const WIDTH = 320;
const HEIGHT = 240;
const EDGE = 26;
const SAMPLES = 160;
const DEGREES = 90;

/** What a function is at a place; angles are in degrees. */
export function valueOf({ function: kind, factor, constant }: Parameters, at: number): number {
  const radians = (at * Math.PI) / 180;
  return factor * (kind === "line" ? at : kind === "sine" ? Math.sin(radians) : Math.cos(radians)) + constant;
}

/** The graph of a straight line, or of a sine or cosine, with axes in steps that a person would choose. */
export function FunctionGraph(parameters: Parameters) {
  const { from, to } = parameters;
  const places = Array.from({ length: SAMPLES + 1 }, (_, at) => from + ((to - from) * at) / SAMPLES);
  const values = places.map((it) => valueOf(parameters, it));
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values, low + 1e-6);
  const x = (value: number) => round(EDGE + ((value - from) / (to - from)) * (WIDTH - 2 * EDGE));
  const y = (value: number) => round(HEIGHT - EDGE - ((value - low) / (high - low)) * (HEIGHT - 2 * EDGE));
  const across = ticks(from, to, parameters.function === "line" ? stepOf(to - from, 10) : stepDegrees(to - from));
  const up = ticks(low, high, stepOf(high - low, 8));
  const axis = { x: x(Math.min(Math.max(0, from), to)), y: y(0) };
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      {across.map((it) => (
        <line key={it} x1={x(it)} x2={x(it)} y1={EDGE} y2={HEIGHT - EDGE} className="ruling" />
      ))}
      {up.map((it) => (
        <line key={it} x1={EDGE} x2={WIDTH - EDGE} y1={y(it)} y2={y(it)} className="ruling" />
      ))}
      <line x1={EDGE - 8} x2={WIDTH - EDGE + 8} y1={axis.y} y2={axis.y} className="axis" />
      <line x1={axis.x} x2={axis.x} y1={EDGE - 8} y2={HEIGHT - EDGE + 8} className="axis" />
      {across.filter((it) => it !== 0).map((it) => (
        <text key={it} x={x(it)} y={axis.y + 13} className="small">
          {shown(it)}
        </text>
      ))}
      {up.filter((it) => it !== 0).map((it) => (
        <text key={it} x={axis.x - 6} y={y(it)} className="small end">
          {shown(it)}
        </text>
      ))}
      <polyline points={places.map((it, at) => `${x(it)},${y(values[at] ?? 0)}`).join(" ")} className="curve" />
    </svg>
  );
}

const stepDegrees = (span: number): number => DEGREES * Math.max(1, Math.ceil(span / DEGREES / 8));
