import { freeVariablesOf } from "../logic/freeVariables.ts";
import { isFalse, isTrue, type Term, type Variable } from "../logic/term.ts";
import type { Model } from "../solver/model.ts";
import type { Solver } from "../solver/solver.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import type { InputValue } from "../trace/inputs.ts";
import { type HeadState, type Instance, instantiate, regionOf } from "./instance.ts";
import type { ProgramModel } from "./programModel.ts";

/** The heads that are reached after so many regions, each with the condition and the state of those runs. */
export type Layer = ReadonlyMap<string, { readonly guard: Term; readonly state: HeadState }>;

export type UnrolledRegion = Instance & { readonly reached: Term };

/** An unrolling: what is asserted in the solver grows with every layer. */
export type Unrolling = {
  /** Conditions under which the regions of the last layer reach an error. */
  readonly errors: Term;
  /** Conditions under which they do something undefined that is no error. */
  readonly undefinedIn: Term;
  /** Condition under which a run goes on behind it. */
  readonly frontier: Term;
  readonly layer: Layer;
  readonly depth: number;
  /** Asserts the next layer. */
  step(): void;
  /** What a run of the model reads from outside, in order. */
  inputsIn(model: Model): readonly InputValue[];
  /** What it takes memory to hold that nothing was written to when the program starts. */
  memoryIn(model: Model): UnwrittenMemory;
};

/** What a byte of a variable's memory begins, or undefined where nothing is known of it. */
export type UnwrittenMemory = (variable: number, offset: number) => InputValue | undefined;

/**
 * Starts at the start of the program, or, for the step of an induction, at any head with the given state and condition.
 * States that come to a head in one layer are merged there.
 */
export function unroll(
  model: ProgramModel,
  solver: Solver,
  from: Layer | null,
  known: Set<Variable>,
  assume: (head: string, state: HeadState, guard: Term) => readonly Term[] = () => [],
): Unrolling {
  const { terms } = model;
  const all: (readonly UnrolledRegion[])[] = [];
  let layer: Layer = from ?? new Map();
  let errors: Term = terms.bool(false);
  let undefinedIn: Term = terms.bool(false);
  let depth = 0;
  const tell = (formulas: readonly Term[]) => {
    const wanted = formulas.filter((formula) => formula.kind !== "bool" || !formula.value);
    solver.assert(...axiomsFor(model.symbols, wanted, known), ...wanted);
  };
  const step = () => {
    const regions: UnrolledRegion[] =
      depth === 0 && from === null
        ? [{ ...instantiate(model, regionOf(model, null), null), reached: terms.bool(true) }]
        : [...layer].map(([head, { guard, state }]) => ({
            ...instantiate(model, regionOf(model, head), state),
            reached: guard,
          }));
    depth++;
    all.push(regions);
    tell(regions.flatMap(({ definitions }) => definitions));
    errors = terms.any(regions.flatMap((region) => region.errors.map(({ guard }) => terms.and(region.reached, guard))));
    undefinedIn = terms.any(regions.map((region) => terms.and(region.reached, region.undefinedIn)));
    const arrivals = new Map<string, { guard: Term; state: HeadState }[]>();
    for (const { exits, reached } of regions) {
      for (const { to, guard, next } of exits) {
        const taken = terms.and(reached, guard);
        if (isFalse(taken)) continue;
        arrivals.set(to, [...(arrivals.get(to) ?? []), { guard: taken, state: next }]);
      }
    }
    layer = new Map([...arrivals].map(([head, ways]) => [head, join(model, head, ways, tell)]));
    for (const [head, { guard, state }] of layer) tell(assume(head, state, guard));
  };
  return {
    get errors() {
      return errors;
    },
    get undefinedIn() {
      return undefinedIn;
    },
    get frontier() {
      return terms.any([...layer.values()].map(({ guard }) => guard));
    },
    get layer() {
      return layer;
    },
    get depth() {
      return depth;
    },
    step,
    memoryIn: (solution) => unwritten(model, all[0] ?? [], solution),
    inputsIn: (solution) =>
      all.flatMap((regions) => regions.flatMap((region) => inputsOf(solution, region, terms.bool(true)))),
  };
}

/** By variable and part of it, what the first region takes from memory that nothing was written to. */
function unwritten(model: ProgramModel, first: readonly UnrolledRegion[], solution: Model): UnwrittenMemory {
  const { symbols, terms } = model;
  const formulas = first.flatMap(({ exits, errors, definitions }) => [
    ...definitions,
    ...errors.map(({ guard }) => guard),
    ...exits.flatMap(({ guard, next }) => [guard, ...next.values()]),
  ]);
  const known = freeVariablesOf(formulas).flatMap((variable) => {
    const place = symbols.placeOfLeftover(variable);
    const cell = place === null ? null : symbols.cellOf(place);
    if (cell?.kind !== "region" || cell.object.origin.kind !== "variable") return [];
    return [{ variable, region: cell.region, of: cell.object.origin.variable as number }];
  });
  return (of, offset) => {
    for (const { variable, region, of: owner } of known) {
      if (
        owner !== of ||
        (region.stride === 0 ? offset !== region.offset : (offset - region.offset) % region.stride !== 0)
      ) {
        continue;
      }
      const index = region.stride === 0 ? 0 : (offset - region.offset) / region.stride;
      if (index < 0) continue;
      const value = solution.evaluate(
        variable.sort === "Array" ? terms.select(variable, terms.int(BigInt(index))) : variable,
      );
      if (typeof value === "bigint") return value;
    }
    return undefined;
  };
}

/** Names for the state, so that what is behind it does not repeat what is before it. */
function join(
  model: ProgramModel,
  head: string,
  ways: readonly { readonly guard: Term; readonly state: HeadState }[],
  tell: (formulas: readonly Term[]) => void,
): { readonly guard: Term; readonly state: HeadState } {
  const { terms, symbols } = model;
  const taken = terms.any(ways.map((way) => way.guard));
  // A run without inputs is followed by computing alone: what is known stays known.
  const guard = taken.kind === "bool" ? taken : symbols.fresh("reached", "condition");
  const facts: Term[] = taken.kind === "bool" ? [] : [terms.iff(guard, taken)];
  const state = new Map<Variable, Term>();
  for (const place of model.heads.get(head)!.live) {
    const values = ways.map((way) => way.state.get(place)!);
    const [first] = values;
    const isSame = values.every((value) => value === first);
    const isKnown = first!.kind === "variable" || first!.kind === "int" || (first!.sort === "Array" && isTrue(taken));
    if (isSame && isKnown) {
      state.set(place, first!);
      continue;
    }
    const name = symbols.version(place);
    state.set(place, name);
    ways.forEach((way, i) => {
      facts.push(terms.implies(way.guard, terms.eq(name, values[i]!)));
    });
  }
  tell(facts);
  return { guard, state };
}

/** What a region reads on the way that the model takes. */
function inputsOf(solution: Model, { inputs, reached }: UnrolledRegion, yes: Term): readonly InputValue[] {
  if (reached !== yes && solution.evaluate(reached) !== true) return [];
  return inputs.flatMap(({ variable, guard }) => {
    if (solution.evaluate(guard) !== true) return [];
    const value = solution.evaluate(variable);
    return [typeof value === "bigint" ? value : 0n];
  });
}
