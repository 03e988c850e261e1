import { type BranchEdge, isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Comparison, Expression } from "../../ir/expression.ts";
import type { Assume } from "../../ir/operation.ts";
import { spelledOperator } from "../../ir/printOperation.ts";
import type { LocationId } from "../../ir/program.ts";
import type { Row } from "../explanation.ts";
import type { LiteralStyle } from "./literalStyles.ts";
import type { Telling } from "./telling.ts";

type Test = Row["tests"][number];

/** The tests of one condition, in the order of the run, that decided how it went. */
export function describeTests(telling: Telling, steps: readonly number[]): readonly Test[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  return steps.flatMap((step) => (step === last || decides(telling, step, last) ? describeTest(telling, step) : []));
}

/** Could another outcome have led elsewhere than the last test did, without coming to the last test? */
function decides({ graph }: Telling, step: number, last: number): boolean {
  const edge = graph.edge(step);
  const end = graph.edge(last);
  const { outgoing } = controlFlowOf(graph.function(step));
  const others = outgoing[edge.from]!.filter((other) => other !== edge);
  return others.some(({ to }) => to !== end.to && !leadsTo(outgoing, to, end.from));
}

function leadsTo(outgoing: readonly (readonly { to: LocationId }[])[], from: LocationId, goal: LocationId): boolean {
  let at = from;
  // Within one condition ways are short and do not branch but at its tests.
  for (let i = 0; i < 8; i++) {
    if (at === goal) return true;
    const ways = outgoing[at]!;
    if (ways.length !== 1) return ways.some(({ to }) => to === goal);
    at = ways[0]!.to;
  }
  return false;
}

/** `8 > 8 is false`. */
function describeTest(telling: Telling, step: number): readonly Test[] {
  const { graph, wording } = telling;
  const edge = graph.edge(step);
  if (!isBranch(edge)) return [];
  const { operation } = edge as BranchEdge;
  if (operation.kind === "case") {
    const value = wording.valueOf(step, operation.selector);
    return value === null ? [] : [{ text: `${wording.text(step, operation.selector)} is ${value}`, holds: true }];
  }
  return [{ text: testText(telling, step, operation), holds: !operation.negated }];
}

function testText(telling: Telling, step: number, { condition, negated }: Assume): string {
  const { wording } = telling;
  const { program } = telling.graph.trace;
  if (condition.kind === "comparison" && !isTruthOf(condition)) {
    const style = comparisonStyle(telling, condition);
    const [left, right] = [condition.left, condition.right].map((side) => wording.valueOf(step, side, style));
    if (left != null && right != null)
      return `${left} ${spelledOperator(program, condition.operator)} ${right} is ${!negated}`;
  }
  const tested = condition.kind === "comparison" ? condition.left : condition;
  const text = wording.text(step, tested);
  if (tested.type.kind === "pointer" && telling.graph.valueOf(step, tested) !== 0) return `${text} is not NULL`;
  return `${text} is ${wording.valueOf(step, tested) ?? (negated ? "0" : "1")}`;
}

/** Comparing with null tests a pointer. */
function isTruthOf({ left, right }: Comparison): boolean {
  return left.type.kind === "pointer" && isNull(right);
}

function isNull(expression: Expression): boolean {
  return expression.kind === "constant" && expression.value === 0n;
}

/** Both sides are written in the style of the one that has one. */
export function comparisonStyle({ styles }: Telling, { left, right }: Comparison): LiteralStyle {
  const own = styles.of(left);
  return own.kind === "decimal" ? styles.of(right) : own;
}
