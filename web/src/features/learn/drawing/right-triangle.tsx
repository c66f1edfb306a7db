import type { RightTriangle as Parameters } from "./kinds";
import { lengthOf, middle, minus, plus, times, turn, unit, written, type Point } from "./points";

/** The legs beside and across from the first corner, as long as they are drawn where nobody says how long they are. */
const BESIDE = 150;
const ACROSS = 105;
/** Room for the letters around the triangle. */
const MARGIN = 34;
const RIGHT = 15;
const ARC = 30;

/** Drawn lengths in the ratio of the labels, where those are numbers; never so flat that letters would meet. */
function legs(opposite: string, adjacent: string): [across: number, beside: number] {
  const [o, a] = [opposite, adjacent].map((label) => Number.parseFloat(label)) as [number, number];
  if (!(o > 0) || !(a > 0)) return [ACROSS, BESIDE];
  const ratio = Math.min(Math.max(o / a, 0.5), 2);
  return ratio > 1 ? [BESIDE, BESIDE / ratio] : [BESIDE * ratio, BESIDE];
}

/** Labels stand outside, away from the middle. */
const outside = (at: Point, heart: Point, by: number): Point => plus(at, times(unit(minus(at, heart)), by));

/** A triangle with a right angle at the second of its three corners. */
export function RightTriangle({ vertices, angleAt, angle, opposite, adjacent, hypotenuse, turned }: Parameters) {
  const names = [...vertices];
  const first = names[2] !== angleAt;
  const [across, beside] = legs(opposite, adjacent);
  // From the right angle one leg goes to the left, to the first corner, and the other one up, to the third.
  const [width, height] = first ? [beside, across] : [across, beside];
  const corners = [{ x: -width, y: 0 }, { x: 0, y: 0 }, { x: 0, y: -height }].map((it) => turn(it, turned)) as [Point, Point, Point];
  const heart = times(corners.reduce(plus), 1 / 3);
  const marked = (first ? corners[0] : corners[2]) as Point;
  const other = (first ? corners[2] : corners[0]) as Point;
  const [, right] = corners;
  const toward = (to: Point, by: number): Point => plus(marked, times(unit(minus(to, marked)), by));
  const square = [plus(right, times(unit(minus(marked, right)), RIGHT)), plus(right, times(unit(minus(other, right)), RIGHT))] as [Point, Point];
  const sides: [label: string, from: Point, to: Point][] = [
    [opposite, right, other],
    [adjacent, right, marked],
    [hypotenuse, marked, other],
  ];
  const xs = corners.map((it) => it.x);
  const ys = corners.map((it) => it.y);
  const wide = Math.max(...sides.map(([label]) => label.length * 5), 0);
  const [left, top] = [Math.min(...xs) - MARGIN - wide, Math.min(...ys) - MARGIN];
  const size = [Math.max(...xs) - left + MARGIN + wide, Math.max(...ys) - top + MARGIN] as [number, number];
  const [a, b] = [toward(right, ARC), toward(other, ARC)];
  // The arc runs the short way round.
  const sweep = (a.x - marked.x) * (b.y - marked.y) - (a.y - marked.y) * (b.x - marked.x) > 0 ? 1 : 0;
  const inner = plus(marked, times(unit(minus(middle(a, b), marked)), ARC + 15));
  const free = lengthOf(minus(right, marked)) > 90;
  return (
    <svg viewBox={`${left} ${top} ${size[0]} ${size[1]}`} width={size[0]} height={size[1]} aria-hidden>
      <polygon points={written(corners)} className="shape" />
      <polyline points={written([square[0], plus(square[0], minus(square[1], right)), square[1]])} className="thin" />
      <path d={`M ${a.x} ${a.y} A ${ARC} ${ARC} 0 0 ${sweep} ${b.x} ${b.y}`} className="mark" />
      {names.map((name, at) => {
        const it = outside(corners[at] ?? right, heart, 17);
        return (
          <text key={at} x={it.x} y={it.y} className="corner">
            {name}
          </text>
        );
      })}
      {angle && angle !== angleAt ? (
        <text x={inner.x + (free ? 4 : 0)} y={inner.y} className="marked">
          {angle}
        </text>
      ) : null}
      {sides.map(([label, from, to], at) => {
        if (!label) return null;
        const half = middle(from, to);
        const away = unit(minus(half, heart));
        const normal = turn(unit(minus(to, from)), 90);
        const out = normal.x * away.x + normal.y * away.y < 0 ? times(normal, -1) : normal;
        // A wide label beside an upright side needs more room than one below a level side.
        const it = plus(half, times(out, 15 + Math.abs(out.x) * label.length * 3.4));
        return (
          <text key={at} x={it.x} y={it.y}>
            {label}
          </text>
        );
      })}
    </svg>
  );
}
