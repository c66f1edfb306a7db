// The page in a real browser against the real program: one browser, one test after the other.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.e2e.ts"],
    environment: "node",
    fileParallelism: false,
    globalSetup: ["./shared.ts"],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // A failure is worth reading, not repeating.
    retry: 0,
  },
});
