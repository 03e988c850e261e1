import { sharedCancellation, workMilliseconds } from "../../src/base/cancellation.ts";
import { TracefoldError } from "../../src/base/errors.ts";
import { explainTrace } from "../../src/commands/explain/pipeline.ts";
import type { ArgumentStep, Explanation } from "../../src/commands/explain/result.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { screenOf } from "../../src/render/chooseRows.ts";
import { explainText } from "../../src/render/explainText.ts";
import { plain } from "../../src/render/layout.ts";
import { type CaseAnswer, unanswered } from "./caseAnswer.ts";
import type { FailingCase } from "./failingCases.ts";
import { changesOfMutant, loadMutant, type Mutant } from "./loadMutant.ts";
import { refutedFacts } from "./refutedFacts.ts";
import { shownLines } from "./shownLines.ts";

/** The default explanation of a failing mutant, as the command line gives it. */
export async function explainCase(given: FailingCase, mutant: Mutant, budget: number): Promise<CaseAnswer> {
  const { entry, maxSteps, failure } = given;
  const { text } = mutant;
  const program = await loadMutant(given, mutant);
  // It lists the solvers at work, whose time counts, too.
  const cancellation = sharedCancellation();
  const work = () => workMilliseconds(cancellation.processes);
  const start = work();
  try {
    const options = { budget, cancellation, experiments: { changes: changesOfMutant(given, mutant) } };
    const about = () => ({ version: "", ms: 0, replay: () => `tracefold run ${entry}` });
    const trace = recordTrace(program, { maxSteps });
    if (trace.outcome.kind !== failure.kind) return unanswered("the mutant ends otherwise now: --fresh", 0);
    const explanation = explainTrace(trace, options, about);
    const screen = explainText(explanation, { paint: plain, source: () => text });
    return {
      ...answerOf(explanation, screen, text, work() - start),
      refuted: await refutedFacts(argumentSteps(explanation)),
    };
  } catch (error) {
    if (error instanceof TracefoldError) return unanswered(`${error.code}: ${error.message}`, work() - start);
    throw error;
  }
}

function answerOf(explanation: Explanation, screen: string, text: string, ms: number): Omit<CaseAnswer, "refuted"> {
  const { stats, unknowns } = explanation;
  const common = { ms, work: { queries: stats.solver.queries, replays: 0 }, screen };
  const shown = shownLines(explanation, text);
  if (explanation.kind !== "explained") {
    const reason = unknowns[0]?.reason ?? explanation.kind;
    return { ...common, answered: false, reason, shown, suspects: [], provedShare: null };
  }
  const rows = screenOf(explanation).sections.flatMap((section) => section.rows);
  return {
    ...common,
    answered: true,
    reason: null,
    shown,
    suspects: explanation.suspects.map(({ function: fn, location }) => ({ function: fn, line: location.line })),
    provedShare: rows.length === 0 ? null : rows.filter(({ evidence }) => evidence === "proved").length / rows.length,
  };
}

function argumentSteps(explanation: Explanation): { readonly steps: readonly ArgumentStep[] } {
  return { steps: explanation.kind === "explained" ? (explanation.argument?.steps ?? []) : [] };
}
