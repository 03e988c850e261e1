import { isBranch, otherSideDoes } from "../ir/branches.ts";
import { type Expression, expressionOperands } from "../ir/expression.ts";
import type { Operation } from "../ir/operation.ts";
import type { Program } from "../ir/program.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";

/** So many branches that passed by a print are told, the last ones. */
const mostMissed = 6;

/**
 * Between the last byte that was printed as expected and a step: branches with another outcome of which something would have been printed
 * there, and calls that printed nothing, of an empty string. What is not in the output leaves no other trace. The last of each line, in
 * the order of the run.
 */
export function missedPrints(graph: DependenceGraph, before: number): readonly number[] {
  const prints = printingOperations(graph.trace.program);
  const missed: number[] = [];
  const seen = new Set<object>();
  const from = Math.max(graph.first, (graph.lastRightByte ?? -1) + 1);
  for (let step = before - 1; step >= from && missed.length < mostMissed; step--) {
    const edge = graph.edge(step);
    if (seen.has(edge)) continue;
    seen.add(edge);
    const isSilent = edge.operation.kind === "callLibrary" && prints(edge.operation) && !graph.printed(step);
    if (isSilent || (isBranch(edge) && otherSideDoes(graph.function(step), edge, prints))) missed.push(step);
  }
  return missed.reverse();
}

const printers = new Set(
  "printf vprintf fprintf vfprintf puts putchar fputs fputc putc fwrite".split(" ") as readonly string[],
);

/** Standard error is not compared with anything. */
function isErrors(program: Program, expression: Expression): boolean {
  if (expression.kind === "variable" && program.variables[expression.variable]!.role === "stderr") return true;
  if (expression.kind === "addressOf" && expression.object.kind === "variable") {
    return program.variables[expression.object.variable]!.role === "stderr";
  }
  return expressionOperands(expression).some((operand) => isErrors(program, operand));
}

const cache = new WeakMap<Program, (operation: Operation) => boolean>();

/** Does an operation print, or call a function that may? */
function printingOperations(program: Program): (operation: Operation) => boolean {
  const known = cache.get(program);
  if (known !== undefined) return known;
  const functions = new Set<number>();
  const prints = (operation: Operation): boolean => {
    if (operation.kind === "callLibrary") {
      return printers.has(operation.name) && !operation.arguments.some((argument) => isErrors(program, argument));
    }
    if (operation.kind !== "call") return false;
    return operation.callee.kind !== "direct" || functions.has(operation.callee.function);
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (const { id, edges } of program.functions) {
      if (functions.has(id) || !edges.some(({ operation }) => prints(operation))) continue;
      functions.add(id);
      changed = true;
    }
  }
  cache.set(program, prints);
  return prints;
}
