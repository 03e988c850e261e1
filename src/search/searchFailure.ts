import type { InputSource } from "../interpreter/inputs.ts";
import type { Outcome } from "../interpreter/outcome.ts";
import type { RunOptions } from "../interpreter/run.ts";
import { defaultMaxSteps, recordTrace, type Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { type SeededRunsOptions, seededRuns } from "./seededRuns.ts";

export type SearchOptions = Omit<SeededRunsOptions, "isEnough">;

export type SearchResult =
  | {
      readonly kind: "found";
      readonly trace: Trace;
      readonly runs: number;
      /** Other ways to fail that were seen, one each. */
      readonly others: readonly Outcome[];
    }
  | { readonly kind: "none"; readonly runs: number };

/** Looks for inputs with which the program fails, best with a failure that the user wrote, and records that run. */
export function searchFailure(
  program: Program,
  run: Omit<RunOptions, "inputs">,
  options: SearchOptions,
  given?: (attempt: InputSource) => InputSource,
): SearchResult {
  const { failures, runs } = seededRuns(program, run, options, given);
  const [first, ...others] = failures;
  if (first === undefined) return { kind: "none", runs };
  const maxSteps = Math.max(first.steps + 1, run.maxSteps ?? defaultMaxSteps);
  const trace = recordTrace(program, { ...run, inputs: first.inputs, maxSteps });
  return { kind: "found", trace, runs, others: others.map(({ outcome }) => outcome) };
}
