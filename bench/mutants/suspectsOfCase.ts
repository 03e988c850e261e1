import { experimentSteps, runExperiments } from "../../src/analyses/counterfactual/experiments.ts";
import { budgetOf, cancelledAfter } from "../../src/base/cancellation.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { type CaseAnswer, unanswered } from "./caseAnswer.ts";
import type { FailingCase } from "./failingCases.ts";
import { changesOfMutant, loadMutant, type Mutant } from "./loadMutant.ts";

/** The order of suspects alone, without an explanation. */
export async function suspectsOfCase(given: FailingCase, mutant: Mutant, budget: number): Promise<CaseAnswer> {
  const program = await loadMutant(given, mutant);
  const start = performance.now();
  const trace = recordTrace(program, { maxSteps: given.maxSteps });
  const { suspects, reruns } = runExperiments(dependenceGraph(trace), {
    changes: changesOfMutant(given, mutant),
    budget: budgetOf(experimentSteps, cancelledAfter(budget)),
  });
  return {
    ...unanswered("", performance.now() - start),
    answered: true,
    reason: null,
    work: { queries: 0, replays: reruns },
    suspects: suspects.map(({ function: fn, range }) => ({ function: fn.name, line: range.line })),
  };
}
