"""The check as a script: the event on standard input, the answer on standard output."""

import json
import sys

REQUIRED = [
    "outcomes",
    "success criteria",
    "starter",
    "explanation",
    "practice",
    "differentiation",
    "plenary",
    "exit questions",
]

words, headings = 0, []
for message in json.load(sys.stdin)["messages"]:
    for line in message["text"].splitlines():
        words += len(line.split())
        if line.lstrip().startswith("#"):
            headings.append(line.lstrip("# ").strip().lower())
missing = [name for name in REQUIRED if headings and not any(it.startswith(name) for it in headings)]
findings = [f"the section `{name}` is missing" for name in missing]
print(json.dumps({"findings": findings, "verdict": "abort" if findings else "pass", "words": words}))
