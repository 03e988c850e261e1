import { type Cancellation, neverCancelled, throwIfCancelled } from "../base/cancellation.ts";
import { nth } from "../base/checked.ts";
import { isBranch } from "../ir/branches.ts";
import type { Edge, Function, LocationId } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import { evaluate } from "../logic/evaluate.ts";
import { createKnownValues } from "../logic/knownValues.ts";
import { isTrue, type Term, type Variable } from "../logic/term.ts";
import { freeVariables, freeVariablesOf, substitute } from "../logic/traverse.ts";
import type { Approximation } from "../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState, startOfProgram } from "../symbolic/symbolicState.ts";
import type { Cell, Symbols } from "../symbolic/symbols.ts";
import { controlStack } from "./decidingCondition.ts";
import { assumedOnWay, executeTrace, traceEnvironment } from "./executeTrace.ts";
import type { FoldedLoop, FoldedRun, Stretch } from "./foldedRun.ts";
import type { LiveFrame, Run, TraceStep } from "./run.ts";
import { movedPointer, type Target } from "./target.ts";

/**
 * A folded run as a sequence of transitions over versions of the program's places (003 §3): each write makes a new
 * version. A transition that is left out leaves the versions it would have defined unknown.
 */
export type Transition = {
  /** Position in the sequence. */
  readonly index: number;
  readonly origin: TransitionOrigin;
  /** The relation between the versions before and after the transition. */
  readonly formula: Term;
  /** The versions that it defines. */
  readonly writes: readonly { readonly place: Variable; readonly version: Variable }[];
};

export type TransitionOrigin =
  /** A static variable's value before the first step. */
  | { readonly kind: "initial"; readonly place: Variable }
  | {
      readonly kind: "step";
      readonly step: number;
      readonly edge: Edge;
      readonly function: Function;
      /** The live frames at the step. */
      readonly stack: readonly LiveFrame[];
      readonly depth: number;
    }
  | { readonly kind: "fold"; readonly fold: FoldedLoop; readonly function: Function; readonly depth: number };

export type TraceFormula = {
  readonly transitions: readonly Transition[];
  /** The formula that the whole run implies, over the last versions. */
  readonly target: Term;
  readonly placeOf: ReadonlyMap<Variable, Variable>;
  readonly approximations: readonly Approximation[];
  /** The variable says that a branch went the run's way: no place of the program. */
  isTaken(variable: Variable): boolean;
};

export type FormulaOptions = FlowOptions & {
  /** A formula of half a run is of no use: making it is given up once it is cancelled. */
  readonly cancellation?: Cancellation;
};

export type FlowOptions = {
  /**
   * A statement has its effect only if the branches that it is control dependent on went its way, and those are no
   * assumptions but follow from what comes before them.
   */
  readonly flowSensitive?: boolean;
};

const distanceType: ScalarType = { kind: "int", name: "long", bits: 64, signed: true };

/**
 * The folded run as transitions. A folded loop is one of them: if its invariant held before, it holds after, and what the
 * loop writes is unknown.
 */
export function traceFormula(
  symbols: Symbols,
  folded: FoldedRun,
  { flowSensitive = false, cancellation = neverCancelled }: FormulaOptions = {},
): TraceFormula {
  throwIfCancelled(cancellation, "translating the run");
  const builder = createBuilder(symbols, folded.run, flowSensitive, cancellation);
  for (const part of folded.parts) {
    if (part.kind === "fold") builder.fold(part);
    else builder.stretch(part);
  }
  return builder.finish(folded.target);
}

function createBuilder(symbols: Symbols, run: Run, flowSensitive: boolean, cancellation: Cancellation) {
  const { terms } = symbols;
  const transitions: Omit<Transition, "index">[] = [];
  const placeOf = new Map<Variable, Variable>();
  const approximations: Approximation[] = [];
  const note = (approximation: Approximation) => {
    approximations.push(approximation);
  };
  const known = createKnownValues();
  for (const [place, value] of startOfProgram(symbols).values) {
    const start = evaluate(value, () => undefined);
    if (start !== null) known.assume(place, start);
  }
  const heldOnRun = (condition: Term) => evaluate(condition, known.assignment) as boolean | null;
  const environmentOf = (isWholeRun: boolean) =>
    traceEnvironment(symbols, run, { isWholeRun, pointsTo: () => [], note, heldOnRun });
  // With the same inputs library calls do what they did, until a folded loop leaves open what they are given.
  let environment = environmentOf(true);
  let state: SymbolicState = originState;
  let stack: readonly LiveFrame[] = [];
  const control = controlStack(terms);
  /** Pointers that were null at some time, so that what facts say of them has to be kept up; and their null versions. */
  const nulls = new Set<Variable>();
  const isNull = (value: Term) =>
    (value.kind === "int" && value.value === 0n) || (value.kind === "variable" && nulls.has(value));
  /** Versions that depend on what a folded loop wrote. */
  const unknown = new Set<Variable>();

  const versionOf = (place: Variable): Variable => {
    const version = symbols.version(place);
    placeOf.set(version, place);
    return version;
  };

  const oneStep = (traced: TraceStep) => {
    throwIfCancelled(cancellation, "translating the run");
    const before = state;
    const top = nth(stack, stack.length - 1);
    const depth = stack.length - 1;
    const guard = flowSensitive ? control.guardAt(top, depth, traced.edge.from) : terms.bool(true);
    const live = stack;
    const after = executeTrace(symbols, [traced], { state, stack }, environment);
    stack = after.stack;
    let { values } = after.state;
    const parts: Term[] = [...assumedOnWay(after)];
    const writes: { place: Variable; version: Variable }[] = [];
    for (const [place, value] of values.changesSince(before.values)) {
      // Addresses are those of this run: a pointer is its value, so that what it points to stays known. Null points nowhere.
      const isAddress = isPointer(symbols.cellOf(place)) && !isNull(value);
      if (isAddress && !nulls.has(place)) {
        const moved = movedPointer(symbols, after.state, traced.edge.operation, place, value);
        if (moved === null) continue;
        const version = symbols.fresh(moved.distance.name, distanceType);
        placeOf.set(version, moved.distance);
        values = values.set(place, moved.at(version));
        writes.push({ place: moved.distance, version });
        parts.push(terms.eq(version, moved.elements));
        continue;
      }
      const version = versionOf(place);
      if (isPointer(symbols.cellOf(place))) nulls.add(place);
      if (isPointer(symbols.cellOf(place)) && !isAddress) nulls.add(version);
      if (!isAddress) values = values.set(place, version);
      writes.push({ place, version });
      parts.push(place.sort === "Bool" ? terms.iff(version, value) : terms.eq(version, value));
    }
    state = { values, clobbers: after.state.clobbers };
    const isOpen = freeVariablesOf(parts).some((variable) => unknown.has(variable));
    if (isOpen) for (const { version } of writes) unknown.add(version);
    // A value that a folded loop left unknown decides nothing: such a branch stays an assumption.
    if (flowSensitive && isBranch(traced.edge) && !isOpen) {
      const taken = control.branch(top, depth, traced);
      writes.push({ place: taken, version: taken });
      parts.splice(0, parts.length, terms.iff(taken, terms.and(guard, ...parts)));
    }
    const formula = writes.some(({ version }) => control.isTaken(version))
      ? terms.all(parts)
      : terms.implies(guard, terms.all(parts));
    if (isTrue(formula)) return;
    known.learn(formula);
    transitions.push({
      origin: { kind: "step", step: traced.step, edge: traced.edge, function: top.function, stack: live, depth },
      formula,
      writes,
    });
  };

  return {
    stretch({ stack: live, steps }: Stretch) {
      if (stack.length === 0) stack = live;
      for (const traced of steps) oneStep(traced);
    },
    fold(fold: FoldedLoop) {
      environment = environmentOf(false);
      const before = versions(terms, state, fold.entry);
      let { values } = state;
      const writes: { place: Variable; version: Variable }[] = [];
      const havoc = new Set(fold.written);
      if (fold.writesAnyMemory) {
        for (const place of values.keys()) if (symbols.cellOf(place)?.kind === "region") havoc.add(place);
        for (const place of freeVariablesOf(fold.exit)) {
          if (symbols.cellOf(place)?.kind === "region") havoc.add(place);
        }
      }
      for (const place of havoc) {
        const version = versionOf(place);
        unknown.add(version);
        values = values.set(place, version);
        writes.push({ place, version });
      }
      const clobbers = fold.writesAnyMemory
        ? [...state.clobbers, { condition: terms.bool(true), tag: symbols.tag() }]
        : state.clobbers;
      state = { values, clobbers };
      const after = versions(terms, state, fold.exit);
      const top = nth(stack, stack.length - 1);
      const guard = flowSensitive
        ? control.guardAt(top, stack.length - 1, fold.activation.loop.header)
        : terms.bool(true);
      transitions.push({
        origin: { kind: "fold", fold, function: top.function, depth: stack.length - 1 },
        formula: terms.implies(terms.and(guard, ...before), terms.all(after)),
        writes,
      });
    },
    finish(target: Target): TraceFormula {
      const top = stack[stack.length - 1];
      const location = locationAt(run, target.step);
      const guard =
        flowSensitive && top !== undefined ? control.guardAt(top, stack.length - 1, location) : terms.bool(true);
      const unnoted = traceEnvironment(symbols, run, { pointsTo: () => [], note: () => {} });
      const formula = terms.and(guard, target.formula(symbols, { state, stack }, unnoted(target.step)));
      const initial = initialValues(symbols, [...transitions.map((transition) => transition.formula), formula]);
      return {
        transitions: [...initial, ...transitions].map((transition, index) => ({ ...transition, index })),
        target: formula,
        placeOf,
        approximations,
        isTaken: control.isTaken,
      };
    },
  };
}

/** The formulas with the current version of each place. */
function versions(terms: Symbols["terms"], state: SymbolicState, formulas: readonly Term[]): Term[] {
  const substitution = new Map<Variable, Term>();
  for (const place of freeVariablesOf(formulas)) {
    const value = state.values.get(place);
    if (value !== undefined) substitution.set(place, value);
  }
  return formulas.map((formula) => substitute(terms, formula, substitution));
}

/**
 * Statics that are read before they are written: zero, or a string literal's bytes. By name, because a checker that makes
 * the same formula from other terms has to find each transition at the same position.
 */
function initialValues(symbols: Symbols, formulas: readonly Term[]): Omit<Transition, "index">[] {
  const start = startOfProgram(symbols).values;
  const places = freeVariablesOf(formulas).toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return places.flatMap((place) => {
    const value = start.get(place);
    if (value === undefined) return [];
    return [
      {
        origin: { kind: "initial", place },
        formula: symbols.terms.eq(place, value),
        writes: [{ place, version: place }],
      },
    ];
  });
}

function isPointer(cell: Cell | null): boolean {
  if (cell?.kind === "register") return cell.type.kind === "pointer";
  return cell?.kind === "region" && cell.region.type.kind === "pointer";
}

/** The location of the run before a step; null after its end. */
export function locationAt(run: Run, step: number): LocationId | null {
  const edge = run.between(step, step + 1).steps[0]?.edge;
  if (edge !== undefined) return edge.from;
  const { outcome, program } = run;
  if (outcome.kind !== "undefined-behaviour") return null;
  return nth(nth(program.functions, outcome.at.function).edges, outcome.at.edge).from;
}

/** Which transition defines each version, for walking from what is used to where it comes from. */
export type Support = {
  /** The transitions before `position` that the variables of the roots depend on, in order; branches are not among them. */
  definitions(roots: readonly Term[], position: number): readonly Transition[];
  /** The same with every branch before `position`, and what the branches depend on. */
  everything(roots: readonly Term[], position: number): readonly Transition[];
};

export function supportOf(formula: TraceFormula): Support {
  const definition = new Map<Variable, Transition>();
  for (const transition of formula.transitions) {
    for (const { version } of transition.writes) definition.set(version, transition);
  }
  const branches = formula.transitions.filter(({ writes }) => writes.length === 0);

  const closure = (roots: readonly Term[], start: readonly Transition[], position: number): readonly Transition[] => {
    const needed = new Set<Transition>(start);
    const work: Term[] = [...roots, ...start.map((transition) => transition.formula)];
    for (let root = work.pop(); root !== undefined; root = work.pop()) {
      for (const variable of freeVariables(root)) {
        const transition = definition.get(variable);
        if (transition === undefined || transition.index >= position || needed.has(transition)) continue;
        needed.add(transition);
        work.push(transition.formula);
      }
    }
    return [...needed].sort((a, b) => a.index - b.index);
  };

  return {
    definitions: (roots, position) => closure(roots, [], position),
    everything: (roots, position) =>
      closure(
        roots,
        branches.filter(({ index }) => index < position),
        position,
      ),
  };
}
