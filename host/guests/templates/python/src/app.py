"""`{{name}}`: finds what is not finished yet. It runs at `{{point}}`."""

from unfinished import unfinished
from wit_world import exports
from wit_world.exports.{{module}} import Event, Response, Verdict_Pass, {{variant}}
from wit_world.imports import config
from wit_world.imports.types import Abort, Context, Finding, Rework


class {{export}}(exports.{{export}}):
    def run(self, context: Context, event: Event) -> Response:
        mark = config.get("mark") or "TODO"
        text = {{text}}
        lines = unfinished(text, mark)
        if not lines:
            return Response(Verdict_Pass(), [f"no `{mark}`"], [], [])
        places = "place" if len(lines) == 1 else "places"
        reason = f"Finish what is marked `{mark}`: {len(lines)} {places}."
        findings = [Finding("unfinished", [], None, line, f"line {line} says `{mark}`: finish it") for line in lines]
        return Response({{answer}}, [], findings, [])
