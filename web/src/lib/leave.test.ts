import { expect, it, vi } from "vitest";
import { forgetWork, onLeave } from "./leave";

it("forgets the work and keeps the settings", () => {
  sessionStorage.setItem("teacher-assist:draft:a.md", "x");
  localStorage.setItem("teacher-assist:setup:local", "x");
  localStorage.setItem("teacher-assist:theme", '"dark"');
  const clean = vi.fn();
  const stop = onLeave(clean);
  forgetWork();
  stop();
  expect(clean).toHaveBeenCalledOnce();
  expect(sessionStorage.length).toBe(0);
  expect(Object.keys(localStorage)).toEqual(["teacher-assist:theme"]);
});
