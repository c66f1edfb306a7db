import { describe, expect, it } from "vitest";
import { EditorState } from "@codemirror/state";
import { markdown } from "@codemirror/lang-markdown";
import { syntaxTree } from "@codemirror/language";
import { smallestChange } from "./editor";
import { frontMatter } from "./front-matter";
import { split } from "./front-matter-text";

describe("a text that changed elsewhere", () => {
  const apply = (from: string, to: string) => {
    const change = smallestChange(from, to);
    return from.slice(0, change.from) + change.insert + from.slice(change.to);
  };
  it("is brought in by one change, as small as can be", () => {
    expect(smallestChange("one two three", "one 2 three")).toEqual({ from: 4, to: 7, insert: "2" });
    expect(smallestChange("aaa", "aaaa")).toEqual({ from: 3, to: 3, insert: "a" });
    expect(smallestChange("same", "same")).toEqual({ from: 4, to: 4, insert: "" });
  });
  it("comes out as it is", () => {
    for (const [from, to] of [["", "x"], ["x", ""], ["abab", "ab"], ["ab", "abab"], ["aXbXc", "aYbYc"]] as const) expect(apply(from, to)).toBe(to);
  });
});

describe("front matter", () => {
  const names = (doc: string) => {
    const state = EditorState.create({ doc, extensions: [markdown({ extensions: [frontMatter] })] });
    const found: string[] = [];
    syntaxTree(state).iterate({ enter: (node) => void found.push(node.name) });
    return found;
  };
  it("is no heading, and what follows is markdown", () => {
    expect(names("---\nclass: 3B\n---\n\n# 3B\n")).toEqual(expect.arrayContaining(["FrontMatter", "ATXHeading1"]));
    expect(names("---\nclass: 3B\n---\n")).not.toContain("SetextHeading2");
  });
  it("stands at the beginning only", () => {
    expect(names("text\n\n---\n\nmore\n")).not.toContain("FrontMatter");
  });
});

it("sets front matter apart from what is read", () => {
  expect(split("---\nclass: 3B\n---\n# 3B\n")).toEqual({ head: "class: 3B", body: "# 3B\n" });
  expect(split("# 3B\n\n---\n\nmore\n")).toEqual({ head: null, body: "# 3B\n\n---\n\nmore\n" });
  expect(split("---\nno end\n")).toEqual({ head: null, body: "---\nno end\n" });
});
