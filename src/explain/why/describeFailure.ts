import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { keptPointer } from "../../dependence/failureRoot.ts";
import { sourceTextAt } from "../../ir/sourceText.ts";
import { describeOutcome } from "../../jobs/run/describeRun.ts";
import type { CallPath, CallSite, FailedCondition, Failure } from "../explanation.ts";
import { comparisonStyle } from "./describeTests.ts";
import { describeEndless } from "./endless.ts";
import { type Operand, pointerOf, type Root } from "./root.ts";
import type { Telling } from "./telling.ts";

/** How the run failed, with the values of what failed. */
export function describeFailure(telling: Telling, root: Root): Failure {
  const { graph } = telling;
  const { program, outcome } = graph.trace;
  const { step } = root.failure;
  const described = describeOutcome(program, outcome);
  const at = "at" in outcome && outcome.at !== null ? outcome.at.range : graph.edge(step).range;
  return {
    kind: described.kind,
    message: root.failure.kind === "loop" ? describeEndless(telling, root.failure, root.operands) : described.message,
    location: at,
    function: graph.function(step).name,
    stack: callersOf(graph, step),
    condition: conditionOf(telling, root),
    places: placesOf(telling, root),
    printed: lastLine(graph.trace.stderr) ?? lastLine(graph.trace.stdout),
  };
}

function conditionOf(telling: Telling, { failure, operands }: Root): FailedCondition | null {
  const { graph } = telling;
  const { program } = graph.trace;
  const steps = failure.kind === "condition" || failure.kind === "loop" ? failure.deciding : [failure.step];
  const [first] = steps;
  if (first === undefined) return null;
  const edge = graph.edge(steps.at(-1)!);
  return {
    text: sourceTextAt(program, edge.range) ?? "",
    location: edge.range,
    operands: operands.flatMap((operand) => {
      // What had this executed is on another line.
      if (!steps.includes(operand.step)) return [];
      const value = operandValue(telling, operand);
      if (value === null) return [];
      return [{ text: telling.wording.text(operand.step, operand.expression), value, location: operand.range }];
    }),
  };
}

/** A side of a comparison is written in the style of the other. */
export function operandValue(telling: Telling, { step, expression }: Operand): string | null {
  const { operation } = telling.graph.edge(step);
  const compared =
    operation.kind === "assume" && operation.condition.kind === "comparison" ? operation.condition : null;
  const style = compared === null ? undefined : comparisonStyle(telling, compared);
  return telling.wording.valueOf(step, expression, style);
}

/** The calls under way at a step, the innermost first. */
export function callersOf(graph: DependenceGraph, step: number): readonly CallSite[] {
  const sites: CallSite[] = [];
  for (let call = graph.callOf(graph.activation(step)); call !== null && call >= graph.first; ) {
    sites.push({ function: graph.function(call).name, location: graph.edge(call).range });
    call = graph.callOf(graph.activation(call));
  }
  return sites;
}

/** Where a block that was used wrongly came from, and where it ended. */
function placesOf({ graph, wording }: Telling, { failure, operands, death }: Root): readonly CallPath[] {
  const { outcome } = graph.trace;
  if (outcome.kind !== "undefined-behaviour" || failure.kind !== "trap") return [];
  const path = (what: string, step: number | null): readonly CallPath[] => {
    if (step === null || step < graph.first) return [];
    const own = { function: graph.function(step).name, location: graph.edge(step).range };
    return [{ what, calls: [own, ...callersOf(graph, step)] }];
  };
  const notReturned = outcome.problem === "uninitialised-read" ? endWithoutValue(graph, failure.step) : null;
  if (notReturned !== null) return path("no return", notReturned);
  const pointer = pointerOf(graph, operands);
  if (pointer === null) return [];
  const born = graph.birth(pointer);
  const isBlock = born !== null && born >= graph.first && graph.edge(born).operation.kind === "callLibrary";
  switch (outcome.problem) {
    case "use-after-free":
    case "double-free": {
      const kept = death === null ? null : keptPointer(graph, failure.step, pointer, death);
      return [
        ...path("freed", graph.death(pointer)),
        ...path(outcome.problem === "double-free" ? "freed again" : "used", failure.step),
        ...path("allocated", born),
        ...(kept === null ? [] : path(`kept by ${wording.text(kept.step, kept.place)} since`, kept.writer)),
      ];
    }
    case "out-of-bounds-read":
    case "out-of-bounds-write":
    case "uninitialised-read":
    case "invalid-free":
      return isBlock ? path("allocated", born) : [];
    default:
      return [];
  }
}

/** Where a function ended without the value that the step reads; null where there is none. */
function endWithoutValue(graph: DependenceGraph, step: number): number | null {
  const read = graph.reads(step).find(({ writer, value }) => {
    if (value !== undefined || writer === null || writer < graph.first) return false;
    const { operation } = graph.edge(writer);
    return operation.kind === "return" && operation.value === null;
  });
  return read?.writer ?? null;
}

function lastLine(bytes: Uint8Array): string | null {
  const text = Buffer.from(bytes.subarray(Math.max(0, bytes.length - 400))).toString("utf8");
  const lines = text.split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}
