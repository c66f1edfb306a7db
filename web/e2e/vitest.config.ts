// The page in a real browser against the real program: one browser, one test after the other.
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** By name, and what measures last: by then nothing else is at work. */
class InOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (it: TestSpecification) => (it.moduleId.includes("measures") ? "~" : it.moduleId);
    return [...files].sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["**/*.e2e.ts"],
    environment: "node",
    fileParallelism: false,
    sequence: { sequencer: InOrder },
    globalSetup: ["./shared.ts"],
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // A failure is worth reading, not repeating.
    retry: 0,
  },
});
