import { describe, expect, it } from "vitest";
import type { FileNode } from "@/api/types";
import { firstText, newPath, wrongPath } from "./new-file";

const tree: FileNode = { name: "", path: "", kind: "directory", role: "other", children: [{ name: "3B.md", path: "classes/3B.md", kind: "file", role: "class" }] };

describe("new files", () => {
  it("lie where their kind lies and end in .md", () => {
    expect(newPath("class", " 4C ")).toBe("classes/4C.md");
    expect(newPath("class", "classes/4C.md")).toBe("classes/4C.md");
    expect(newPath("lesson", "3B-loops")).toBe("lessons/3B-loops.md");
    expect(newPath("other", "/notes/trips.txt")).toBe("notes/trips.txt");
  });
  it("are refused where the name is none, leads elsewhere or is taken", () => {
    expect(wrongPath(newPath("class", ""), tree)).toMatch(/name/);
    expect(wrongPath("../x.md", tree)).toMatch(/dot/);
    expect(wrongPath("a//b.md", tree)).toMatch(/empty/);
    expect(wrongPath("a\u202eb.md", tree)).toMatch(/hidden/);
    expect(wrongPath("classes/3b.md", tree)).toMatch(/already/);
    expect(wrongPath("classes/4C.md", tree)).toBeNull();
  });
  it("begin as a class profile, or with a heading", () => {
    expect(firstText("class", "classes/4C.md")).toContain("class: 4C\n");
    expect(firstText("lesson", "lessons/3B-loops.md")).toBe("# 3B loops\n\n");
  });
});
