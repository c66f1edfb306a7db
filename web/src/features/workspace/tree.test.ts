import { describe, expect, it } from "vitest";
import type { FileNode, FileRole } from "@/api/types";
import { above, allFiles, rows, step, typeAhead } from "./tree";

const file = (path: string, role: FileRole = "other", changed_ms = 0): FileNode => ({ name: path.split("/").pop() ?? "", path, kind: "file", role, changed_ms });
const directory = (path: string, children: FileNode[]): FileNode => ({ name: path, path, kind: "directory", role: "other", children });
const nodes = [
  directory("curriculum", [file("curriculum/cfe-maths.md", "curriculum")]),
  directory("classes", [file("classes/3B.md", "class"), file("classes/1B.md", "class"), file("classes/2A.md", "class")]),
  directory("lessons", [file("lessons/old.md", "lesson", 1), file("lessons/new.md", "lesson", 2)]),
  file("soul.md", "soul"),
  file("teacher.md", "teacher"),
];
const paths = (open: string[]) => rows(nodes, new Set(open)).map((row) => row.path);

describe("the rows of the tree", () => {
  it("puts the teacher first, then classes, lessons and curriculum", () => {
    expect(paths([])).toEqual(["teacher.md", "soul.md", "classes", "lessons", "curriculum"]);
  });
  it("shows what is open, classes by name, lessons newest first", () => {
    expect(paths(["classes", "lessons"]).slice(2)).toEqual([
      "classes", "classes/1B.md", "classes/2A.md", "classes/3B.md", "lessons", "lessons/new.md", "lessons/old.md", "curriculum",
    ]);
  });
  it("says level, place and number of each", () => {
    const row = rows(nodes, new Set(["classes"])).find((it) => it.path === "classes/2A.md");
    expect(row).toMatchObject({ level: 2, position: 2, of: 3 });
  });
  it("lists files in the same order", () => {
    expect(allFiles(directory("", nodes)).map((it) => it.path).slice(0, 3)).toEqual(["teacher.md", "soul.md", "classes/1B.md"]);
  });
});

describe("keys in the tree", () => {
  const list = rows(nodes, new Set(["classes"]));
  const at = (path: string) => list.findIndex((row) => row.path === path);
  it("moves and stops at the ends", () => {
    expect(step(list, 0, "ArrowUp")).toEqual({ to: "teacher.md" });
    expect(step(list, 0, "ArrowDown")).toEqual({ to: "soul.md" });
    expect(step(list, 0, "End")).toEqual({ to: "curriculum" });
    expect(step(list, 4, "Home")).toEqual({ to: "teacher.md" });
  });
  it("opens, enters, leaves and closes directories", () => {
    expect(step(list, at("lessons"), "ArrowRight")).toEqual({ toggle: "lessons" });
    expect(step(list, at("classes"), "ArrowRight")).toEqual({ to: "classes/1B.md" });
    expect(step(list, at("classes/2A.md"), "ArrowLeft")).toEqual({ to: "classes" });
    expect(step(list, at("classes"), "ArrowLeft")).toEqual({ toggle: "classes" });
  });
  it("picks files and leaves other keys alone", () => {
    expect(step(list, at("classes/2A.md"), "Enter")).toEqual({ pick: "classes/2A.md" });
    expect(step(list, 0, "ArrowRight")).toEqual({});
    expect(step(list, 0, "Tab")).toBeNull();
  });
  it("finds by the first letters, and goes on with the same letter", () => {
    expect(typeAhead(list, 0, "3b")).toBe("classes/3B.md");
    expect(typeAhead(list, at("classes"), "c")).toBe("curriculum");
    expect(typeAhead(list, at("curriculum"), "cc")).toBe("classes");
    expect(typeAhead(list, 0, "zz")).toBeNull();
  });
  it("knows what lies above a path", () => {
    expect(above("a/b/c.md")).toEqual(["a", "a/b"]);
    expect(above("c.md")).toEqual([]);
  });
});
