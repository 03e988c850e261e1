import { nth, present } from "../base/checked.ts";
import type { InputValue } from "../interpreter/inputs.ts";
import { isFalse, isTrue, type Term, type Variable } from "../logic/term.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import type { Model } from "../solver/answers.ts";
import type { Solver } from "../solver/solver.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import { type Arrival, type HeadState, type Instance, instantiate, regionOf } from "./instance.ts";
import { type ProgramModel, termsOf } from "./programModel.ts";

/** The heads that are reached after some number of regions. A head may occur several times, with other values of its counters. */
export type Layer = readonly Arrival[];

export type UnrolledRegion = Instance & { readonly reached: Term };

/** An unrolling: each layer adds assertions to the solver. */
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
  /** The inputs that a run of the model reads, in order. */
  inputsIn(model: Model): readonly InputValue[];
  /** The values of memory that was never written, in a run of the model. */
  memoryIn(model: Model): UnwrittenMemory;
};

/** The value that begins at a byte of a variable's memory; undefined if nothing is known of it. */
export type UnwrittenMemory = (variable: number, offset: number) => InputValue | undefined;

/**
 * Starts at the start of the program, or, for the step of an induction, at any head with the given state and condition.
 * States that come to a head in one layer are merged there, apart from those that differ in numbers that are known.
 */
export function unroll(
  model: ProgramModel,
  solver: Pick<Solver, "assert">,
  from: Layer | null,
  known: Set<Variable>,
  assume: (head: string, state: HeadState, guard: Term) => readonly Term[] = () => [],
): Unrolling {
  const { terms } = model;
  const all: (readonly UnrolledRegion[])[] = [];
  let layer: Layer = from ?? [];
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
        : layer.map(({ head, guard, state }) => ({
            ...instantiate(model, regionOf(model, head), state),
            reached: guard,
          }));
    depth++;
    all.push(regions);
    tell(regions.flatMap(({ definitions }) => definitions));
    errors = terms.any(regions.flatMap((region) => region.errors.map(({ guard }) => terms.and(region.reached, guard))));
    undefinedIn = terms.any(regions.map((region) => terms.and(region.reached, region.undefinedIn)));
    const arrivals = new Map<string, Arrival[]>();
    for (const { exits, reached } of regions) {
      for (const { to, guard, next } of exits) {
        const taken = terms.and(reached, guard);
        if (isFalse(taken)) continue;
        arrivals.set(to, [...(arrivals.get(to) ?? []), { head: to, guard: taken, state: next }]);
      }
    }
    layer = [...arrivals].flatMap(([head, ways]) =>
      partsOf(model, head, ways).map((part) => joinArrivals(model, head, part, tell)),
    );
    for (const { head, state, guard } of layer) tell(assume(head, state, guard));
    // Questions about the layer may mention variables without axioms so far.
    const asked = [errors, undefinedIn, ...layer.map(({ guard }) => guard)];
    solver.assert(...axiomsFor(model.symbols, asked, known));
  };
  return {
    get errors() {
      return errors;
    },
    get undefinedIn() {
      return undefinedIn;
    },
    get frontier() {
      return terms.any(layer.map(({ guard }) => guard));
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

/** Runs that are at any one head, in any state: where the step of an induction starts. */
export function anyHead({ heads, symbols, terms }: ProgramModel): {
  readonly layer: Layer;
  readonly facts: readonly Term[];
} {
  const layer = [...heads.values()].map(({ key, live }) => ({
    head: key,
    guard: symbols.fresh("at", "condition"),
    state: new Map(live.map((place) => [place, place as Term])),
  }));
  const guards = layer.map(({ guard }) => guard);
  const apart = guards.flatMap((a, i) => guards.slice(i + 1).map((b) => terms.not(terms.and(a, b))));
  return { layer, facts: [terms.any(guards), ...apart] };
}

/** By variable and part of it, what the first region takes from memory that nothing was written to. */
function unwritten(model: ProgramModel, first: readonly UnrolledRegion[], solution: Model): UnwrittenMemory {
  const { symbols, terms } = model;
  const known = freeVariablesOf(first.flatMap(termsOf)).flatMap((variable) => {
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

/** The inputs that a region reads on the way that the model takes. */
function inputsOf(solution: Model, { inputs, reached }: UnrolledRegion, yes: Term): readonly InputValue[] {
  if (reached !== yes && solution.evaluate(reached) !== true) return [];
  return inputs.flatMap(({ variable, guard }) => {
    if (solution.evaluate(guard) !== true) return [];
    const value = solution.evaluate(variable);
    return [typeof value === "bigint" ? value : 0n];
  });
}

/** A head is in a layer at most so many times. */
const mostParts = 8;
/** Values that are larger get a name, so that what is behind them does not repeat what is before. */
const mostNodes = 60;

/**
 * Runs that come to a head in one layer with other numbers or addresses in some place, such as a counter, are kept apart as
 * long as they are few: behind them, what depends on that place is computed and not asked. Where they are too many, the
 * places with the most values no longer count.
 */
export function partsOf(model: ProgramModel, head: string, ways: readonly Arrival[]): readonly (readonly Arrival[])[] {
  if (ways.length === 1) return [ways];
  const columns = present(model.heads.get(head))
    .live.map((place) =>
      ways.map(({ state }) => (isKnown(model, present(state.get(place))) ? present(state.get(place)).id : -1)),
    )
    .filter((column) => new Set(column).size > 1)
    .sort((a, b) => new Set(a).size - new Set(b).size);
  for (;;) {
    const parts = new Map<string, Arrival[]>();
    ways.forEach((way, i) => {
      const key = columns.map((column) => column[i]).join(",");
      parts.set(key, [...(parts.get(key) ?? []), way]);
    });
    if (parts.size <= mostParts) return [...parts.values()];
    columns.pop();
  }
}

/** A number, or an address in an object. */
function isKnown({ symbols }: ProgramModel, value: Term): boolean {
  if (value.kind === "int") return true;
  const base = value.kind === "sum" && value.monomials.length === 1 ? nth(value.monomials, 0).term : value;
  return base.kind === "variable" && symbols.objectWithBase(base) !== null;
}

/** The state in which runs are that come on one of these ways. */
export function joinArrivals(
  model: ProgramModel,
  head: string,
  ways: readonly Arrival[],
  tell: (formulas: readonly Term[]) => void,
): Arrival {
  const { terms, symbols } = model;
  const taken = terms.any(ways.map((way) => way.guard));
  // A run without inputs is followed by computing alone: what is known stays known.
  const guard = taken.kind === "bool" ? taken : symbols.fresh("reached", "condition");
  const facts: Term[] = taken.kind === "bool" ? [] : [terms.iff(guard, taken)];
  const state = new Map<Variable, Term>();
  for (const place of present(model.heads.get(head)).live) {
    const values = ways.map((way) => present(way.state.get(place)));
    const [first] = values;
    const isSame = values.every((value) => value === first);
    if (isSame && (isTrue(taken) || postOrder([first!]).length <= mostNodes)) {
      state.set(place, first!);
      continue;
    }
    const name = symbols.version(place);
    state.set(place, name);
    ways.forEach((way, i) => {
      facts.push(terms.implies(way.guard, terms.eq(name, nth(values, i))));
    });
  }
  tell(facts);
  return { head, guard, state };
}
