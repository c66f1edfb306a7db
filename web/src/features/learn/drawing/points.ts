// Points of a plane as SVG counts them: the second coordinate grows downwards.

export type Point = { x: number; y: number };

export const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y });
export const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y });
export const times = (a: Point, by: number): Point => ({ x: a.x * by, y: a.y * by });
export const lengthOf = ({ x, y }: Point): number => Math.hypot(x, y);
export const unit = (a: Point): Point => times(a, 1 / (lengthOf(a) || 1));
export const middle = (a: Point, b: Point): Point => times(plus(a, b), 0.5);
export const written = (points: Point[]): string => points.map(({ x, y }) => `${round(x)},${round(y)}`).join(" ");

/** Turned about the origin, to the left for somebody who looks at it, in degrees. */
export function turn({ x, y }: Point, degrees: number): Point {
  const angle = (-degrees * Math.PI) / 180;
  return { x: x * Math.cos(angle) - y * Math.sin(angle), y: x * Math.sin(angle) + y * Math.cos(angle) };
}

export const round = (value: number): number => Math.round(value * 100) / 100;

/** A number as it stands on an axis: no more places than it needs, with a true minus. */
export const shown = (value: number): string => String(round(value)).replace("-", "−");

/** Steps of an axis that a person would choose: 1, 2 or 5 times a power of ten, at most so many of them. */
export function stepOf(span: number, most: number): number {
  const rough = span / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((it) => it * power >= rough - 1e-9) ?? 10) * power;
}

/** Where the labels of an axis stand. */
export function ticks(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => round((first + at) * step));
}
