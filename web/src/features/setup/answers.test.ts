import { describe, expect, it } from "vitest";
import { begun, body, empty, newClass, revived, sound, wrongClass } from "./answers";

const good = { ...newClass("a"), id: "3B", year: "S3", subjects: "computing, maths", pupils: "24", needs: [{ group: "two pupils", need: "long texts", support: "pictures" }], knows: [" loops ", ""] };

describe("a class", () => {
  it("is sound", () => expect(sound(good, [good])).toBe(true));
  it("has a name of its own", () => {
    expect(wrongClass({ ...good, id: " " }, []).id).toMatch(/short name/);
    expect(wrongClass({ ...good, id: "3 B" }, []).id).toMatch(/letters/);
    expect(wrongClass({ ...good, key: "b", id: "3b" }, [good]).id).toMatch(/two classes/);
  });
  it("has numbers that make sense", () => {
    expect(wrongClass({ ...good, minutes: "5" }, []).minutes).toBeDefined();
    expect(wrongClass({ ...good, minutes: "abc" }, []).minutes).toBeDefined();
    expect(wrongClass({ ...good, pupils: "61" }, []).pupils).toBeDefined();
    expect(wrongClass({ ...good, pupils: "" }, []).pupils).toBeUndefined();
  });
  it("has whole needs, or none", () => {
    expect(wrongClass({ ...good, needs: [{ group: "two pupils", need: "", support: "" }] }, []).needs).toBeDefined();
    expect(wrongClass({ ...good, needs: [{ group: "", need: "", support: "" }] }, []).needs).toBeUndefined();
  });
});

describe("what is sent", () => {
  const sent = body({ ...empty(), classes: [good], teacher: { ...empty().teacher, subjects: "Computing", printing: "black and white" }, pedagogy: { ...empty().pedagogy, write: false } }, false);
  it("has lines without blanks, and labels where a line needs one", () => {
    expect(sent.arguments.teacher?.about).toEqual(["Computing", "Printing: black and white"]);
    expect(sent.arguments.classes[0]).toMatchObject({ subjects: ["computing", "maths"], pupils: 24, period_minutes: 50, knows: ["loops"] });
  });
  it("leaves out what is not to be written", () => expect(sent.arguments.pedagogy).toBeNull());
});

describe("answers that were kept", () => {
  it("come back as they were", () => {
    const answers = { ...empty(), step: 3, classes: [good], curriculum: ["cfe-maths.md"] };
    expect(revived(JSON.stringify(answers))).toEqual({ ...answers, classes: [{ ...good, key: "kept-0" }] });
  });
  it("are new ones where they make no sense", () => {
    expect(revived("not json")).toEqual(empty());
    expect(revived('{"step":99,"teacher":{"likes":[1]},"classes":[{"id":3,"needs":[null]}]}')).toMatchObject({ step: 4, teacher: { likes: [] }, classes: [{ id: "", needs: [{ group: "" }] }] });
  });
  it("know whether there is anything", () => {
    expect(begun(empty())).toBe(false);
    expect(begun({ ...empty(), pedagogy: { ...empty().pedagogy, own: ["x"] } })).toBe(true);
  });
});
