// The picture of each kind, drawn by hand as SVG in the page's own colours.
import { Balance } from "./balance";
import { FractionBars } from "./fraction-bars";
import { FunctionGraph } from "./function-graph";
import type { Tool } from "./kinds";
import { NumberLine } from "./number-line";
import { RightTriangle } from "./right-triangle";
import { UnitCircle } from "./unit-circle";

export default function Picture({ tool }: { tool: Tool }) {
  switch (tool.toolName) {
    case "rightTriangle":
      return <RightTriangle {...tool.parameters} />;
    case "unitCircle":
      return <UnitCircle {...tool.parameters} />;
    case "numberLine":
      return <NumberLine {...tool.parameters} />;
    case "fractionBars":
      return <FractionBars {...tool.parameters} />;
    case "functionGraph":
      return <FunctionGraph {...tool.parameters} />;
    case "balance":
      return <Balance {...tool.parameters} />;
  }
}
