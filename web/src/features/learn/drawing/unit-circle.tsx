import type { UnitCircle as Parameters } from "./kinds";
import { shown } from "./points";

const RADIUS = 100;
const BOX = 132;
const ARC = 24;

/** The circle of radius 1, with an angle from the right-hand axis to the left, and its sine and cosine as lengths. */
export function UnitCircle({ angle, lengths }: Parameters) {
  const radians = (angle * Math.PI) / 180;
  const end = { x: RADIUS * Math.cos(radians), y: -RADIUS * Math.sin(radians) };
  const within = ((angle % 360) + 360) % 360;
  const arc = { x: ARC * Math.cos(radians), y: -ARC * Math.sin(radians) };
  const half = (within * Math.PI) / 360;
  const below = end.y > 0;
  return (
    <svg viewBox={`${-BOX} ${-BOX} ${2 * BOX} ${2 * BOX}`} width={2 * BOX} height={2 * BOX} aria-hidden>
      <line x1={-BOX + 4} x2={BOX - 4} y1={0} y2={0} className="axis" />
      <line x1={0} x2={0} y1={-BOX + 4} y2={BOX - 4} className="axis" />
      <circle r={RADIUS} className="rim" />
      {lengths ? (
        <>
          <line x1={0} x2={end.x} y1={0} y2={0} className="mark" />
          <line x1={end.x} x2={end.x} y1={0} y2={end.y} className="mark" />
          <text x={end.x / 2} y={below ? -12 : 14} className="marked">
            cos
          </text>
          <text x={end.x + (end.x < 0 ? -16 : 16)} y={end.y / 2} className="marked">
            sin
          </text>
        </>
      ) : null}
      <path d={`M ${ARC} 0 A ${ARC} ${ARC} 0 ${within > 180 ? 1 : 0} 0 ${arc.x} ${arc.y}`} className="thin" />
      <line x1={0} y1={0} x2={end.x} y2={end.y} className="side" />
      <circle cx={end.x} cy={end.y} r={5} className="dot" />
      <text x={(ARC + 18) * Math.cos(half)} y={-(ARC + 18) * Math.sin(half)}>
        {shown(angle)}°
      </text>
      <text x={RADIUS + 14} y={14}>
        1
      </text>
      <text x={12} y={-RADIUS - 12}>
        1
      </text>
    </svg>
  );
}
