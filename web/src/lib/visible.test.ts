import { expect, it } from "vitest";
import { visible } from "./visible";

it("shows what hides in a name, and leaves alone what does not", () => {
  expect(visible("lesson\u202egpj.md")).toBe("lesson�gpj.md");
  expect(visible("a\u200bb\u{e0041}\n")).toBe("a�b��");
  expect(visible("Überblick – Gàidhlig 日本 👩‍🏫".replace("\u200d", ""))).toBe("Überblick – Gàidhlig 日本 👩🏫");
});
