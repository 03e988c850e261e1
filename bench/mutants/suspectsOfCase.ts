import { experimentSteps, runExperiments } from "../../src/analyses/counterfactual/experiments.ts";
import { budgetOf, cancelledAfterWork, neverCancelled, workMilliseconds } from "../../src/base/cancellation.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import { type CaseAnswer, unanswered } from "./caseAnswer.ts";
import type { FailingCase } from "./failingCases.ts";
import { changesOfMutant, loadMutant, type Mutant } from "./loadMutant.ts";

/** The order of suspects alone, without an explanation. Time is processor time: the load of the machine does not count. */
export async function suspectsOfCase(given: FailingCase, mutant: Mutant, budget: number): Promise<CaseAnswer> {
  const program = await loadMutant(given, mutant);
  const start = workMilliseconds(null);
  const trace = recordTrace(program, { maxSteps: given.maxSteps });
  const { suspects, reruns } = runExperiments(dependenceGraph(trace), {
    changes: changesOfMutant(given, mutant),
    budget: budgetOf(experimentSteps, cancelledAfterWork(budget, neverCancelled)),
  });
  return {
    ...unanswered("", workMilliseconds(null) - start),
    answered: true,
    reason: null,
    work: { queries: 0, replays: reruns },
    suspects: suspects.map(({ function: fn, range, evidence }) => ({
      function: fn.name,
      line: range.line,
      evidence,
    })),
  };
}
