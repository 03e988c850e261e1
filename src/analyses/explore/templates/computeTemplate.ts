import { nth, present } from "../../../base/checked.ts";
import { conjuncts, type Term, type Variable } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { freeVariables, substitute } from "../../../logic/traverse.ts";
import type { InlinedNode } from "../../../symbolic/followEdge.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { LoopCore } from "../explorer.ts";
import { cellsAfter, cellsWritten, type WrittenCells, writtenCells } from "./cells.ts";
import { findClosedForms, inRound, type Recurrences } from "./closedForm.ts";
import { type DrawnInRound, isDeadAt, oneRound } from "./core.ts";
import { forAllRounds } from "./forAllRounds.ts";
import { type Implies, withoutWraps } from "./withoutWraps.ts";

/**
 * The effect of any number of rounds along a core (004, Algorithm 1), over the values at its entry: a parametric
 * symbolic memory and path condition. An application renames the parameter and the values of the rounds.
 */
export type Template = {
  readonly core: LoopCore;
  readonly kappa: Variable;
  /** The new values of the rounds, as arrays over the rounds. */
  readonly drawn: readonly (DrawnInRound & { readonly array: Variable })[];
  /** θ*: the changed places. `cells` describes those whose value is an array. */
  readonly memory: ReadonlyMap<Variable, Term>;
  readonly cells: readonly (WrittenCells & { readonly after: Variable })[];
  /** φ*: all κ rounds take the core. */
  readonly rounds: Term;
  roundsFor(count: bigint): Term;
  /** φ: one round takes the core. */
  readonly oneRound: Term;
  /** If this fails, one more round along the core is not covered; over the values after κ rounds. */
  readonly covered: Term;
};

export function computeTemplate(
  symbols: Symbols,
  head: InlinedNode,
  core: LoopCore,
  undefinedBehaviour: "stop" | "wrap",
  implies: Implies,
): Template | null {
  const { terms } = symbols;
  const round = oneRound(symbols, head, core, undefinedBehaviour);
  if (round === null) return null;
  const changed = [...round.state.values].filter(([place, value]) => place !== value);
  if (changed.some(([place]) => symbols.objectWithBase(place) !== null)) return null;
  const isAlone = aloneIn(round.assumptions, changed);
  const values = changed.map(([place, value]) => (isAlone(place) ? place : value));
  const unwrapped = withoutWraps(terms, round.assumptions, values, implies);
  const fixed = fixedValues(terms, unwrapped.assumptions, round.drawn);
  const after = new Map(
    changed.map(([place, value], i) => [
      place,
      substitute(terms, isAlone(place) ? value : nth(unwrapped.values, i), fixed),
    ]),
  );
  const drawn = round.drawn.map((each) => ({ ...each, array: terms.fresh("rounds", "Array") as Variable }));
  const of: Recurrences = {
    terms,
    after,
    drawn: new Map(drawn.map(({ variable, array }) => [variable, array])),
    known: new Map(),
  };
  const kappa = terms.fresh("kappa", "Int");
  const memory = new Map<Variable, Term>();
  const open = findClosedForms(of);
  for (const place of open) {
    // A place that is never read again is arbitrary.
    if (!isDeadAt(symbols, head, place)) return null;
    memory.set(place, symbols.version(place));
  }
  const cells = cellsOf(symbols, of);
  if (cells === null) return null;
  for (const [place, form] of of.known) memory.set(place, form(kappa));
  for (const { place, after: array } of cells) memory.set(place, array);
  const types = drawn.map(({ variable }) => symbols.axiom(variable));
  const condition = terms.all([...unwrapped.assumptions, unwrapped.condition, ...types]);
  const tau = terms.fresh("tau", "Int");
  const inTau = conditionIn(of, condition, tau);
  if (inTau === null) return null;
  return {
    core,
    kappa,
    drawn,
    memory,
    cells,
    rounds: terms.and(terms.ge(kappa, terms.int(0n)), forAllRounds(terms, tau, kappa, inTau)),
    roundsFor(count) {
      const each: Term[] = [];
      for (let t = 0n; t < count; t++) each.push(conditionIn(of, condition, terms.int(t))!);
      return terms.all(each);
    },
    oneRound: condition,
    covered: unwrapped.condition,
  };
}

/** Places that nothing else depends on: they may wrap. */
function aloneIn(
  assumptions: readonly Term[],
  changed: readonly (readonly [Variable, Term])[],
): (place: Variable) => boolean {
  return (place) =>
    !assumptions.some((formula) => freeVariables(formula).includes(place)) &&
    !changed.some(([other, value]) => other !== place && freeVariables(value).includes(place));
}

/** New values of rounds that can only be one number. */
function fixedValues(
  terms: Terms,
  assumptions: readonly Term[],
  drawn: readonly DrawnInRound[],
): ReadonlyMap<Term, Term> {
  const fixed = new Map<Term, Term>();
  for (const assumption of assumptions.flatMap(conjuncts)) {
    if (assumption.kind !== "eq" || !drawn.some(({ variable }) => variable === assumption.sum)) continue;
    fixed.set(assumption.sum, terms.int(assumption.bound));
  }
  return fixed;
}

/**
 * Arrays that change, with each cell written once. Null if one changes otherwise, or if a round reads what another one
 * wrote.
 */
function cellsOf(symbols: Symbols, of: Recurrences): readonly (WrittenCells & { readonly after: Variable })[] | null {
  const cells: (WrittenCells & { after: Variable })[] = [];
  for (const place of of.after.keys()) {
    if (place.sort !== "Array") continue;
    const written = writtenCells(of, place);
    if (written === null) return null;
    cells.push({ ...written, after: symbols.version(place) });
  }
  const arrays = new Set<Variable>(cells.map(({ place }) => place));
  const reads = [...of.after].some(
    ([place, value]) => !arrays.has(place) && freeVariables(value).some((variable) => arrays.has(variable)),
  );
  const crossed = cells.some(({ place }) =>
    freeVariables(present(of.after.get(place))).some((variable) => variable !== place && arrays.has(variable)),
  );
  return reads || crossed ? null : cells;
}

/** The condition of a round by its number; it must not contain cells that rounds write. */
function conditionIn(of: Recurrences, condition: Term, round: Term): Term | null {
  const isWritten = freeVariables(condition).some((variable) => variable.sort === "Array" && of.after.has(variable));
  return isWritten ? null : inRound(of, condition, round);
}

export function cellFormulas(symbols: Symbols, template: Template, kappa: Term): readonly Term[] {
  return template.cells.map((cells) => cellsAfter(symbols.terms, cells, cells.place, cells.after, kappa));
}

export function cellInstances(symbols: Symbols, template: Template, count: bigint): readonly (readonly [Term, Term])[] {
  return template.cells.map((cells) => [cells.after, cellsWritten(symbols.terms, cells, cells.place, count)] as const);
}
