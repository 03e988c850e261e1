import { TracefoldError } from "../../../src/base/errors.ts";
import { createSolver } from "../../../src/solver/solverChain.ts";
import { answerQuestions } from "../worker.ts";
import { generateClaimProgram } from "./claimProgram.ts";
import { findFailingRun } from "./failingRun.ts";
import { type Judgement, type JudgeOptions, judgeRun } from "./judgeRun.ts";

export type ClaimQuestion = { readonly sequence: readonly number[]; readonly options: JudgeOptions };

export type ClaimAnswer =
  | { readonly kind: "judged"; readonly judgement: Judgement }
  /** No run fails, or something in it is not supported. */
  | { readonly kind: "skipped"; readonly reason: string }
  | { readonly kind: "crash"; readonly text: string; readonly message: string };

const { solver } = createSolver();

/** Judges the claims about one generated program after the other, in a process that can be ended. */
answerQuestions(async ({ sequence, options }: ClaimQuestion): Promise<ClaimAnswer> => {
  const program = generateClaimProgram(sequence);
  try {
    const run = await findFailingRun(program);
    if (run === null) return { kind: "skipped", reason: "no run fails" };
    return { kind: "judged", judgement: await judgeRun(solver, run, options) };
  } catch (error) {
    if (error instanceof TracefoldError) return { kind: "skipped", reason: `${error.code}: ${error.message}` };
    return { kind: "crash", text: program.text([]), message: String((error as Error).stack ?? error) };
  }
});
