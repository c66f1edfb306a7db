"""Descriptive tables of an exported study. Run it in the directory of the export: python3 analyse.py"""

import csv
import statistics
from collections import Counter, defaultdict


def rows(name):
    with open(f"{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def described(values):
    mean = statistics.mean(values)
    deviation = statistics.stdev(values) if len(values) > 1 else float("nan")
    return f"n {len(values)}  mean {mean:.2f}  sd {deviation:.2f}  median {statistics.median(values):.2f}"


def table(title, groups):
    print(f"\n{title}")
    for name in sorted(groups):
        print(f"  {name}: {described(groups[name])}")


def by_condition(table_rows, column, scale=1.0):
    groups = defaultdict(list)
    for row in table_rows:
        if row["condition"] and row[column] != "":
            groups[row["condition"]].append(float(row[column]) * scale)
    return groups


runs = [row for row in rows("runs") if row["practice"] == "false" and row["how"]]
print(f"{len(rows('participants'))} participants, {len(runs)} tasks")
table("Active minutes by condition", by_condition(runs, "active_ms", 1 / 60000))
table("Tokens received by condition", by_condition(runs, "output_tokens"))
table("Findings of guards by condition", by_condition(runs, "findings"))

decisions = defaultdict(Counter)
for row in rows("decisions"):
    if row["condition"]:
        decisions[row["condition"]][row["choice"]] += 1
print("\nDecisions by condition")
for condition in sorted(decisions):
    counted = ", ".join(f"{choice} {count}" for choice, count in sorted(decisions[condition].items()))
    print(f"  {condition}: {counted}")

sections = [row for row in rows("sections") if row["question"] == "sections"]
table("Distance from the first draft to the last, by condition", by_condition(sections, "distance"))
edits = Counter((row["condition"], row["edit"]) for row in sections if row["condition"])
print("\nEdits by condition")
for (condition, edit), count in sorted(edits.items()):
    print(f"  {condition}: {edit} {count}")

answers = defaultdict(list)
for row in rows("answers"):
    if row["value"]:
        answers[f"{row['questionnaire']}.{row['item']} {row['moment']} {row['condition'] or '-'}"].append(float(row["value"]))
table("Questionnaires", answers)
