import { nth } from "../../../base/checked.ts";
import { isCutPoint } from "../../../cutpoints/block.ts";
import { errorsOf, obligationsOfEnd, withoutDead } from "../../../cutpoints/region.ts";
import { controlFlowOf } from "../../../ir/controlFlow.ts";
import type { Edge, VariableId } from "../../../ir/program.ts";
import { conjuncts, isAtom, isFalse, isTrue, type Term } from "../../../logic/term.ts";
import { freeVariablesOf, postOrder, substitute } from "../../../logic/traverse.ts";
import { minimiseAssumptions } from "../../../solver/solver.ts";
import type { InlinedNode } from "../../../symbolic/followEdge.ts";
import { inState, originState, type SymbolicState } from "../../../symbolic/symbolicState.ts";
import { assumptionsOf } from "../../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import { constraintsOf, slackened } from "./constraints.ts";
import { type Explored, feasible, holdsAt, mostStates, type Segment, type Tree, type TreePosition } from "./tree.ts";

/** Larger interpolants are not kept, because they cost more than they save. */
const largestInterpolant = 400;

/**
 * Depth-first traversal of the symbolic execution tree (001, Fig. 5): ends at infeasible states, at states that a
 * memoised interpolant covers, and at heads. The interpolant of a state is the smallest part of its constraints that
 * implies those of its successors (minimal annotation).
 */
export function traverse(tree: Tree, segment: Segment, position: TreePosition): Explored {
  const { context, counts } = tree;
  const { symbols } = context;
  const { terms } = symbols;
  const { node } = position;
  if (tree.cancellation.isCancelled()) return { kind: "unknown", reason: "interrupted" };
  if (++counts.states > mostStates) return { kind: "unknown", reason: `more than ${mostStates} states` };
  const key = context.keyOf(node);
  for (const interpolant of tree.memo.get(key) ?? []) {
    if (entails(tree, segment, position, interpolant)) {
      counts.subsumed++;
      return { kind: "safe", interpolant };
    }
  }
  const needed: (Term | null)[] = [];
  for (const edge of nth(controlFlowOf(node.function).outgoing, node.location)) {
    const result = takeEdge(tree, segment, position, edge, needed);
    if (result !== null) return result;
  }
  const required = needed.some((formula) => formula === null) ? null : terms.all(needed as Term[]);
  const interpolant = required === null ? null : interpolate(tree, segment, position, required);
  const memo = tree.memo.get(key) ?? [];
  const isJoin = nth(controlFlowOf(node.function).incoming, node.location).length !== 1;
  if (interpolant !== null && isJoin && !memo.includes(interpolant)) tree.memo.set(key, [...memo, interpolant]);
  return { kind: "safe", interpolant };
}

/** One edge: its errors, then its successors. Pushes the condition before it that makes all of them safe. */
function takeEdge(
  tree: Tree,
  segment: Segment,
  position: TreePosition,
  edge: Edge,
  needed: (Term | null)[],
): Explored | null {
  const { context } = tree;
  const { symbols } = context;
  const { terms } = symbols;
  const { node, state, conditions, inputs } = position;
  const here = errorsOf(context, node, edge, originState);
  const after = errorsOf(context, node, edge, state);
  for (const [i, way] of after.ways.entries()) {
    const failed = feasible(symbols, segment, position, way.guard).answer;
    if (failed !== false) return errorOr(failed, [...conditions, way.guard], inputs);
    needed.push(terms.not(here.ways[i]?.guard ?? terms.bool(false)));
  }
  const violated = (obligations: ReturnType<typeof obligationsOfEnd>) =>
    terms.any(
      obligations.filter(({ problem }) => context.behaviours.has(problem)).map(({ formula }) => terms.not(formula)),
    );
  const successors = context.follow(node, edge);
  if (successors.length === 0) {
    const bad = violated(obligationsOfEnd(context, node, edge, state));
    if (isFalse(bad)) return null;
    const failed = feasible(symbols, segment, position, bad).answer;
    if (failed !== false) return errorOr(failed, [...conditions, bad], inputs);
    needed.push(terms.not(violated(obligationsOfEnd(context, node, edge, originState))));
    return null;
  }
  for (const successor of successors) {
    const step = successor.step(state, context.environment);
    const local = successor.step(originState, context.environment);
    const bad = violated(step.obligations);
    if (!isFalse(bad)) {
      const failed = feasible(symbols, segment, position, bad).answer;
      if (failed !== false) return errorOr(failed, [...conditions, bad], inputs);
      needed.push(terms.not(violated(local.obligations)));
    }
    if (!context.reachesError(successor.node)) continue;
    const taken = terms.all(assumptionsOf(step));
    const way = terms.all(assumptionsOf(local));
    const further = feasible(symbols, segment, position, taken);
    if (further.answer === false) {
      needed.push(terms.not(way));
      continue;
    }
    const next: TreePosition = {
      node: successor.node,
      state: withoutDead(symbols, successor.node, step.state),
      conditions: isTrue(taken) ? conditions : [...conditions, taken],
      inputs:
        edge.operation.kind === "input" ? [...inputs, readInto(tree, node, edge.operation.target, step.state)] : inputs,
      examples: further.examples,
    };
    const result = isCutPoint(successor.node) ? segment.arrive(next) : traverse(tree, segment, next);
    if (result.kind !== "safe") return result;
    needed.push(
      result.interpolant === null ? null : terms.implies(way, inState(symbols, local.state, result.interpolant)),
    );
  }
  return null;
}

function errorOr(failed: true | null, conditions: readonly Term[], inputs: readonly Term[]): Explored {
  if (failed === null) return { kind: "unknown", reason: "the solver does not know whether an error is feasible" };
  return { kind: "error", path: { conditions, inputs } };
}

function readInto({ context }: Tree, node: InlinedNode, target: VariableId, state: SymbolicState): Term {
  const place = context.symbols.register(node.frame, target);
  return state.values.get(place) ?? place;
}

/** INTP of the paper: the fewest constraints of the state that keep its subtree safe. */
function interpolate(tree: Tree, segment: Segment, position: TreePosition, required: Term): Term | null {
  const { context, prover } = tree;
  const { state, conditions } = position;
  const { symbols } = context;
  const { terms } = symbols;
  if (isTrue(required)) return required;
  // A plain requirement is the weakest sufficient condition: no interpolation is necessary.
  if (tree.interpolates && isPlain(symbols, required)) return required;
  const constraints = constraintsOf(symbols, segment.places, state, [...segment.assumed, ...conditions]);
  if (!tree.interpolates) return terms.all(constraints);
  // Conditions that the subtree requires are weaker than the known facts here, and cover more.
  const asked = askedIn(symbols, required).filter((atom) => entails(tree, segment, position, atom));
  const session = prover.open([], "quick");
  const first = session.implies(asked, required);
  const answer =
    first.kind === "proved" ? first : session.implies([...asked, ...slackened(terms, constraints)], required);
  const used =
    answer.kind === "proved" && answer.used.length > 1 ? minimiseAssumptions(session, answer.used, required) : null;
  session.close();
  if (answer.kind === "proved") return terms.all(used ?? answer.used);
  // A requirement about places only is itself a condition on the state.
  const isAboutPlaces = freeVariablesOf([required]).every((variable) => symbols.cellOf(variable) !== null);
  return isAboutPlaces && required.kind !== "bool" && sizeWithin(required) ? required : null;
}

/** Atoms of a formula about places, ignoring wrapping. */
function askedIn(symbols: Symbols, required: Term): readonly Term[] {
  const { terms } = symbols;
  const wraps = postOrder([required]).filter(
    (term): term is Term & { kind: "mod" } =>
      term.kind === "mod" && term.divisor.kind === "int" && term.divisor.value >= 256n,
  );
  const plain = wraps.reduceRight(
    (formula, wrap) => substitute(terms, formula, new Map([[wrap, wrap.dividend]])),
    required,
  );
  const atoms = postOrder([required, plain]).filter((term) => isAtom(term) && term.kind !== "bool");
  const both = atoms.flatMap((atom) => [atom, terms.not(atom)]);
  return [...new Set(both)]
    .filter((atom) => freeVariablesOf([atom]).every((variable) => symbols.cellOf(variable) !== null))
    .slice(0, mostAsked);
}

const mostAsked = 24;
const largestPlain = 24;

/** True for a conjunction of a few conditions on places. */
function isPlain(symbols: Symbols, required: Term): boolean {
  return (
    conjuncts(required).every((part) => isAtom(part) || (part.kind === "not" && isAtom(part.operand))) &&
    postOrder([required]).length <= largestPlain &&
    freeVariablesOf([required]).every((variable) => symbols.cellOf(variable) !== null)
  );
}

function sizeWithin(term: Term): boolean {
  return freeVariablesOf([term]).length <= largestInterpolant / 10;
}

export function entails(tree: Tree, segment: Segment, position: TreePosition, formula: Term): boolean {
  const { symbols } = tree.context;
  const here = inState(symbols, position.state, formula);
  return here.kind === "bool" ? here.value : holdsAt(symbols, segment, position, here);
}
