import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Edge } from "../ir/program.ts";
import { conjuncts, isFalse, type Term, type Variable } from "../logic/term.ts";
import { follow, type InlinedNode, nodeKey, type SuccessorOrEnd } from "../symbolic/followEdge.ts";
import type { StepEnvironment } from "../symbolic/stepEnvironment.ts";
import { mergeStates, originState, type SymbolicState } from "../symbolic/symbolicState.ts";
import { assumptionsOf, type OperationObligation } from "../symbolic/symbolicStep.ts";
import type { Symbols } from "../symbolic/symbols.ts";

/**
 * All ways from one cut point to the next ones, as one formula (a large block): for each cut point that is reached, the
 * condition under which it is, over the values at the start and the unknowns in between, and the state there. Calls
 * are followed into their bodies. Every loop has a cut point, so the ways are finite and without cycles.
 */
export type Block = {
  readonly start: InlinedNode;
  readonly ends: readonly BlockEnd[];
  /** Definitions of the names that occur in the others: to be asserted with them. */
  readonly definitions: readonly Term[];
  /** Those of guards as pairs: each variable with the guard that it stands for. */
  readonly guards: ReadonlyMap<Variable, Term>;
  /** Requirements of the operations on all ways, also on those that come to no cut point. */
  readonly obligations: readonly GuardedObligation[];
  /** Reads from outside, in the order in which every run makes them. */
  readonly inputs: readonly BlockInput[];
  /** Steps by which the run may leave what is encoded, or end. */
  readonly leaves: readonly BlockLeave[];
};

/** An obligation of a run that comes to its operation, which it does if `guard` holds. */
export type GuardedObligation = OperationObligation & { readonly guard: Term };

/** A way into a location: the condition under which it is taken, and the state there. */
export type Way = { readonly guard: Term; readonly state: SymbolicState };

export type BlockEnd = Way & { readonly node: InlinedNode };
export type BlockInput = { readonly variable: Term; readonly guard: Term };

/** A step out of what is encoded: to a location outside, or (null) to an end of the run or of its frame. */
export type BlockLeave = {
  readonly from: InlinedNode;
  readonly edge: Edge;
  readonly to: InlinedNode | null;
  readonly guard: Term;
  /** After the step; before it if it leads nowhere. */
  readonly state: SymbolicState;
};

/** How ways that meet become one state; definitions that it needs are pushed. */
export type Merge = (ways: readonly Way[], definitions: Term[]) => SymbolicState;

export type BlockOptions = {
  /** Is the location one of those that are encoded? */
  isInside(node: InlinedNode): boolean;
  readonly environment: StepEnvironment;
  /** The state at the start, where a run is if `guard` holds; by default every run is there, and nothing is known. */
  readonly state?: SymbolicState;
  readonly guard?: Term;
  /** Do blocks end here? By default they do at heads of loops. */
  isCut?(node: InlinedNode): boolean;
  follow?(node: InlinedNode, edge: Edge): readonly SuccessorOrEnd[];
  merge?: Merge;
  /** Called with every edge that may be taken and the state in front of it. What it returns is required beyond its step. */
  visit?(node: InlinedNode, edge: Edge, before: Way): EdgeDemands | undefined;
  /** The state with which a run goes on at a location: perhaps without what nobody reads there. */
  keep?(node: InlinedNode, state: SymbolicState): SymbolicState;
  /** A way comes back to a location that is no cut point: the loop is entered at several places. */
  cyclic?(node: InlinedNode): Error;
  /** By default those of the block alone. */
  readonly names?: GuardNames;
};

/** The run goes on behind the edge if `goesOn` holds. */
export type EdgeDemands = { readonly goesOn: Term; readonly obligations: readonly GuardedObligation[] };

/** A block that inlines to more locations than this is not encoded. */
const nodeLimit = 60_000;

/** Names for guards that get long, so that long ways do not cost quadratic time. */
export type GuardNames = {
  readonly definitions: Term[];
  readonly guards: Map<Variable, Term>;
  /** The guard, or a name for it. */
  named(guard: Term): Term;
};

/** Guards with more conjuncts than `longest` get a name. */
export function guardNames(symbols: Symbols, longest = 12): GuardNames {
  const definitions: Term[] = [];
  const guards = new Map<Variable, Term>();
  return {
    definitions,
    guards,
    named(guard) {
      if (conjuncts(guard).length <= longest && guard.kind !== "or") return guard;
      const variable = symbols.fresh("way", "condition");
      definitions.push(symbols.terms.iff(variable, guard));
      guards.set(variable, guard);
      return variable;
    },
  };
}

export function encodeBlock(symbols: Symbols, start: InlinedNode, options: BlockOptions): Block {
  const { terms } = symbols;
  const { environment, isCut = isCutPoint, merge = (ways) => mergeStates(symbols, ways) } = options;
  const { definitions, guards, named } = options.names ?? guardNames(symbols);
  const steps = options.follow ?? ((node, edge) => follow(symbols, node, edge));
  const arrivals = new Map<string, Way[]>();
  arrivals.set(nodeKey(start), [{ guard: options.guard ?? terms.bool(true), state: options.state ?? originState }]);
  const ends = new Map<string, { readonly node: InlinedNode; readonly ways: Way[] }>();
  const leaves: BlockLeave[] = [];
  const inputs: BlockInput[] = [];
  // The two sides of a branch evaluate one condition.
  const obligations = new Map<string, GuardedObligation>();
  const joined = (ways: readonly Way[]): Way => ({
    state: ways.length === 1 ? nth(ways, 0).state : merge(ways, definitions),
    guard: named(terms.any(ways.map((way) => way.guard))),
  });
  const require = (obligation: GuardedObligation) =>
    obligations.set(`${obligation.guard.id}:${obligation.formula.id}:${obligation.problem}`, obligation);
  const arrive = (node: InlinedNode, way: Way) => {
    const key = nodeKey(node);
    const known = isCut(node) ? ends.get(key)?.ways : arrivals.get(key);
    if (known !== undefined) known.push(way);
    else if (isCut(node)) ends.set(key, { node, ways: [way] });
    else arrivals.set(key, [way]);
  };
  const takeEdge = (node: InlinedNode, edge: Edge, before: Way) => {
    const { guard, state } = before;
    const demands = options.visit?.(node, edge, before);
    for (const obligation of demands?.obligations ?? []) require(obligation);
    const successors = steps(node, edge);
    if (successors.length === 0) leaves.push({ from: node, edge, to: null, guard, state });
    for (const successor of successors) {
      const step = successor.step(state, environment);
      for (const obligation of step.obligations) require({ ...obligation, guard });
      if (edge.operation.kind === "input") {
        const read = step.state.values.get(symbols.register(node.frame, edge.operation.target));
        if (read !== undefined) inputs.push({ variable: read, guard });
      }
      const taken = terms.all([guard, demands?.goesOn ?? terms.bool(true), ...assumptionsOf(step)]);
      if (isFalse(taken)) continue;
      const to = successor.node;
      if (to === null || !options.isInside(to)) leaves.push({ from: node, edge, to, guard: taken, state: step.state });
      else arrive(to, { guard: named(taken), state: options.keep?.(to, step.state) ?? step.state });
    }
  };
  for (const node of blockOrder(start, steps, isCut, options)) {
    environment.wanted?.();
    const ways = arrivals.get(nodeKey(node));
    if (ways === undefined) continue;
    arrivals.delete(nodeKey(node));
    const before = joined(ways);
    for (const edge of nth(controlFlowOf(node.function).outgoing, node.location)) takeEdge(node, edge, before);
  }
  return {
    start,
    ends: [...ends.values()].map(({ node, ways }) => ({ node, ...joined(ways) })),
    leaves,
    inputs,
    obligations: [...obligations.values()],
    definitions,
    guards,
  };
}

/** Visits each cut point that is reached from a first one once; a visit returns those that are reached next. */
export function visitCutPoints(first: InlinedNode, visit: (node: InlinedNode) => readonly InlinedNode[]): void {
  const seen = new Set<string>();
  const work = [first];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (seen.has(nodeKey(node))) continue;
    seen.add(nodeKey(node));
    work.push(...visit(node));
  }
}

export function isCutPoint(node: InlinedNode): boolean {
  return loopsOf(node.function).loopWithHeader(node.location) !== null;
}

/** The locations of a block, each before those that it leads to. Depth first and iterative. */
function blockOrder(
  start: InlinedNode,
  steps: (node: InlinedNode, edge: Edge) => readonly SuccessorOrEnd[],
  isCut: (node: InlinedNode) => boolean,
  { isInside, cyclic = irreducible }: BlockOptions,
): readonly InlinedNode[] {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { readonly node: InlinedNode; readonly key: string; readonly next: InlinedNode[] }[] = [];
  const push = (node: InlinedNode) => {
    const key = nodeKey(node);
    if (open.has(key)) throw cyclic(node);
    if (seen.has(key)) return;
    if (seen.size >= nodeLimit) throw tooLarge(start);
    seen.add(key);
    open.add(key);
    const edges = nth(controlFlowOf(node.function).outgoing, node.location);
    const isNext = (to: InlinedNode | null): to is InlinedNode => to !== null && !isCut(to) && isInside(to);
    const next = edges.flatMap((edge) => steps(node, edge).map((successor) => successor.node));
    stack.push({ node, key, next: next.filter(isNext) });
  };
  push(start);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next.pop();
    if (next !== undefined) push(next);
    else {
      open.delete(top.key);
      result.push(top.node);
      stack.pop();
    }
  }
  return result.reverse();
}

function tooLarge(start: InlinedNode): TracefoldError {
  return new TracefoldError({
    code: "TF310",
    message: `the code between two loop heads in ${start.function.name} has more than ${nodeLimit} locations with its calls followed`,
    range: start.function.range,
  });
}

function irreducible(node: InlinedNode): TracefoldError {
  return new TracefoldError({
    code: "TF210",
    message: `${node.function.name} jumps into a loop, which cannot be summarised`,
    range: node.function.range,
    help: "Loops that are entered only at their head can be folded.",
  });
}

/** One way from a cut point to the next. */
export type Path = {
  readonly edges: readonly Edge[];
  readonly end: InlinedNode;
  readonly assumptions: readonly Term[];
  readonly state: SymbolicState;
  /** The same without its last step; null for the way that has none. */
  readonly before: Path | null;
};

/**
 * The ways from a cut point to the next ones, one by one, without those whose conditions contradict each other on sight;
 * not complete if there are more than `limit`.
 */
export function enumeratePaths(
  symbols: Symbols,
  start: InlinedNode,
  options: BlockOptions,
  limit: number,
): { readonly paths: readonly Path[]; readonly isComplete: boolean } {
  const paths: Path[] = [];
  const stack: Path[] = [{ edges: [], end: start, assumptions: [], state: originState, before: null }];
  let visited = 0;
  for (let current = stack.pop(); current !== undefined; current = stack.pop()) {
    // Ways that lead nowhere cost time too.
    if (++visited > limit * 200) return { paths, isComplete: false };
    options.environment.wanted?.();
    const node = current.end;
    for (const edge of nth(controlFlowOf(node.function).outgoing, node.location).toReversed()) {
      for (const successor of follow(symbols, node, edge)) {
        if (!options.isInside(successor.node)) continue;
        const step = successor.step(current.state, options.environment);
        const path: Path = {
          edges: [...current.edges, edge],
          end: successor.node,
          assumptions: [...current.assumptions, ...assumptionsOf(step)],
          state: step.state,
          before: current,
        };
        if (isFalse(symbols.terms.all(path.assumptions))) continue;
        if (!isCutPoint(successor.node)) stack.push(path);
        else if (paths.length < limit) paths.push(path);
        else return { paths, isComplete: false };
      }
    }
  }
  return { paths, isComplete: true };
}
