import { defineConfig } from "vitest/config";

export const testSettings = {
  reporters: ["default", "./scripts/closingLineReporter.ts"],
  // Most tests wait for solvers, compilers or the command line: one worker less than cores would leave cores idle.
  maxWorkers: "100%",
  maxConcurrency: 2,
  // Test files share what they import: loading it anew for each took a quarter of the time. None changes what is shared.
  isolate: false,
  // A net for what hangs, not a measure: a busy machine is many times slower.
  testTimeout: 600_000,
  hookTimeout: 600_000,
} as const;

export default defineConfig({
  test: { ...testSettings, reporters: [...testSettings.reporters], include: ["test/**/*.test.ts"] },
});
