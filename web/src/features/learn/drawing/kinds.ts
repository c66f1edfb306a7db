// The kinds of drawings, as `plugins/tutor-maths/schemas/visual.json` describes them. Whatever is none of them is not drawn.

export type RightTriangle = { vertices: string; angleAt: string; angle: string; opposite: string; adjacent: string; hypotenuse: string; turned: number };
export type UnitCircle = { angle: number; lengths: boolean };
export type NumberLine = { from: number; to: number; parts: number; marks: { at: number; label: string }[] };
export type FractionBars = { bars: { parts: number; shaded: number; label: string }[] };
export type FunctionGraph = { function: "line" | "sine" | "cosine"; factor: number; constant: number; from: number; to: number };
export type Balance = { left: string; right: string };

export type Tool =
  | { toolName: "rightTriangle"; parameters: RightTriangle }
  | { toolName: "unitCircle"; parameters: UnitCircle }
  | { toolName: "numberLine"; parameters: NumberLine }
  | { toolName: "fractionBars"; parameters: FractionBars }
  | { toolName: "functionGraph"; parameters: FunctionGraph }
  | { toolName: "balance"; parameters: Balance };

/** A drawing: what stands below it, the same in words, and what is drawn, where the page can draw it. */
export type Drawing = { tool: Tool | null; caption: string; alternative: string };

/** Parts beyond this many cannot be told apart on a phone. */
export const PARTS_MAX = 60;
const BARS_MAX = 8;
const MARKS_MAX = 24;

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);
const list = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const count = (value: unknown): number | null => {
  const it = number(value);
  return it !== null && Number.isInteger(it) && it >= 1 && it <= PARTS_MAX ? it : null;
};

function rightTriangle(of: Fields): Tool | null {
  const vertices = text(of["vertices"]);
  const angleAt = text(of["angleAt"]);
  if ([...vertices].length !== 3 || !vertices.includes(angleAt)) return null;
  const [angle, opposite, adjacent, hypotenuse] = ["angle", "opposite", "adjacent", "hypotenuse"].map((name) => text(of[name])) as [string, string, string, string];
  return { toolName: "rightTriangle", parameters: { vertices, angleAt, angle, opposite, adjacent, hypotenuse, turned: number(of["turned"]) ?? 0 } };
}

function numberLine(of: Fields): Tool | null {
  const [from, to, parts] = [number(of["from"]), number(of["to"]), count(of["parts"])];
  if (from === null || to === null || parts === null || to <= from) return null;
  const marks = list(of["marks"]).slice(0, MARKS_MAX).flatMap((it) => {
    const at = number(it["at"]);
    return at === null || at < from || at > to ? [] : [{ at, label: text(it["label"]) }];
  });
  return { toolName: "numberLine", parameters: { from, to, parts, marks } };
}

function fractionBars(of: Fields): Tool | null {
  const bars = list(of["bars"]).slice(0, BARS_MAX).map((it) => ({ parts: count(it["parts"]), shaded: number(it["shaded"]), label: text(it["label"]) }));
  const whole = bars.flatMap(({ parts, shaded, label }) => (parts === null || shaded === null || shaded < 0 || shaded > parts ? [] : [{ parts, shaded, label }]));
  return whole.length === 0 || whole.length < bars.length ? null : { toolName: "fractionBars", parameters: { bars: whole } };
}

function functionGraph(of: Fields): Tool | null {
  const kind = of["function"];
  const [factor, from, to] = [number(of["factor"]), number(of["from"]), number(of["to"])];
  if ((kind !== "line" && kind !== "sine" && kind !== "cosine") || factor === null || from === null || to === null || to <= from) return null;
  return { toolName: "functionGraph", parameters: { function: kind, factor, constant: number(of["constant"]) ?? 0, from, to } };
}

function tool(name: unknown, of: Fields): Tool | null {
  switch (name) {
    case "rightTriangle":
      return rightTriangle(of);
    case "unitCircle": {
      const angle = number(of["angle"]);
      return angle === null ? null : { toolName: "unitCircle", parameters: { angle, lengths: of["lengths"] === true } };
    }
    case "numberLine":
      return numberLine(of);
    case "fractionBars":
      return fractionBars(of);
    case "functionGraph":
      return functionGraph(of);
    case "balance": {
      const [left, right] = [text(of["left"]), text(of["right"])];
      return left && right ? { toolName: "balance", parameters: { left, right } } : null;
    }
    default:
      return null;
  }
}

/** Reads what a message shows beside its words; null where it is nothing that can be described. */
export function readDrawing(json: string | null | undefined): Drawing | null {
  if (!json) return null;
  try {
    const of = fields(JSON.parse(json));
    const [caption, alternative] = [text(of["caption"]), text(of["alternative"])];
    if (!alternative && !caption) return null;
    return { tool: tool(of["toolName"], fields(of["parameters"])), caption, alternative: alternative || caption };
  } catch {
    return null;
  }
}
