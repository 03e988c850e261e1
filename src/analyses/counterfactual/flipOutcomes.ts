import { type Budget, budgetOf } from "../../base/cancellation.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { failureRoot } from "../../dependence/failureRoot.ts";
import { createTrackedRerunner } from "../../interpreter/rerun/trackedRerun.ts";
import { chosenInstances, executedPlaces, instancesByPlace } from "./executedPlaces.ts";
import { createExperimentRunner, type Level } from "./experimentRunner.ts";

/** One visit of a condition, and how the run goes on if the condition has the other outcome there. */
export type FlipOutcome = { readonly step: number; readonly level: Level };

/** Interpreter steps over all re-runs. */
const flipSteps = 10_000_000;
/** The most visits of one condition. */
const mostVisits = 200;

/** Runs the program again for many visits of its conditions, each with the other outcome. */
export function flipOutcomes(graph: DependenceGraph, budget: Budget = budgetOf(flipSteps)): readonly FlipOutcome[] {
  const { trace } = graph;
  if (trace.program.watched !== undefined) return [];
  const runner = createExperimentRunner(graph, failureRoot(graph), budget);
  const log = runner.starts?.log ?? createTrackedRerunner(trace, runner.starts?.points).logInstances(graph.first);
  const instances = instancesByPlace(log);
  const conditions = executedPlaces(graph).filter(({ place }) => place.kind === "condition");
  runner.openStage(1);
  const found: FlipOutcome[] = [];
  const share = Math.floor(runner.left / ((trace.steps + 500) * Math.max(1, conditions.length)));
  for (const { number } of conditions) {
    for (const { number: instance, step } of chosenInstances(graph, instances(number), Math.min(mostVisits, share))) {
      if (runner.isOver()) return found;
      if (step >= graph.first) found.push({ step, level: runner.flip(instance).level });
    }
  }
  return found;
}
