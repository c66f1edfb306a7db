import { describe, expect, it } from "vitest";
import { differences, marked, merged, parts, shortened } from "./versions";

const theirs = "# 3B\n\n- one\n- two\n\nend\n";
const mine = "# 3B\n\n- one, changed\n- two\n- three\n\nend\n";

describe("two versions", () => {
  const list = parts(mine, theirs);
  it("are told apart by their lines", () => {
    expect(differences(list)).toBe(2);
    expect(list[1]).toEqual({ same: false, mine: "- one, changed\n", theirs: "- one\n" });
    expect(list[3]).toEqual({ same: false, mine: "- three\n", theirs: "" });
  });
  it("come out as they were where one side is chosen throughout", () => {
    expect(merged(list, [])).toBe(mine);
    expect(merged(list, ["theirs", "theirs"])).toBe(theirs);
  });
  it("come out mixed, part by part", () => {
    expect(merged(list, ["theirs", "mine"])).toBe("# 3B\n\n- one\n- two\n- three\n\nend\n");
    expect(merged(list, ["both", "theirs"])).toBe("# 3B\n\n- one\n- one, changed\n- two\n\nend\n");
  });
  it("keep lines apart where both are kept and the first has no end", () => {
    expect(merged(parts("b", "a"), ["both"])).toBe("a\nb");
  });
  it("have no difference where they are the same", () => {
    expect(differences(parts(mine, mine))).toBe(0);
  });
});

describe("what is shown of them", () => {
  it("marks the words that differ", () => {
    const { mine: here, theirs: there } = marked("- one, changed\n", "- one\n");
    expect(here.filter((it) => it.changed).map((it) => it.text).join("")).toBe(", changed");
    expect(there.every((it) => !it.changed)).toBe(true);
  });
  it("marks everything where there is nothing to compare with", () => {
    expect(marked("new\n", "")).toEqual({ mine: [{ text: "new\n", changed: true }], theirs: [] });
  });
  it("leaves out the middle of what is the same", () => {
    const { head, hidden, tail } = shortened(Array.from({ length: 30 }, (_, line) => `line ${line}`).join("\n"));
    expect([head, hidden, tail]).toEqual(["line 0\nline 1", 26, "line 28\nline 29"]);
    expect(shortened("a\nb\n")).toEqual({ head: "a\nb", hidden: 0, tail: "" });
  });
});
