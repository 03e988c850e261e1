import { type Block, encodeBlock, enumeratePaths, type Path } from "../../../src/cutpoints/block.ts";
import type { RunOptions } from "../../../src/interpreter/run.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import { loopsOf } from "../../../src/ir/loops.ts";
import type { Program } from "../../../src/ir/program.ts";
import type { Value } from "../../../src/logic/evaluate.ts";
import { isFalse, isTrue, type Term, type Variable } from "../../../src/logic/term.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import { freeVariablesOf, substitute } from "../../../src/logic/traverse.ts";
import { pointerHints } from "../../../src/recordedRun/executeTrace.ts";
import type { Activation } from "../../../src/recordedRun/run.ts";
import { runOf } from "../../../src/recordedRun/runOf.ts";
import type { Solver } from "../../../src/solver/solver.ts";
import { axiomsFor } from "../../../src/symbolic/createProver.ts";
import { type InlinedNode, nodeKey } from "../../../src/symbolic/followEdge.ts";
import { bodyEnvironment } from "../../../src/symbolic/stepEnvironment.ts";
import { type SymbolicState, valueOf } from "../../../src/symbolic/symbolicState.ts";
import { createSymbols, type Symbols, staticFrame } from "../../../src/symbolic/symbols.ts";

export type BlockLawResult = {
  readonly mismatches: string[];
  /** Steps from one cut point to the next that were checked. */
  checked: number;
  /** Wrong ends that were refuted: the encodings say something. */
  refuted: number;
  readonly notes: Set<string>;
};

const pathLimit = 200;

/**
 * The law: where a recorded run goes from one cut point to the next, the block (and one of the paths) between them allows
 * it: with the values of the run at both ends, what they say is satisfiable. An end with one value changed is allowed by
 * both or by neither.
 */
export function checkBlockLaw(program: Program, options: RunOptions, solver: Solver, moves: number): BlockLawResult {
  const trace = recordTrace(program, { maxSteps: 100_000, ...options });
  const result: BlockLawResult = { mismatches: [], checked: 0, refuted: 0, notes: new Set() };
  const activations = runOf(trace).activations({ from: 0, to: trace.steps, isTransparent: () => false });
  for (const activation of activations.filter(({ visits }) => visits.length > 1).slice(0, 2)) {
    solver.reset();
    checkActivation(trace, activation, solver, moves, result);
  }
  return result;
}

function checkActivation(trace: Trace, activation: Activation, solver: Solver, moves: number, result: BlockLawResult) {
  const symbols = createSymbols(trace.program, createTerms());
  const { loop, stack, frame, visits } = activation;
  const root: InlinedNode = { function: activation.function, location: loop.header, frame, context: null };
  const isInside = (node: InlinedNode) => node.frame !== frame || loop.body.has(node.location);
  const last = visits[visits.length - 1]!;
  const hints = pointerHints(symbols, runOf(trace), { step: last, location: loop.header, stack });
  const encode = (node: InlinedNode) =>
    hints.until((pointsTo) => {
      const note = ({ reason }: { reason: string }) => result.notes.add(reason);
      const environment = bodyEnvironment(symbols, trace.settings, { pointsTo, note });
      const { paths, isComplete } = enumeratePaths(symbols, node, { isInside, environment }, pathLimit);
      return {
        block: encodeBlock(symbols, node, { isInside, environment }),
        paths: isComplete ? paths : null,
      };
    });
  const encodings = new Map<string, { node: InlinedNode; block: Block; paths: readonly Path[] | null }>();
  const work = [root];
  for (let node = work.pop(); node !== undefined; node = work.pop()) {
    if (encodings.has(nodeKey(node))) continue;
    const { block, paths } = encode(node);
    encodings.set(nodeKey(node), { node, block, paths });
    work.push(...block.ends.map((end) => end.node));
  }
  const nodes = [...encodings.values()];
  const places = nodes.map(({ node, block }) => placesAt(symbols, node, activation, block));
  const samples = runOf(trace).sample(
    symbols,
    nodes.map(({ node }, i) => ({
      node,
      stack,
      terms: places[i]!,
      wanted: (step) => step >= visits[0]! && step <= last,
    })),
    last + 1,
  );
  const arrivals = samples
    .flatMap((list, i) =>
      list.map(({ step, values }) => ({ step, at: nodes[i]!, values: valueMap(places[i]!, values) })),
    )
    .sort((a, b) => a.step - b.step);
  for (let i = 0; i + 1 < arrivals.length && i < moves; i++) {
    const [before, after] = [arrivals[i]!, arrivals[i + 1]!];
    const what = `${before.at.node.function.name}: L${before.at.node.location} at step ${before.step} to L${after.at.node.location} at ${after.step}`;
    const { block, paths } = before.at;
    const end = block.ends.find(({ node }) => nodeKey(node) === nodeKey(after.at.node));
    if (end === undefined) {
      result.mismatches.push(`${what}: the block has no such end`);
      continue;
    }
    const ask = (
      ways: readonly { readonly formulas: readonly Term[]; readonly state: SymbolicState }[],
      values: ReadonlyMap<Variable, Value>,
    ) => ways.some(({ formulas, state }) => allows(symbols, solver, before.values, values, formulas, state));
    const byBlock = [{ formulas: [...block.definitions, end.guard], state: end.state }];
    const byPath = paths
      ?.filter((path) => nodeKey(path.end) === nodeKey(after.at.node))
      .map(({ assumptions, state }) => ({ formulas: assumptions, state }));
    result.checked++;
    if (!ask(byBlock, after.values)) result.mismatches.push(`${what}: the block does not allow it`);
    if (byPath !== undefined && !ask(byPath, after.values)) result.mismatches.push(`${what}: no path allows it`);
    const wrong = perturbed(after.values, i);
    if (wrong === null || byPath === undefined) continue;
    const allowed = ask(byBlock, wrong);
    if (!allowed) result.refuted++;
    if (allowed !== ask(byPath, wrong)) result.mismatches.push(`${what}: block and paths disagree about a wrong end`);
  }
}

function valueMap(places: readonly Variable[], values: readonly (Value | null)[]): ReadonlyMap<Variable, Value> {
  return new Map(places.flatMap((place, i) => (values[i] === null ? [] : [[place, values[i]!] as const])));
}

/** One integer changed, another one each time. */
function perturbed(values: ReadonlyMap<Variable, Value>, turn: number): ReadonlyMap<Variable, Value> | null {
  const integers = [...values].filter(([place, value]) => typeof value === "bigint" && !place.name.startsWith("&"));
  if (integers.length === 0) return null;
  const [place, value] = integers[(turn * 7) % integers.length]!;
  return new Map([...values, [place, value === 1n ? 0n : 1n]]);
}

/** Does the way allow this end from this start, with some values of what it leaves open? */
function allows(
  symbols: Symbols,
  solver: Solver,
  start: ReadonlyMap<Variable, Value>,
  end: ReadonlyMap<Variable, Value>,
  formulas: readonly Term[],
  state: SymbolicState,
): boolean {
  const { terms } = symbols;
  const goals: Term[] = [...formulas];
  for (const [place, value] of end) {
    const now = valueOf(symbols, state, place);
    if (typeof value === "bigint") goals.push(terms.eq(now, terms.int(value)));
    else if (typeof value === "object") {
      for (const [index, cell] of value.entries)
        goals.push(terms.eq(terms.select(now, terms.int(index)), terms.int(cell!)));
    }
  }
  const known = new Map<Variable, Term>();
  for (const variable of freeVariablesOf(goals)) {
    const value = start.get(variable);
    if (typeof value === "bigint") known.set(variable, terms.int(value));
    else if (typeof value === "object") {
      let array: Term = terms.variable(`${variable.name}^`, "Array");
      for (const [index, cell] of value.entries) array = terms.store(array, terms.int(index), terms.int(cell!));
      known.set(variable, array);
    }
  }
  // What is known of variables by their types must not contradict the values of the run.
  const axioms = axiomsFor(symbols, goals, new Set());
  const all = terms.all([...goals, ...axioms].map((formula) => substitute(terms, formula, known)));
  if (isTrue(all) || isFalse(all)) return isTrue(all);
  solver.push();
  try {
    solver.assert(all);
    const answer = solver.check([], { model: false });
    if (answer.kind === "unknown") throw new Error(`the solver does not know: ${answer.message}`);
    return answer.kind === "sat";
  } finally {
    solver.pop();
  }
}

/** All that is alive at a cut point: statics, the variables of the frames around it, and what the block speaks of. */
function placesAt(symbols: Symbols, node: InlinedNode, { stack }: Activation, block: Block): Variable[] {
  const { program } = symbols;
  const places = new Set<Variable>();
  const addVariable = (frame: number, id: number) => {
    const variable = program.variables[id]!;
    if (variable.storage === "register") places.add(symbols.register(frame, variable.id));
    else {
      const object = symbols.variableObject(frame, variable.id);
      places.add(object.base);
      for (const region of object.regions ?? []) places.add(symbols.region(object, region));
    }
  };
  for (const { kind, id } of program.variables) if (kind === "static") addVariable(staticFrame, id);
  const frames = stack.map(({ frame, function: fn }) => ({ frame, fn }));
  for (let inner: InlinedNode | null = node; inner !== null; inner = inner.context?.caller ?? null) {
    if (inner.context !== null) frames.push({ frame: inner.frame, fn: inner.function });
  }
  for (const { frame, fn } of frames) {
    for (const id of [...fn.parameters, ...fn.locals])
      if (program.variables[id]!.kind !== "static") addVariable(frame, id);
  }
  const spoken = [...block.definitions, ...block.ends.flatMap((end) => [end.guard, ...end.state.values.values()])];
  for (const variable of freeVariablesOf(spoken)) if (symbols.cellOf(variable) !== null) places.add(variable);
  for (const end of block.ends) {
    for (const place of end.state.values.keys()) if (symbols.cellOf(place)?.kind === "region") places.add(place);
  }
  return [...places];
}

export function hasLoop(program: Program): boolean {
  return program.functions.some((fn) => loopsOf(fn).loops.length > 0);
}
