import { nth, present } from "../../base/checked.ts";
import { type BlockOptions, isCutPoint } from "../../cutpoints/block.ts";
import type { Annotation } from "../../cutpoints/houdini.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import type { Edge } from "../../ir/program.ts";
import { type Assignment, evaluate } from "../../logic/evaluate.ts";
import { isFalse, type Term } from "../../logic/term.ts";
import type { Prover } from "../../solver/solver.ts";
import { follow, type InlinedNode } from "../../symbolic/followEdge.ts";
import { inState, originState, type SymbolicState } from "../../symbolic/symbolicState.ts";
import { assumptionsOf } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LoopSite } from "./loopSite.ts";

export type Loss = { readonly fact: Term; readonly edge: Edge };

/** Limits, because the result is only a message. */
const mostWays = 40;
const mostSteps = 4000;
const mostQuestions = 24;

/**
 * Finds a way through the body that starts with the annotation and the fact and ends without the fact, and the step on
 * it that invalidates it. Uses the first way found; null if there is none.
 */
export function losingStep(
  { symbols, prover }: { readonly symbols: Symbols; readonly prover: Prover },
  site: LoopSite,
  annotation: Annotation,
  fact: Term,
): Loss | null {
  const blocks = [...site.system.blocks];
  const ways = site.inBody((options) => blocks.map(([, { start }]) => waysFrom(symbols, start, options)));
  let questions = 0;
  for (const [b, [key]] of blocks.entries()) {
    for (const way of nth(ways, b)) {
      const after = inState(symbols, way.state, fact);
      if (after === fact) continue;
      if (++questions > mostQuestions) return null;
      const session = prover.open(assumedOn(way), "quick");
      const answer = session.implies([...present(annotation.get(key)), fact], after);
      session.close();
      if (answer.kind === "refuted") return { fact, edge: stepIn(symbols, way, fact, answer.model) };
    }
  }
  return null;
}

type Way = {
  readonly edge: Edge;
  readonly node: InlinedNode;
  readonly state: SymbolicState;
  readonly assumptions: readonly Term[];
  readonly before: Way | null;
};

function waysFrom(symbols: Symbols, start: InlinedNode, { isInside, environment }: BlockOptions): readonly Way[] {
  const found: Way[] = [];
  const stack: (Way | null)[] = [null];
  for (let steps = 0; stack.length > 0 && steps < mostSteps && found.length < mostWays; steps++) {
    const before = stack.pop()!;
    const { node, state } = before ?? { node: start, state: originState };
    for (const edge of nth(controlFlowOf(node.function).outgoing, node.location).toReversed()) {
      for (const successor of follow(symbols, node, edge)) {
        if (!isInside(successor.node)) continue;
        const step = successor.step(state, environment);
        const assumptions = assumptionsOf(step);
        const way: Way = { edge, node: successor.node, before, state: step.state, assumptions };
        if (way.assumptions.some(isFalse)) continue;
        (isCutPoint(way.node) ? found : stack).push(way);
      }
    }
  }
  return found;
}

function assumedOn(way: Way): readonly Term[] {
  const all: (readonly Term[])[] = [];
  for (let step: Way | null = way; step !== null; step = step.before) all.push(step.assumptions);
  return all.reverse().flat();
}

/** The step after which the fact is false for the rest of the way. */
function stepIn(symbols: Symbols, way: Way, fact: Term, model: Assignment): Edge {
  let losing = way;
  for (let step: Way | null = way; step !== null; step = step.before) {
    losing = step;
    const before = step.before === null ? fact : inState(symbols, step.before.state, fact);
    if (before !== inState(symbols, step.state, fact) && evaluate(before, model) !== false) break;
  }
  return losing.edge;
}
