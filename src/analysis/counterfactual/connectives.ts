import { controlFlowOf } from "../../ir/controlFlow.ts";
import { type Edge, type Function, type LocationId, type Program, withEdges } from "../../ir/program.ts";

/**
 * Two operands that `&&` or `||` connects: the left test and the right one, which is reached by one outcome of the left without a
 * choice in between.
 */
export type Connective = {
  readonly function: Function;
  readonly operator: "&&" | "||";
  /** The edges that are taken when the operand is true. */
  readonly left: Edge;
  readonly right: Edge;
  /** The program with the other operator: `(left || right)` for `(left && right)`. */
  rewritten(program: Program): Program;
};

export function connectivesOf(fn: Function): readonly Connective[] {
  const { outgoing } = controlFlowOf(fn);
  const found: Connective[] = [];
  for (const edge of fn.edges) {
    const { operation } = edge;
    if (operation.kind !== "assume" || operation.negated || operation.origin !== "shortCircuit") continue;
    const [whenTrue, whenFalse] = waysOf(outgoing[edge.from]!);
    if (whenTrue === null || whenFalse === null) continue;
    for (const [operator, towards, away] of [
      ["&&", whenTrue, whenFalse],
      ["||", whenFalse, whenTrue],
    ] as const) {
      const right = nextTest(fn, towards.to);
      if (right === null) continue;
      const [rightTrue, rightFalse] = waysOf(outgoing[right]!);
      if (rightTrue === null || rightFalse === null) continue;
      // The outcome that spares the right operand leads where the same outcome of the right one does.
      if (away.to !== (operator === "&&" ? rightFalse.to : rightTrue.to)) continue;
      const targets =
        operator === "&&"
          ? new Map([
              [whenTrue.id, rightTrue.to],
              [whenFalse.id, towards.to],
            ])
          : new Map([
              [whenTrue.id, towards.to],
              [whenFalse.id, rightFalse.to],
            ]);
      found.push({
        function: fn,
        operator,
        left: whenTrue,
        right: rightTrue,
        rewritten: (program) => redirected(program, fn, targets),
      });
    }
  }
  return found;
}

function waysOf(edges: readonly Edge[]): readonly [Edge | null, Edge | null] {
  const way = (negated: boolean) =>
    edges.find(({ operation }) => operation.kind === "assume" && operation.negated === negated) ?? null;
  return edges.length === 2 ? [way(false), way(true)] : [null, null];
}

/** The test that follows without a choice; what the operand computes first may come before it. */
function nextTest(fn: Function, from: LocationId): LocationId | null {
  const { outgoing, incoming } = controlFlowOf(fn);
  for (let at = from; ; ) {
    const edges = outgoing[at]!;
    if (edges.length === 2) return at;
    const next = edges[0];
    if (next === undefined || next.to === fn.exit || !/^(assign|call|callLibrary)$/.test(next.operation.kind))
      return null;
    if (incoming[next.to]!.length !== 1) return null;
    at = next.to;
  }
}

function redirected(program: Program, fn: Function, targets: ReadonlyMap<number, LocationId>): Program {
  return withEdges(program, fn, (edge) => ({ ...edge, to: targets.get(edge.id) ?? edge.to }));
}
