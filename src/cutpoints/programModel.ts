import { nth, present } from "../base/checked.ts";
import type { Program } from "../ir/program.ts";
import type { Term, Variable } from "../logic/term.ts";
import { createTerms, type Terms } from "../logic/terms.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import type { InlinedNode } from "../symbolic/followEdge.ts";
import type { Approximation } from "../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState, startOfProgram, writeAll } from "../symbolic/symbolicState.ts";
import { createSymbols, type Symbols } from "../symbolic/symbols.ts";
import type { BlockInput, GuardedObligation, Merge } from "./block.ts";
import { wrapsAsCases } from "./certificate.ts";
import type { ArithmeticMode, Property, Question } from "./obligation.ts";
import { EnteredLoop, type ErrorWay, encodeRegion, type Region } from "./region.ts";
import {
  createRegionContext,
  type Hole,
  initializerFrame,
  type RegionContext,
  type Unproved,
} from "./regionContext.ts";

/** The head of a loop, in the frame of one chain of calls. */
export type Head = {
  readonly key: string;
  readonly node: InlinedNode;
  /** Places that the code behind it may read: invariants speak of these. */
  readonly live: readonly Variable[];
  /** Places that have one value whenever the run comes here; they are part of every certificate. */
  readonly fixed: ReadonlyMap<Variable, Term>;
};

/** One region of the program: from its start (`from` null) or the head of a loop to the next heads. */
export type ModelRegion = {
  readonly from: string | null;
  readonly exits: readonly ModelExit[];
  readonly errors: readonly ErrorWay[];
  readonly definitions: readonly Term[];
  readonly inputs: readonly BlockInput[];
  readonly assumed: readonly GuardedObligation[];
};

export type ModelExit = {
  readonly to: string;
  readonly guard: Term;
  /** The values of the places that are live at the target. */
  readonly next: ReadonlyMap<Variable, Term>;
};

/** All that a region says. */
export function termsOf({
  definitions,
  errors,
  exits,
}: Pick<ModelRegion, "definitions" | "errors" | "exits">): readonly Term[] {
  return [
    ...definitions,
    ...errors.map(({ guard }) => guard),
    ...exits.flatMap(({ guard, next }) => [guard, ...next.values()]),
  ];
}

/** A program as a system of regions between loop heads: what every engine works on. */
export type ProgramModel = {
  readonly program: Program;
  readonly property: Property;
  readonly arithmetic: ArithmeticMode;
  readonly symbols: Symbols;
  readonly terms: Terms;
  readonly heads: ReadonlyMap<string, Head>;
  readonly regions: readonly ModelRegion[];
  readonly holes: readonly Hole[];
  readonly approximations: readonly Approximation[];
  readonly unproved: readonly Unproved[];
};

export type ModelOptions = Question & {
  /** Another way to merge states where ways meet: the checker has its own. */
  readonly merge?: (context: RegionContext) => Merge;
  /** Fixed values at the heads, from the equations of a certificate; without it they are searched for. */
  readonly fixed?: (terms: Terms, symbols: Symbols, head: string) => ReadonlyMap<Variable, Term>;
  /** Keys of locations at which regions end, beside loop heads. */
  readonly cuts?: ReadonlySet<string>;
  readonly isCut?: (node: InlinedNode) => boolean;
  /** Places whose values are wanted at a head although nothing behind it reads them. */
  readonly mentioned?: (terms: Terms, head: string) => readonly Variable[];
};

export function buildModel(program: Program, options: ModelOptions): ProgramModel {
  const entered = new Set<string>();
  const placeOf = ({ function: fn, location }: InlinedNode) => `${fn.id}:${location}`;
  for (;;) {
    try {
      return buildCut(program, {
        ...options,
        isCut: (node) => entered.has(placeOf(node)) || (options.isCut?.(node) ?? false),
      });
    } catch (error) {
      if (!(error instanceof EnteredLoop)) throw error;
      entered.add(placeOf(error.node));
    }
  }
}

function buildCut(program: Program, options: ModelOptions): ProgramModel {
  const terms = createTerms();
  const symbols = createSymbols(program, terms, { unbounded: options.arithmetic === "unbounded" });
  const context = createRegionContext(symbols, options, options.cuts, options.isCut);
  const merge = options.merge?.(context);
  const encodeFrom = (node: InlinedNode, fixed: ReadonlyMap<Variable, Term>, isStart: boolean): Region => {
    context.setStart(isStart);
    const state = isStart ? startOfProgram(symbols) : writeAll(originState, [...fixed]);
    return encodeRegion(context, node, state, merge);
  };
  const given = options.fixed;
  const found = findRegions(context, encodeFrom, given === undefined ? null : (key) => given(terms, symbols, key));
  const cases = options.merge === undefined ? wrapsAsCases(terms, symbols.range) : (term: Term) => term;
  const mentioned = (key: string) => options.mentioned?.(terms, key) ?? [];
  const { regions, live } = selectLive(context, found, cases, mentioned);
  const heads = new Map<string, Head>();
  for (const [key, { node, fixed }] of found.heads) {
    heads.set(key, { key, node, fixed, live: [...(live.get(key) ?? [])] });
  }
  return {
    program,
    property: options.property,
    arithmetic: options.arithmetic ?? "stop",
    symbols,
    terms,
    heads,
    regions,
    holes: [...context.holes.values()],
    approximations: [...context.approximations.values()],
    unproved: [...context.unproved.values()],
  };
}

type FoundHead = { readonly node: InlinedNode; readonly fixed: ReadonlyMap<Variable, Term>; region: Region | null };
type Found = { readonly start: Region; readonly heads: Map<string, FoundHead> };

/**
 * Encodes the regions that can be reached, with what is fixed at their heads: a place that every way into a head leaves with
 * the same number or address. Begins with what the first way says and takes back what another one contradicts.
 */
function findRegions(
  context: RegionContext,
  encodeFrom: (node: InlinedNode, fixed: ReadonlyMap<Variable, Term>, isStart: boolean) => Region,
  given: ((key: string) => ReadonlyMap<Variable, Term>) | null,
): Found {
  const { program } = context.symbols;
  const initializer = nth(program.functions, program.initializer);
  const first = { function: initializer, location: initializer.entry, frame: initializerFrame, context: null };
  const start = encodeFrom(first, new Map(), true);
  const heads = new Map<string, FoundHead>();
  const work: string[] = [];
  const arrive = ({ ends }: Region) => {
    for (const { node, state } of ends) {
      const key = context.keyOf(node);
      const known = heads.get(key);
      if (known === undefined) {
        const fixed = given === null ? fixedIn(context, state) : given(key);
        heads.set(key, { node, fixed, region: null });
        work.push(key);
      } else if (given === null) {
        const kept = new Map([...known.fixed].filter(([place, value]) => isStill(context, state, place, value)));
        if (kept.size === known.fixed.size) continue;
        heads.set(key, { node, fixed: kept, region: null });
        work.push(key);
      }
    }
  };
  arrive(start);
  for (let key = work.pop(); key !== undefined; key = work.pop()) {
    const head = present(heads.get(key));
    if (head.region !== null) continue;
    head.region = encodeFrom(head.node, head.fixed, false);
    arrive(head.region);
  }
  return { start, heads };
}

/** Numbers, and addresses of what is there for the whole run. */
function fixedIn(context: RegionContext, state: SymbolicState): ReadonlyMap<Variable, Term> {
  const fixed = new Map<Variable, Term>();
  for (const [place, value] of state.values) {
    if (place.sort !== "Int" || !isFixed(context, place, value)) continue;
    if (isStill(context, state, place, value)) fixed.set(place, value);
  }
  return fixed;
}

/** Does the place have the value in this state, too, and is an address in it still that of the same object? */
function isStill(context: RegionContext, state: SymbolicState, place: Variable, value: Term): boolean {
  if (context.valueOf(state, place) !== value) return false;
  return freeVariablesOf([value]).every((base) => context.valueOf(state, base) === base);
}

function isFixed({ symbols, lasting }: RegionContext, place: Variable, value: Term): boolean {
  if (value.kind === "int") return true;
  const cell = symbols.cellOf(place);
  if (cell?.kind === "size") return false;
  const parts = value.kind === "sum" ? value.monomials : [{ coefficient: 1n, term: value }];
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0 || part.coefficient !== 1n || part.term.kind !== "variable") return false;
  const object = symbols.objectWithBase(part.term);
  if (object === null || object.base !== part.term || value === place) return false;
  return object.origin.kind !== "heap" || lasting.has(object);
}

/** Which places are read behind each head, and the regions reduced to these. */
function selectLive(
  context: RegionContext,
  { start, heads }: Found,
  cases: (term: Term) => Term,
  mentioned: (key: string) => readonly Variable[],
): { regions: ModelRegion[]; live: ReadonlyMap<string, ReadonlySet<Variable>> } {
  const { symbols } = context;
  const isPlace = (variable: Variable) => {
    const cell = symbols.cellOf(variable);
    if (cell === null) return false;
    const object = "object" in cell ? cell.object : null;
    // Blocks of a region are gone, for the logic, at its end.
    return object === null || object.origin.kind !== "heap" || context.lasting.has(object);
  };
  const live = new Map<string, Set<Variable>>([...heads.keys()].map((key) => [key, new Set(mentioned(key))]));
  const entries = [...heads].map(([key, { region, fixed }]) => ({ key, region: region!, fixed }));
  const own = new Map<string, readonly Variable[]>();
  for (const { key, region } of entries) {
    const formulas = [
      ...region.definitions,
      ...region.ends.map(({ guard }) => guard),
      ...region.errors.map(({ guard }) => guard),
      ...region.assumed.flatMap(({ guard, formula }) => [guard, formula]),
    ];
    own.set(key, freeVariablesOf(formulas).filter(isPlace));
  }
  for (let changed = true; changed; ) {
    changed = false;
    for (const { key, region } of entries) {
      const here = present(live.get(key));
      const before = here.size;
      for (const variable of present(own.get(key))) here.add(variable);
      for (const end of region.ends) {
        const values = [...present(live.get(context.keyOf(end.node)))].map((place) =>
          context.valueOf(end.state, place),
        );
        for (const variable of freeVariablesOf(values)) if (isPlace(variable)) here.add(variable);
      }
      if (here.size > before) changed = true;
    }
  }
  for (const { key, fixed } of entries) for (const place of fixed.keys()) present(live.get(key)).add(place);
  const reduced = (from: string | null, region: Region): ModelRegion => ({
    from,
    definitions: region.definitions.map(cases),
    inputs: region.inputs.map(({ variable, guard }) => ({ variable, guard: cases(guard) })),
    errors: region.errors.map((error) => ({ ...error, guard: cases(error.guard) })),
    assumed: region.assumed.map((one) => ({ ...one, guard: cases(one.guard), formula: cases(one.formula) })),
    exits: region.ends.map(({ node, guard, state }) => ({
      to: context.keyOf(node),
      guard: cases(guard),
      next: new Map(
        [...present(live.get(context.keyOf(node)))].map((place) => [place, cases(context.valueOf(state, place))]),
      ),
    })),
  });
  return { regions: [reduced(null, start), ...entries.map(({ key, region }) => reduced(key, region))], live };
}
