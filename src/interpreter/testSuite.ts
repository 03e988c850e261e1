import type { FunctionId, Program } from "../ir/program.ts";
import type { Outcome } from "./outcome.ts";
import { type RunOptions, runProgram } from "./run.ts";

/** A run, and in `run.expected` what it must print and return. Without an expectation, status 0 is right. */
export type Test = {
  readonly name: string;
  readonly run: RunOptions & {
    /** A function without parameters, if it is not the program's entry. */
    readonly entry?: FunctionId;
  };
};

export type TestSuite = readonly Test[];

export type FinishedTest = {
  readonly test: Test;
  readonly passes: boolean;
  readonly outcome: Outcome;
  readonly steps: number;
};

export function runTest(program: Program, test: Test): FinishedTest {
  const { entry = program.entry, ...options } = test.run;
  const { outcome, steps } = runProgram(entry === program.entry ? program : { ...program, entry }, options);
  const passes = outcome.kind === "exit" && (options.expected !== undefined || outcome.code === 0);
  return { test, passes, outcome, steps };
}

/**
 * The failing test with the fewest steps; null if all pass. A test that fails as it says, by its output or status, comes
 * before undefined behaviour, which may be another fault.
 */
export function shortestFailing(results: readonly FinishedTest[]): FinishedTest | null {
  const isUndefined = ({ outcome }: FinishedTest) => Number(outcome.kind === "undefined-behaviour");
  const failing = results.filter(({ passes }) => !passes);
  return failing.sort((a, b) => isUndefined(a) - isUndefined(b) || a.steps - b.steps)[0] ?? null;
}
