import { installedCheckers } from "../src/proof/checkObligations.ts";
import { type FoldCase, type FoldJudgement, failingProgram, goesRound, judgeFolding } from "../test/support/foldLaw.ts";
import { answerQuestions } from "../test/support/worker.ts";

/** What a program came to; `folding` is null where no loop goes round, or the run does not come to an end. */
export type FoldingAnswer = { readonly text: string; readonly folding: FoldJudgement | null };

// Modest limits: many programs say more than a few hard ones.
const limits = { maxAttempts: 3, solver: { limits: { milliseconds: 500 } }, checkers: installedCheckers().slice(0, 1) };

/** Judges one generated program after the other, in a process that can be ended when one of them takes too long. */
answerQuestions(answer);

async function answer(chosen: FoldCase): Promise<FoldingAnswer> {
  let text = chosen.program.body;
  try {
    const failing = await failingProgram(chosen);
    if (failing === null || !(await goesRound(failing))) return { text, folding: null };
    text = failing.text;
    return { text, folding: await judgeFolding(failing, limits) };
  } catch (error) {
    const problem = `it throws: ${(error as Error).stack ?? error}`;
    return { text, folding: { problem, folds: 0, failures: 0, checked: false, matched: 0 } };
  }
}
