import { TracefoldError } from "../base/errors.ts";
import type { RunOptions } from "../interpreter/run.ts";
import { recordTrace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import { isFailure } from "../search/failure.ts";
import type { Explanation } from "./explanation.ts";
import { headOf } from "./explanationHead.ts";
import { explainTrace, type PipelineOptions } from "./pipeline.ts";

export type ExplainProgramOptions = PipelineOptions & {
  /** Which run: its inputs, arguments, standard input. */
  readonly run?: RunOptions;
  /** The version that the explanation names. */
  readonly version?: string;
  /** The command that runs the smallest failing run, for the explanation. */
  replay?(inputs: readonly string[]): string;
};

/** Why a run of a program fails, or why a watched condition holds (`LoadOptions.watch`), as data. */
export function explain(program: Program, options: ExplainProgramOptions = {}): Explanation {
  requireProgram(program);
  const start = performance.now();
  const trace = recordTrace(program, options.run);
  const { kind } = trace.outcome;
  const about = () => ({ version: options.version ?? "", ms: Math.round(performance.now() - start) });
  if (program.watched === undefined && (kind === "exit" || kind === "assumption-violated")) {
    return { ...headOf(trace, about()), kind: "doesNotFail" };
  }
  const replay = options.replay ?? ((inputs: readonly string[]) => inputs.join(","));
  const shrink = (options.shrink ?? true) && isFailure(trace.outcome);
  return explainTrace(trace, { ...options, shrink }, () => ({ ...about(), replay }));
}

/** Callers without types get this wrong. */
function requireProgram(program: unknown): void {
  if (typeof program === "object" && program !== null && "functions" in program) return;
  throw new TracefoldError({
    code: "TF146",
    message: `explain needs a program that was loaded, not ${typeof program === "string" ? JSON.stringify(program) : typeof program}`,
    help: "For files: await explainFile(paths). Or: explain(await loadC(path)).",
  });
}
