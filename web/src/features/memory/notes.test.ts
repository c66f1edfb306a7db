import { describe, expect, it } from "vitest";
import type { MemoryFile } from "@/api/types";
import { badge, owners, told, withNewNote, withNote, wrongNote } from "./notes";

const file = (path: string): MemoryFile => ({ path, text: "", sha256: "", notes: [] });
const text = "# 3B\n\n- Starters of 5 minutes\n- Paper first\n";

describe("owners", () => {
  it("are the teacher, then the classes, with what is settled first", () => {
    const list = owners(["memory/classes/10C/MEMORY.md", "memory/classes/3B/archive.md", "memory/classes/3B/trips.md", "memory/classes/3B/MEMORY.md", "memory/MEMORY.md"].map(file));
    expect(list.map((it) => it.title)).toEqual(["You and your teaching", "3B", "10C"]);
    expect(list[1]?.files.map((it) => it.path.split("/").pop())).toEqual(["MEMORY.md", "archive.md", "trips.md"]);
  });
});

describe("a note", () => {
  it("says what it is about in the word that the plugin declares, and the default kind says nothing", () => {
    expect(badge({ kind: "risk", first: true })).toEqual({ text: "risk", tone: "ask" });
    expect(badge({ kind: "need", first: false })).toEqual({ text: "need", tone: "plain" });
    expect([badge({ kind: "other" }), badge({})]).toEqual([null, null]);
  });
  it("is changed and taken away, and the rest stays as it is", () => {
    expect(withNote(text, "Paper first", "Paper  before\nscreens")).toBe("# 3B\n\n- Starters of 5 minutes\n- Paper before screens\n");
    expect(withNote(text, "Starters of 5 minutes", null)).toBe("# 3B\n\n- Paper first\n");
    expect(withNote(text, "gone", null)).toBeNull();
  });
  it("is added at the end, after a gap where there was no list", () => {
    expect(withNewNote(text, "New")).toBe("# 3B\n\n- Starters of 5 minutes\n- Paper first\n- New\n");
    expect(withNewNote("# 3B\n", "New")).toBe("# 3B\n\n- New\n");
    expect(withNewNote("", "New")).toBe("- New\n");
  });
  it("has words, and not too many", () => {
    expect(wrongNote(" \n")).not.toBeNull();
    expect(wrongNote("x".repeat(501))).not.toBeNull();
    expect(wrongNote("ok")).toBeNull();
  });
});

it("tells the audit in words, without digests", () => {
  const row = { at_ms: 0, session: "s", run: "r", seq: 1, path: "memory/MEMORY.md" };
  expect(told({ ...row, by: "feedforward", kind: "read", detail: "a".repeat(64) })).toEqual({ who: "the look ahead", did: "read it", detail: "" });
  expect(told({ ...row, by: "person", kind: "written", detail: "forgotten: x" }).who).toBe("you");
});
