import type { Balance as Parameters } from "./kinds";

const WIDTH = 320;
const HEIGHT = 132;
const BEAM = 46;
const PAN = 118;

/** A balance that is level: what lies on one side weighs as much as what lies on the other. */
export function Balance({ left, right }: Parameters) {
  const pan = (at: number, label: string) => (
    <g>
      <line x1={at} x2={at - 36} y1={BEAM} y2={88} className="thin" />
      <line x1={at} x2={at + 36} y1={BEAM} y2={88} className="thin" />
      <path d={`M ${at - 62} 88 H ${at + 62} Q ${at + 54} 104 ${at} 104 Q ${at - 54} 104 ${at - 62} 88 Z`} className="shape" />
      <text x={at} y={76} className="weight">
        {label}
      </text>
    </g>
  );
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden>
      <line x1={72} x2={WIDTH - 72} y1={BEAM} y2={BEAM} className="side" />
      <line x1={WIDTH / 2} x2={WIDTH / 2} y1={BEAM - 12} y2={PAN} className="side" />
      <path d={`M ${WIDTH / 2 - 34} ${PAN + 8} H ${WIDTH / 2 + 34} L ${WIDTH / 2 + 12} ${PAN} H ${WIDTH / 2 - 12} Z`} className="dot" />
      <circle cx={WIDTH / 2} cy={BEAM} r={6} className="dot" />
      {pan(72, left)}
      {pan(WIDTH - 72, right)}
    </svg>
  );
}
