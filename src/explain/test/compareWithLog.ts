import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import { isBranch } from "../../ir/branches.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { reprOfRegister } from "../../js/lowering/variables.ts";
import { type Concrete, unknownValue } from "../../js/recorder/language.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import type { ReplayEvidence } from "../../js/replay/evidence.ts";
import type { Lowered } from "../../js/replay/lowerRecording.ts";

export type Comparison = {
  /** Values and decisions that were compared and are the same. */
  readonly values: number;
  readonly decisions: number;
  /** The first that is not. */
  readonly mismatch: { readonly node: Node; readonly step: number } | null;
};

/** Compares every value that the program computed for a node of the source with the one that the test had there. */
export function compareWithLog(graph: DependenceGraph, lowered: Lowered, evidence: ReplayEvidence): Comparison {
  const counts = new Map<Node, number>();
  let values = 0;
  let decisions = 0;
  for (let step = graph.first; step < graph.end; step++) {
    const edge = graph.edge(step);
    const seen = new Set<Expression>();
    let isCompared = false;
    for (const expression of operationExpressions(edge.operation).flatMap(postOrder)) {
      const node = lowered.nodeOf.get(expression);
      if (node === undefined || expression.kind === "constant" || seen.has(expression)) continue;
      seen.add(expression);
      const recorded = evidence.values.get(node);
      if (recorded === undefined) continue;
      const at = counts.get(node) ?? 0;
      counts.set(node, at + 1);
      const computed = graph.valueOf(step, expression);
      if (computed === undefined || at >= recorded.length) return { values, decisions, mismatch: { node, step } };
      const known = recorded[at];
      if (known === unknownValue) continue;
      if (!isSame(lowered, expression, computed, known)) return { values, decisions, mismatch: { node, step } };
      values++;
      isCompared = true;
    }
    if (isCompared && isBranch(edge)) decisions++;
  }
  return { values, decisions, mismatch: null };
}

function isSame(
  { model: { encoding } }: Lowered,
  expression: Expression,
  computed: ScalarValue,
  known: Concrete,
): boolean {
  const repr = reprOfRegister({ type: expression.type });
  // Of a condition that cannot be computed the log has the truth alone.
  if (typeof known === "boolean" && repr !== "bool" && repr !== "any") return (computed !== 0) === known;
  const expected = encoding.encode(known, repr);
  if (repr === "double") return Object.is(Number(computed), expected) || Number(computed) === expected;
  return toBigInt(computed) === expected && fits(repr, known);
}

/** A value that is not of the kind is the same as none of it. */
function fits(repr: ReturnType<typeof reprOfRegister>, known: Concrete): boolean {
  if (repr === "int") return typeof known === "number";
  return repr !== "bool" || typeof known === "boolean";
}

function postOrder(expression: Expression): readonly Expression[] {
  return [...expressionOperands(expression).flatMap(postOrder), expression];
}
