// Takes the pictures of the README anew: not a test, but it drives the same program and browser.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["screenshots.ts"],
    environment: "node",
    globalSetup: ["./shared.ts"],
    testTimeout: 120_000,
    hookTimeout: 90_000,
  },
});
