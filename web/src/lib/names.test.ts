import { describe, expect, it } from "vitest";
import { likelyNames } from "./names";

describe("likely names", () => {
  it.each([
    ["Eilidh needs a seat near the front", ["Eilidh"]],
    ["two pupils, one of them Oleksandr", ["Oleksandr"]],
    ["a pupil called Tavish copies slowly", ["Tavish"]],
    ["ask Mrs MacLeod for the key", ["Mrs", "MacLeod"]],
    ["parent: a.b@school.example, 0131 496 0000", ["a.b@school.example", "0131 496 0000"]],
    ["Aisha's seat; Aisha again", ["Aisha"]],
  ])("finds them in %j", (text, names) => expect(likelyNames(text)).toEqual(names));

  it.each([
    "two pupils with English as an additional language (first language Ukrainian)",
    "one dyslexic pupil who reads dense text slowly",
    "Keywords with pictures before the task. Sentence starters; paired talk first",
    "EAL and ASN support in 3B, S3, with Scratch and Python on Friday",
    "- Pairs at one laptop\n- Trace tables on mini-whiteboards",
    "",
  ])("leaves alone %j", (text) => expect(likelyNames(text)).toEqual([]));
});
