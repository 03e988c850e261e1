import { nth } from "../../base/checked.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Edge } from "../../ir/program.ts";
import { conjuncts, isFalse, isTrue, type Term, type Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import { follow, type InlinedNode, nodeKey } from "../../symbolic/followEdge.ts";
import type { MemoryRegion } from "../../symbolic/memory/region.ts";
import { mergeStates, type SymbolicState, startOfProgram } from "../../symbolic/symbolicState.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { DrawnMemory } from "./confirm.ts";
import { append, cut, type Explorer, type Trail } from "./explorer.ts";
import { edgeKey } from "./target.ts";
import { drawnBy, entryNode, inputsIn, mostActivations, type PathInput, startNode, type Transfer } from "./transfer.ts";

/** A state in which all ways to a node meet: its values are those of the way whose guard holds. */
type Merged = { readonly node: InlinedNode; readonly guard: Term; readonly memory: SymbolicState };

type Unrolling = {
  readonly ex: Explorer;
  /** Definitions of names and facts that hold by construction: one formula per round. */
  definitions: Trail<Term>;
  /** In an order that every run keeps. */
  readonly reads: { readonly guard: Term; readonly input: PathInput }[];
  readonly drawn: { readonly guard: Term; readonly memory: DrawnMemory }[];
  /** Made in the current round. */
  made: Term[];
  met: { readonly edge: Edge; readonly function: number; readonly guard: Term }[];
  violated: { readonly formula: Term; readonly problem: string; readonly edge: Edge }[];
};

/** Longer guards get a name, so that long ways do not cost quadratic time. */
const guardLimit = 8;

export function unroll(ex: Explorer, rounds: number): void {
  const { symbols } = ex;
  const { terms } = symbols;
  const all: Unrolling = { ex, definitions: null, reads: [], drawn: [], made: [], met: [], violated: [] };
  const orders = new Map<string, readonly InlinedNode[] | null>();
  let frontier: readonly Merged[] = [
    { node: startNode(symbols), guard: terms.bool(true), memory: startOfProgram(symbols) },
  ];
  for (let round = 0; frontier.length > 0; round++) {
    if (ex.cancellation.isCancelled() || ex.targets.open().length === 0) return incomplete(ex, "the time was up");
    if (round >= rounds) return incomplete(ex, `the limit of ${rounds} rounds was reached`);
    const ends = new Map<string, Merged[]>();
    for (const merged of frontier) {
      const key = nodeKey(merged.node);
      if (!orders.has(key)) orders.set(key, regionOrder(symbols, merged.node, mostActivations));
      const order = orders.get(key)!;
      if (order === null) return incomplete(ex, "a part of the program is too large to be merged");
      followRegion(all, merged, order, ends);
    }
    all.definitions = append(all.definitions, terms.all(all.made));
    all.made = [];
    checkTargets(all);
    frontier = [...ends.values()].flatMap((ways) => {
      const guard = named(all, terms.any(ways.map((way) => way.guard)));
      all.definitions = append(all.definitions, terms.all(all.made));
      all.made = [];
      ex.counts.questions++;
      if (ex.feasibility.check(all.definitions, [guard]).kind === "infeasible") return [];
      const memory = mergeStates(
        symbols,
        ways.map((way) => ({ guard: way.guard, state: way.memory })),
      );
      return [{ node: nth(ways, 0).node, guard, memory }];
    });
    ex.counts.deepest = Math.max(ex.counts.deepest, round + 1);
  }
}

function incomplete(ex: Explorer, reason: string): void {
  const { range } = nth(ex.symbols.program.functions, ex.symbols.program.entry);
  cut(ex, reason, range, "Allow more time or rounds.");
}

function named(all: Unrolling, guard: Term): Term {
  const { symbols } = all.ex;
  if (conjuncts(guard).length <= guardLimit && guard.kind !== "or") return guard;
  const variable = symbols.fresh("way", "condition");
  all.made.push(symbols.terms.iff(variable, guard));
  return variable;
}

function followRegion(all: Unrolling, start: Merged, order: readonly InlinedNode[], ends: Map<string, Merged[]>): void {
  const { ex } = all;
  const { symbols } = ex;
  const { terms } = symbols;
  const arrivals = new Map<string, Merged[]>([[nodeKey(start.node), [start]]]);
  for (const node of order) {
    const ways = arrivals.get(nodeKey(node));
    if (ways === undefined || !ex.targets.isRelevant(node)) continue;
    const guard = ways.length === 1 ? nth(ways, 0).guard : named(all, terms.any(ways.map((way) => way.guard)));
    const memory = mergeStates(
      symbols,
      ways.map((way) => ({ guard: way.guard, state: way.memory })),
    );
    ex.counts.states++;
    const transfers = ex.transfer({ node, memory, read: all.reads.length });
    learn(all, node, guard, transfers);
    for (const transfer of transfers) {
      const { step, node: next, key } = transfer;
      const taken = terms.all([guard, ...step.obligations.map(({ formula }) => formula), step.guard]);
      if (isFalse(taken)) continue;
      const way = named(all, taken);
      if (ex.targets.isOpenEdge(edgeKey(node.function.id, transfer.edge.id))) {
        all.met.push({ edge: transfer.edge, function: node.function.id, guard: way });
      }
      if (next === null) continue;
      const into = isHead(next) ? ends : arrivals;
      into.set(key, [...(into.get(key) ?? []), { node: next, guard: way, memory: step.state }]);
    }
  }
}

/** Adds the facts of a step about all runs that reach it. */
function learn(all: Unrolling, node: InlinedNode, guard: Term, transfers: readonly Transfer[]): void {
  const { ex } = all;
  const { terms } = ex.symbols;
  for (const transfer of transfers) {
    const { step, happening, edge } = transfer;
    for (const fact of step.facts) if (!isTrue(fact)) all.made.push(terms.implies(guard, fact));
    for (const { formula, problem } of step.obligations) {
      if (isTrue(formula) || !(ex.strict || ex.targets.wantsProblem(problem))) continue;
      all.violated.push({ formula: terms.and(guard, terms.not(formula)), problem, edge });
    }
    for (const input of happening.inputs) all.reads.push({ guard, input });
    for (const { reason, range } of happening.noted)
      cut(ex, `not exact: ${reason}`, range, "Explore a simpler program.");
    for (const object of drawnBy(ex.symbols, { node }, transfer)) {
      const contents = new Map<MemoryRegion, Variable>();
      for (const region of object.regions ?? []) {
        const value = step.state.values.get(ex.symbols.region(object, region));
        if (value?.kind === "variable") contents.set(region, value);
      }
      const { operation } = edge;
      const isDeclared = operation.kind === "declare";
      const memory: DrawnMemory = {
        variable: isDeclared ? operation.variable : null,
        allocation: isDeclared ? null : { function: node.function.id, edge: edge.id },
        object,
        contents: isDeclared ? contents : new Map(),
      };
      all.drawn.push({ guard, memory });
    }
  }
}

/** Checks whether a run reaches a target in this round. */
function checkTargets(all: Unrolling): void {
  const { ex } = all;
  const { terms } = ex.symbols;
  for (const { edge, function: fn, guard } of all.met) {
    if (!ex.targets.isOpenEdge(edgeKey(fn, edge.id))) continue;
    ex.counts.questions++;
    const answer = ex.feasibility.check(all.definitions, [guard]);
    if (answer.kind === "feasible") confirmModel(all, answer.model);
    if (answer.kind === "infeasible" || !ex.targets.isOpenEdge(edgeKey(fn, edge.id))) continue;
    const why = answer.kind === "unknown" ? answer.reason : "the inputs that lead here do not when run";
    cut(ex, `not decided: ${why}`, edge.range, "Another --mode may decide it.");
  }
  all.met = [];
  if (all.violated.length === 0) return;
  ex.counts.questions++;
  const some = terms.any(all.violated.map(({ formula }) => formula));
  const answer = isFalse(some) ? ({ kind: "infeasible" } as const) : ex.feasibility.check(all.definitions, [some]);
  if (answer.kind !== "infeasible") {
    if (answer.kind === "feasible") confirmModel(all, answer.model);
    const [first] = all.violated;
    const found =
      answer.kind === "feasible" ? all.violated.find(({ formula }) => answer.model.satisfies(formula)) : first;
    const { problem, edge } = found ?? first!;
    cut(ex, `something undefined may come before: ${problem}`, edge.range, "Look for it with --property undefined.");
  }
  all.violated = [];
}

/** The run with the inputs that the model's way reads. */
function confirmModel({ ex, reads, drawn }: Unrolling, model: Model): void {
  const read = reads.filter(({ guard }) => model.satisfies(guard)).map(({ input }) => input);
  const inputs = inputsIn(model, read);
  if (inputs === null) return;
  ex.counts.runs++;
  const memory = drawn.filter(({ guard }) => model.satisfies(guard)).map((each) => each.memory);
  const trace = ex.confirm(inputs, memory, model);
  if (trace !== null) ex.targets.meet(trace);
}

/** Larger regions are not merged. */
const mostNodes = 30_000;

export function isHead(node: InlinedNode): boolean {
  return loopsOf(node.function).loopWithHeader(node.location) !== null;
}

/**
 * The nodes between a node and the next loop heads in topological order, with calls followed. Null if there are too
 * many, or if a loop is entered other than at its head.
 */
export function regionOrder(symbols: Symbols, start: InlinedNode, activations: number): readonly InlinedNode[] | null {
  const result: InlinedNode[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  const stack: { readonly node: InlinedNode; readonly key: string; readonly next: InlinedNode[] }[] = [];
  const enter = (node: InlinedNode): boolean => {
    const key = nodeKey(node);
    if (open.has(key)) return false;
    if (seen.has(key)) return true;
    if (seen.size >= mostNodes) return false;
    seen.add(key);
    open.add(key);
    stack.push({ node, key, next: successors(symbols, node, activations) });
    return true;
  };
  if (!enter(start)) return null;
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const next = top.next.pop();
    if (next !== undefined) {
      if (!enter(next)) return null;
      continue;
    }
    open.delete(top.key);
    result.push(top.node);
    stack.pop();
  }
  return result.reverse();
}

function successors(symbols: Symbols, node: InlinedNode, activations: number): InlinedNode[] {
  return nth(controlFlowOf(node.function).outgoing, node.location)
    .flatMap((edge) => {
      if (edge.operation.kind === "return" && node.context === null) {
        return node.function.id === symbols.program.initializer ? [entryNode(symbols)] : [];
      }
      return follow(symbols, node, edge, activations).map((successor) => successor.node);
    })
    .filter((next) => !isHead(next));
}
