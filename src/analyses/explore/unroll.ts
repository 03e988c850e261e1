import { nth } from "../../base/checked.ts";
import { unlessRefused } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { type Block, type BlockEnd, encodeBlock, type GuardNames, guardNames } from "../../cutpoints/block.ts";
import type { Edge } from "../../ir/program.ts";
import { isFalse, isTrue, type Term } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import { mergeStates, startOfProgram } from "../../symbolic/symbolicState.ts";
import { assumptionsOf, type SymbolicStep } from "../../symbolic/symbolicStep.ts";
import type { DrawnMemory } from "./confirm.ts";
import { append, cut, type Explorer, type Trail } from "./explorer.ts";
import { edgeKey } from "./target.ts";
import { drawnBy, inputsIn, type PathInput, startNode, successorsOf } from "./transfer.ts";

type Unrolling = {
  readonly ex: Explorer;
  /** Definitions of names and facts that hold by construction: one formula per round. */
  definitions: Trail<Term>;
  /** Those of the current round. */
  readonly names: GuardNames;
  /** In an order that every run keeps. */
  readonly reads: { readonly guard: Term; readonly input: PathInput }[];
  readonly drawn: { readonly guard: Term; readonly memory: DrawnMemory }[];
  met: { readonly edge: Edge; readonly function: number; readonly guard: Term }[];
  violated: { readonly formula: Term; readonly problem: string; readonly range: SourceRange }[];
};

/** Longer guards get a name, so that long ways do not cost quadratic time. */
const guardLimit = 8;

export function unroll(ex: Explorer, rounds: number): void {
  const { symbols } = ex;
  const { terms } = symbols;
  const names = guardNames(symbols, guardLimit);
  const all: Unrolling = { ex, definitions: null, names, reads: [], drawn: [], met: [], violated: [] };
  const define = () => {
    all.definitions = append(all.definitions, terms.all(names.definitions.splice(0)));
  };
  const start = { node: startNode(symbols), guard: terms.bool(true), state: startOfProgram(symbols) };
  let frontier: readonly BlockEnd[] = [start];
  for (let round = 0; frontier.length > 0; round++) {
    if (ex.cancellation.isCancelled() || ex.targets.open().length === 0) return incomplete(ex, "the time was up");
    if (round >= rounds) return incomplete(ex, `the limit of ${rounds} rounds was reached`);
    const ends = new Map<string, BlockEnd[]>();
    for (const merged of frontier) {
      const block = unlessRefused(() => followBlock(all, merged));
      if (block === null) return incomplete(ex, "a part of the program is too large to be merged");
      for (const end of block.ends) ends.set(nodeKey(end.node), [...(ends.get(nodeKey(end.node)) ?? []), end]);
    }
    define();
    checkTargets(all);
    frontier = [...ends.values()].flatMap((ways) => {
      const guard = names.named(terms.any(ways.map((way) => way.guard)));
      define();
      ex.counts.questions++;
      if (ex.feasibility.check(all.definitions, [guard]).kind === "infeasible") return [];
      return [{ node: nth(ways, 0).node, guard, state: mergeStates(symbols, ways) }];
    });
    ex.counts.deepest = Math.max(ex.counts.deepest, round + 1);
  }
}

function incomplete(ex: Explorer, reason: string): void {
  const { range } = nth(ex.symbols.program.functions, ex.symbols.program.entry);
  cut(ex, reason, range, "Allow more time or rounds.");
}

/** The code from a head to the next ones, and what all runs that go through it read, may reach and may violate. */
function followBlock(all: Unrolling, { node: start, guard: reached, state }: BlockEnd): Block {
  const { ex, names } = all;
  const { symbols } = ex;
  const { terms } = symbols;
  const { environment, happening } = ex.environment(all.reads.length);
  let guard = reached;
  let [last, read, allocated] = [start, 0, 0];
  ex.counts.states++;
  const block = encodeBlock(symbols, start, {
    isInside: ex.targets.isRelevant,
    environment,
    state,
    guard,
    names,
    visit(node, _edge, before) {
      guard = before.guard;
      if (node !== last) ex.counts.states++;
      last = node;
      return undefined;
    },
    follow: (node, edge) =>
      successorsOf(symbols, node, edge).map((successor) => ({
        ...successor,
        step(before, around) {
          const step = successor.step(before, around);
          learn(node.function.id, edge, step);
          for (const memory of drawnBy(symbols, node, edge, step.state, happening.allocated.slice(allocated))) {
            all.drawn.push({ guard, memory });
          }
          allocated = happening.allocated.length;
          return step;
        },
      })),
  });
  for (const { formula, problem, range, guard: here } of block.obligations) {
    if (isTrue(formula) || !(ex.strict || ex.targets.wantsProblem(problem))) continue;
    all.violated.push({ formula: terms.and(here, terms.not(formula)), problem, range });
  }
  for (const { reason, range } of happening.noted) cut(ex, `not exact: ${reason}`, range, "Explore a simpler program.");
  return block;

  /** Facts about all runs that reach a step. */
  function learn(fn: number, edge: Edge, step: SymbolicStep): void {
    for (const fact of step.facts) if (!isTrue(fact)) names.definitions.push(terms.implies(guard, fact));
    for (const input of happening.inputs.slice(read)) all.reads.push({ guard, input });
    read = happening.inputs.length;
    const taken = terms.all([guard, ...assumptionsOf(step)]);
    if (!isFalse(taken) && ex.targets.isOpenEdge(edgeKey(fn, edge.id)))
      all.met.push({ edge, function: fn, guard: taken });
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
    const found =
      answer.kind === "feasible" ? all.violated.find(({ formula }) => answer.model.satisfies(formula)) : undefined;
    const { problem, range } = found ?? nth(all.violated, 0);
    cut(ex, `something undefined may come before: ${problem}`, range, "Look for it with --property undefined.");
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
