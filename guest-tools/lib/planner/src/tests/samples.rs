//! Small files of a workspace: two classes, computing, maths and French.

pub(super) const CLASS_3B: &str = "---\nclass: 3B\nyear: S3\nlevel: third\nframework: cfe\nsubjects: [computing]\npupils: 24\nperiod_minutes: 50\nneeds:\n  \
    - group: two pupils with English as an additional language\n    need: reading long instructions\n    \
    support: keywords with pictures before the task; sentence starters\n  \
    - group: three pupils who finish early\n    need: work that goes deeper\n    support: start at the last part of the task\n---\n\n\
    # 3B\n\n## What works\n\n- Pairs at one laptop.\n";

pub(super) const CLASS_1B: &str = "---\nclass: 1B\nyear: S1\nlevel: third\nsubjects: [maths]\n---\n\n# 1B\n\nWe have periods of 45 minutes.\n\n## Support needs\n\n\
    - one pupil with a hearing impairment: face the class; captions on\n";

pub(super) const COMPUTING: &str = "---\nsubject: computing\ntitle: Computing science\nframework: cfe\ntext_kind: paraphrase\nsource: Es and Os 2017\n---\n\n# Computing\n\n\
## TCH 2-14a: names the building blocks of a programming language\n\n\
- **Level:** second\n- **Status:** verified\n- **Outcome:** Pupils explain sequence, repetition and variables in a block language.\n\
- **Topics:** Scratch, repeat loop, variables, forever loop\n- **After:** TCH 3-14a\n\
- **Misconceptions:** a variable keeps every value it ever had → write each new value and wipe the old one\n\
- **Keywords:** repeat loop: blocks that run a set number of times; variable: a named place for one value\n\n\
## TCH 3-14a: reads and explains the constructs that give code its structure\n\n\
- **Level:** third\n- **Status:** verified\n- **Outcome:** Pupils explain what loops, decisions and lists do in a program they are given.\n\
- **Topics:** iteration, loops, fixed loop, conditional loop, selection, conditions, arrays, reading code\n- **Before:** TCH 2-14a\n\
- **Prior knowledge:** read a short block program and predict its output; use a repeat block; say that a variable holds one value at a time\n\
- **Misconceptions:** a fixed loop from 0 to 5 runs five times → list the values and count six; a conditional loop stops halfway → trace line by line\n\
- **Assessment:** complete a trace table for a loop; choose a fixed or a conditional loop for a task and say why; point out the array in a code extract\n\
- **Keywords:** iteration: carrying out the same instructions again; fixed loop: repeats a known number of times; conditional loop: repeats until a condition is met; condition: a test that is true or false; array: several values under one name\n\n\
## TCH 3-14b: explains how layers of hardware work together\n\n\
- **Level:** third\n- **Status:** unverified\n- **Outcome:** Pupils describe what memory, storage and networks do.\n\
- **Topics:** memory, storage, binary, networks\n- **Keywords:** memory: the working store; storage: what stays\n";

pub(super) const MATHS: &str = "---\nsubject: maths\ntitle: Numeracy and mathematics\n---\n\n\
## MNU 3-07a: calculates with percentages and fractions to compare and choose\n\n\
- **Level:** third\n- **Status:** verified\n- **Outcome:** Pupils find percentages and fractions of amounts and use them to decide.\n\
- **Topics:** percentages, percentage of an amount, discount\n\
- **Prior knowledge:** find a half of an amount; know that percent means out of a hundred\n\
- **Misconceptions:** 20% is found by dividing by 20 → ask how many twenties make a hundred\n\
- **Assessment:** find a percentage of an amount; work out a sale price\n\
- **Keywords:** percentage: a number of parts out of a hundred; discount: an amount taken off a price\n\n\
## MTH 3-07b: adds and subtracts fractions\n\n\
- **Level:** third\n- **Status:** unverified\n- **Outcome:** Pupils add and subtract fractions with any denominators.\n\
- **Topics:** adding fractions, fractions, common denominator\n- **Assessment:** add fractions with unlike denominators\n\n\
## MTH 4-17b: finds sides of similar shapes\n\n- **Level:** fourth\n- **Status:** unverified\n- **Outcome:** Pupils find sides of similar triangles.\n- **Topics:** similarity, similar triangles\n\n\
## MTH 2-15a: finds unknown numbers\n\n- **Level:** second\n- **Status:** unverified\n- **Outcome:** Pupils find an unknown number.\n- **Topics:** function machines\n";

/// A file of somebody else: little front matter, few fields.
pub(super) const FRENCH: &str = "# French\n\n## MLAN 3-02a Talking about everyday life\n\nLevel three.\n\n* **Topics**: food and drink, family\n* **Outcome**: holds a simple talk about \"everyday\" things\n";

pub(super) const FILES: &[(&str, &str)] = &[
    ("classes/1B.md", CLASS_1B),
    ("classes/3B.md", CLASS_3B),
    ("curriculum/cfe-computing.md", COMPUTING),
    ("curriculum/cfe-french.md", FRENCH),
    ("curriculum/cfe-maths.md", MATHS),
    ("curriculum/notes.txt", "not a curriculum file"),
];
