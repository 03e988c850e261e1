import { nth } from "../../base/checked.ts";
import {
  type FinishedTest,
  type RunOptions,
  runTest,
  shortestFailing,
  type Test,
  type TestSuite,
} from "../../interpreter/run.ts";
import { recordTrace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { describeTest } from "../run/describeRun.ts";
import type { FoundRun } from "./findRun.ts";
import type { SuiteResult } from "./result.ts";

/** The tests of `--tests` after they ran: one is explained, the others judge changes. */
export type SuiteRun = {
  /** The failing test with the fewest steps, or the chosen one; the first one if all pass. */
  readonly test: Test;
  readonly found: FoundRun;
  readonly results: readonly FinishedTest[];
  /** The runs of all other tests: they judge changes. */
  readonly others: readonly (RunOptions & { readonly name: string })[];
};

/** Runs all tests of a suite, which has at least one, and records the one to explain. */
export function runSuite(program: Program, suite: TestSuite, chosen: string | null): SuiteRun {
  const results = suite.map((test) => runTest(program, test));
  const named = results.find(({ test }) => test.name === chosen);
  const { test } = named ?? shortestFailing(results) ?? nth(results, 0);
  const others = results.flatMap(({ test: { name, run } }) => (name === test.name ? [] : [{ name, ...run }]));
  return { test, found: { trace: recordTrace(program, test.run), notes: [] }, results, others };
}

export function describeSuite(program: Program, { test, results }: SuiteRun): SuiteResult {
  return { explained: test.name, list: results.map((result) => describeTest(program, result)) };
}
