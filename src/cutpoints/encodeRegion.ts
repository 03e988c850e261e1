import { controlFlowOf } from "../ir/controlFlow.ts";
import type { Edge } from "../ir/program.ts";
import { conjuncts, isFalse, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { type InlinedNode, nodeKey } from "../symbolic/followEdge.ts";
import { mergeStates, type SymbolicState } from "../symbolic/symbolicState.ts";
import { assumptionsOf, type OperationObligation } from "../symbolic/symbolicStep.ts";
import { errorsOf, obligationsOf, obligationsOfEnd } from "./errorsOf.ts";
import { orderRegion } from "./orderRegion.ts";
import type { AssumedObligation, ErrorWay, Merge, Region, RegionInput, Way } from "./region.ts";
import type { RegionContext } from "./regionContext.ts";
import { withoutDead } from "./withoutDead.ts";

/** Guards with more conjuncts than this get a name, so that long ways do not cost quadratic time. */
const guardLimit = 8;

/** One closure over what the region collects on its way through the code. */
export function encodeRegion(
  context: RegionContext,
  start: InlinedNode,
  state: SymbolicState,
  merge: Merge = (ways) => mergeStates(context.symbols, ways),
): Region {
  const { symbols } = context;
  const { terms } = symbols;
  const definitions: Term[] = [];
  const arrivals = new Map<string, Way[]>([[nodeKey(start), [{ guard: terms.bool(true), state }]]]);
  const ends = new Map<string, { node: InlinedNode; ways: Way[] }>();
  const errors: ErrorWay[] = [];
  const assumed = new Map<string, AssumedObligation>();
  const inputs: RegionInput[] = [];
  const named = (guard: Term): Term => {
    if (conjuncts(guard).length <= guardLimit && guard.kind !== "or") return guard;
    const variable = symbols.fresh("way", "condition");
    definitions.push(terms.iff(variable, guard));
    return variable;
  };
  const arrive = (node: InlinedNode, way: Way) => {
    const key = nodeKey(node);
    if (!context.isCut(node)) {
      const known = arrivals.get(key);
      if (known === undefined) arrivals.set(key, [way]);
      else known.push(way);
      return;
    }
    const end = ends.get(key);
    if (end === undefined) ends.set(key, { node, ways: [way] });
    else end.ways.push(way);
  };
  const require = (obligations: readonly OperationObligation[], guard: Term) => {
    for (const obligation of obligations) {
      const { formula, problem, range } = obligation;
      if (context.behaviours.has(problem)) {
        const violated = terms.and(guard, terms.not(formula));
        if (!isFalse(violated)) errors.push({ kind: problem, text: problem, range, guard: named(violated) });
      } else assumed.set(`${guard.id}:${formula.id}:${problem}`, { ...obligation, guard });
    }
  };
  const takeEdge = (node: InlinedNode, edge: Edge, before: SymbolicState, guard: Term) => {
    const { ways, undefinedHere } = errorsOf(context, node, edge, before);
    for (const error of ways) {
      const reached = terms.and(guard, error.guard);
      if (!isFalse(reached)) errors.push({ ...error, guard: named(reached) });
    }
    require(obligationsOf(context, node, edge, before), terms.and(guard, terms.not(undefinedHere)));
    const successors = context.follow(node, edge);
    // What ends the run may be undefined before it does.
    if (successors.length === 0) require(obligationsOfEnd(context, node, edge, before), guard);
    for (const successor of successors) {
      const step = successor.step(before, context.environment);
      require(step.obligations, guard);
      if (edge.operation.kind === "input") {
        const target = symbols.register(node.frame, edge.operation.target);
        inputs.push({ variable: step.state.values.get(target)!, guard });
      }
      const taken = terms.all([guard, terms.not(undefinedHere), ...assumptionsOf(step)]);
      if (isFalse(taken) || !context.reachesError(successor.node)) continue;
      arrive(successor.node, { guard: named(taken), state: withoutDead(symbols, successor.node, step.state) });
    }
  };
  for (const node of orderRegion(context, start)) {
    const ways = arrivals.get(nodeKey(node));
    if (ways === undefined) continue;
    arrivals.delete(nodeKey(node));
    const merged = ways.length === 1 ? ways[0]!.state : merge(ways, definitions);
    const guard = named(terms.any(ways.map((way) => way.guard)));
    for (const edge of controlFlowOf(node.function).outgoing[node.location]!) takeEdge(node, edge, merged, guard);
  }
  const exits = [...ends.values()].map(({ node, ways }) => ({
    node,
    guard: named(terms.any(ways.map((way) => way.guard))),
    state: ways.length === 1 ? ways[0]!.state : merge(ways, definitions),
  }));
  return { exits, errors: unique(errors), definitions, inputs, assumed: [...assumed.values()] };
}

/** The two sides of a branch evaluate one condition, which may be undefined once. */
function unique(errors: readonly ErrorWay[]): readonly ErrorWay[] {
  const seen = new Set<string>();
  return errors.filter(({ guard, kind }) => {
    const key = `${guard.id}:${kind}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Another way to merge: a new name for each place that differs, and what it is on each way. No choices, no nesting. */
export function mergeByNames(context: RegionContext): Merge {
  const { symbols } = context;
  const { terms } = symbols;
  return (ways, definitions) => {
    const merged = mergeStates(symbols, ways);
    let { values } = merged;
    for (const [place, value] of merged.values) {
      if (ways.every((way) => valueIn(context, way.state, place) === value)) continue;
      // What a pointer points to is found in its value.
      if (isAddress(context, value)) continue;
      const name = symbols.version(place);
      for (const way of ways) {
        definitions.push(terms.implies(way.guard, terms.eq(name, valueIn(context, way.state, place))));
      }
      values = values.set(place, name);
    }
    return { ...merged, values };
  };
}

function isAddress({ symbols }: RegionContext, value: Term): boolean {
  return freeVariablesOf([value]).some((variable) => symbols.objectWithBase(variable) !== null);
}

function valueIn(context: RegionContext, state: SymbolicState, place: Variable): Term {
  return context.valueOf(state, place);
}
