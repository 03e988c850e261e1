import type { Reporter, TestModule } from "vitest/node";

/** Prints `N passed, N failed, N skipped` as the last line, whatever the other reporters print. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const state = test.result().state;
        if (state === "passed" || state === "failed") count[state]++;
        else count.skipped++;
      }
      if (module.state() === "failed" && tests.every((test) => test.result().state !== "failed")) count.failed++;
    }
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
    process.once("exit", () => process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`));
  }
}
