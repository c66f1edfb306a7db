import { describe, expect, it } from "vitest";
import { inSeconds, messageOf, safePath } from "./next";

describe("where to go after signing in", () => {
  it("is the page that was asked for", () => {
    expect(safePath("/plan/abc?focus=question#x")).toBe("/plan/abc?focus=question#x");
  });
  it("is never another address, and never the sign-in again", () => {
    for (const next of [undefined, "", "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/sign-in?next=/", "/api/sign-out", "plan"]) {
      expect(safePath(next)).toBe("/");
    }
  });
});

it("says what became of a link, and nothing otherwise", () => {
  expect(messageOf(undefined)).toBeNull();
  expect(messageOf("link")?.title).toMatch(/no longer good/);
  expect(messageOf("<b>")).toBeNull();
});

it("says how long to wait", () => {
  expect([inSeconds(1), inSeconds(40), inSeconds(91)]).toEqual(["in 1 second", "in 40 seconds", "in 2 minutes"]);
});
