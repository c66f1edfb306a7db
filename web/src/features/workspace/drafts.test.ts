import { beforeEach, describe, expect, it, vi } from "vitest";
import { Drafts, standing } from "./drafts";

const draft = { base: "a", baseText: "one", text: "two" };
beforeEach(() => sessionStorage.clear());

describe("drafts", () => {
  it("are there again after a reload", () => {
    new Drafts(sessionStorage).put("classes/3B.md", draft);
    const again = new Drafts(sessionStorage);
    expect(again.get("classes/3B.md")).toEqual(draft);
    expect(again.unsaved()).toEqual(["classes/3B.md"]);
  });
  it("are gone once they are saved, also after a reload", () => {
    const drafts = new Drafts(sessionStorage);
    drafts.put("a.md", draft);
    drafts.put("a.md", null);
    expect(new Drafts(sessionStorage).unsaved()).toEqual([]);
  });
  it("tell who listens, and keep the list of paths while only text changes", () => {
    const drafts = new Drafts(sessionStorage);
    const listener = vi.fn();
    drafts.subscribe(listener);
    drafts.put("a.md", draft);
    const list = drafts.unsaved();
    drafts.put("a.md", { ...draft, text: "three" });
    expect(drafts.unsaved()).toBe(list);
    expect(listener).toHaveBeenCalledTimes(2);
  });
  it("leave out what is not a draft", () => {
    sessionStorage.setItem("teacher-assist:draft:x", "{\"text\":1}");
    sessionStorage.setItem("teacher-assist:draft:y", "not json");
    sessionStorage.setItem("other", "1");
    expect(new Drafts(sessionStorage).unsaved()).toEqual([]);
  });
  it("work where nothing can be kept", () => {
    const full = { ...sessionStorage, length: 0, key: () => null, getItem: () => null, setItem: () => { throw new Error("full"); } } as unknown as Storage;
    const drafts = new Drafts(full);
    drafts.put("a.md", draft);
    expect(drafts.get("a.md")).toEqual(draft);
  });
});

describe("how a draft stands", () => {
  it("is clean, dirty, parted or an orphan", () => {
    expect(standing(null, { text: "one", sha256: "a" })).toBe("clean");
    expect(standing(draft, { text: "one", sha256: "a" })).toBe("dirty");
    expect(standing(draft, { text: "other", sha256: "b" })).toBe("parted");
    expect(standing(draft, { text: "two", sha256: "b" })).toBe("clean");
    expect(standing(draft, null)).toBe("orphan");
  });
});
