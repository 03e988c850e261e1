import type { PassingRun } from "../analyses/counterfactual/experimentRunner.ts";
import { type RunOptions, runProgram } from "../interpreter/run.ts";
import type { Program } from "../ir/program.ts";
import { usageError } from "./options/option.ts";
import type { RequestedPassing } from "./options/passingOptions.ts";

/** The runs, each of which does pass: what is said of them would be false of others. */
export function passingRuns(
  program: Program,
  base: RunOptions,
  requested: readonly RequestedPassing[],
): readonly PassingRun[] {
  const { expected: _, ...common } = base;
  return requested.map((each): PassingRun => {
    const run = runOf(program, common, each);
    const { outcome } = runProgram(run.entry === undefined ? program : { ...program, entry: run.entry }, run);
    if (outcome.kind === "exit" && outcome.code === 0) return run;
    throw usageError(`--passing ${each.given}: this run does not pass`);
  });
}

function runOf(program: Program, common: RunOptions, each: RequestedPassing): PassingRun {
  switch (each.kind) {
    case "inputs":
      return { ...common, inputs: each.inputs };
    case "stdin":
      return { ...common, stdin: each.stdin };
    case "test": {
      const test = program.functions.find(({ name, parameters }) => name === each.name && parameters.length === 0);
      if (test === undefined) throw usageError(`--passing ${each.given}: there is no such file, and no such function`);
      return { ...common, entry: test.id };
    }
  }
}
