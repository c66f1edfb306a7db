// `{{name}}`: finds what is not finished yet. It runs at `{{point}}`.

import config from "teacher-assist:plugin/config@{{contract}}";
import { unfinished } from "./unfinished.js";

export const {{export}} = {
  run(context, event) {
    const mark = config.get("mark") ?? "TODO";
    const text = {{text}};
    const findings = unfinished(text, mark);
    if (findings.length === 0) {
      return { verdict: { tag: "pass" }, notes: [`no \`${mark}\``], findings, observations: [] };
    }
    const places = findings.length === 1 ? "place" : "places";
    const reason = `Finish what is marked \`${mark}\`: ${findings.length} ${places}.`;
    return { verdict: {{answer}}, notes: [], findings, observations: [] };
  },
};
