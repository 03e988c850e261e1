import { freeVariablesOf } from "../../logic/freeVariables.ts";
import { isAtom, type Term, type Variable } from "../../logic/term.ts";
import { childrenOf, postOrder } from "../../logic/traverse.ts";
import { nodeKey } from "../../symbolic/inlinedNode.ts";
import type { Activation } from "../../symbolic/recordedRun.ts";
import { sampleRun } from "../../symbolic/sampleRun.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { Trace } from "../../trace/trace.ts";
import type { Samples } from "./candidates.ts";
import { formulasOf, type LoopSystem, placesOf } from "./loopSystem.ts";

/** What was seen at one cut point: values of the observables and the truth of the hints, by step. */
export type Observations = {
  readonly observables: readonly Term[];
  readonly hints: readonly Term[];
  readonly rows: readonly {
    readonly step: number;
    readonly values: readonly bigint[];
    readonly truth: readonly boolean[];
  }[];
};

/** So many arrivals are looked at from the beginning, from the end, and evenly in between. */
const early = 48;
const late = 16;
const between = 64;
/** Formulas larger than this are no hints: nobody would read such an invariant. */
const hintSize = 24;
const observableLimit = 60;

/** Values at the cut points of a loop system while the activation ran, for all attempts at once. */
export function sampleLoop(
  symbols: Symbols,
  trace: Trace,
  activation: Activation,
  system: LoopSystem,
  needed: readonly Term[],
): ReadonlyMap<string, Observations> {
  const wantedVisits = chosenVisits(activation.visits);
  const first = activation.visits[0]!;
  const last = activation.visits[activation.visits.length - 1]!;
  const keys = [...system.blocks.keys()];
  const plans = keys.map((key) => {
    const block = system.blocks.get(key)!;
    const formulas = [...formulasOf(block), ...needed];
    const hints = hintsOf(symbols, formulas);
    const observables = observablesOf(symbols, formulas, hints);
    return { key, block, hints, observables };
  });
  let inner = 0;
  const sampled = sampleRun(
    symbols,
    trace,
    plans.map(({ key, block, hints, observables }) => ({
      node: block.start,
      stack: activation.stack,
      terms: [...observables, ...hints],
      wanted:
        key === nodeKey(system.root)
          ? (step: number) => wantedVisits.has(step)
          : // Inner loops: the first arrivals, then ever fewer.
            (step: number) => step >= first && step < last && (inner++ < 200 || inner % 97 === 0),
    })),
    last + 1,
  );
  return new Map(
    plans.map(({ key, hints, observables }, p) => {
      const complete = observables.map((_, o) => sampled[p]!.every(({ values }) => typeof values[o] === "bigint"));
      const kept = observables.filter((_, o) => complete[o]);
      const rows = sampled[p]!.map(({ step, values }) => ({
        step,
        values: values.slice(0, observables.length).filter((_, o) => complete[o]) as bigint[],
        truth: values.slice(observables.length).map((value) => value === true),
      }));
      return [key, { observables: kept, hints, rows }];
    }),
  );
}

/** The samples from a step on, and the hints that held in all of them. */
export function samplesFrom(observations: Observations, step: number): { samples: Samples; hints: Term[] } {
  const rows = observations.rows.filter((row) => row.step >= step);
  const hints = observations.hints.filter((_, h) => rows.every(({ truth }) => truth[h]));
  return { samples: { observables: observations.observables, rows: rows.map(({ values }) => values) }, hints };
}

function chosenVisits(visits: readonly number[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  const count = visits.length;
  for (let i = 0; i < Math.min(early, count); i++) chosen.add(visits[i]!);
  for (let i = Math.max(0, count - late); i < count; i++) chosen.add(visits[i]!);
  for (let i = 1; i <= between; i++) chosen.add(visits[Math.floor((count - 1) * (i / (between + 1)))]!);
  return chosen;
}

/** Atoms about places that the formulas ask, and their negations. */
function hintsOf(symbols: Symbols, formulas: readonly Term[]): readonly Term[] {
  const hints = new Set<Term>();
  for (const term of postOrder(formulas)) {
    if (term.sort !== "Bool" || !(isAtom(term) || term.kind === "or" || term.kind === "and")) continue;
    if (term.kind === "bool" || !isAboutPlaces(symbols, term) || size(term) > hintSize) continue;
    if (isAtom(term)) {
      hints.add(term);
      hints.add(symbols.terms.not(term));
    } else hints.add(term);
  }
  return [...hints];
}

function isAboutPlaces(symbols: Symbols, term: Term): boolean {
  return freeVariablesOf([term]).every((variable) => symbols.cellOf(variable) !== null);
}

function size(term: Term): number {
  return postOrder([term]).length;
}

/** Scalar places, the array cells that formulas read, and the sums that their comparisons are about. */
function observablesOf(symbols: Symbols, formulas: readonly Term[], hints: readonly Term[]): readonly Term[] {
  const observables = new Set<Term>();
  for (const place of placesOf(symbols, formulas)) if (isScalarPlace(symbols, place)) observables.add(place);
  for (const term of postOrder(formulas)) {
    if (term.kind === "select" && term.array.kind === "variable" && isAboutPlaces(symbols, term)) observables.add(term);
  }
  for (const hint of hints) {
    const atom = hint.kind === "not" ? hint.operand : hint;
    if ((atom.kind === "le" || atom.kind === "eq") && atom.sum.kind === "sum" && isScalarSum(atom.sum)) {
      if (childrenOf(atom.sum).length > 1) observables.add(atom.sum);
    }
  }
  return [...observables].slice(0, observableLimit);
}

function isScalarSum(sum: Term): boolean {
  return childrenOf(sum).every((child) => child.kind === "variable" || child.kind === "select");
}

function isScalarPlace(symbols: Symbols, place: Variable): boolean {
  const cell = symbols.cellOf(place);
  if (cell === null || place.sort !== "Int") return false;
  if (cell.kind === "address") return true;
  return (cell.kind === "register" ? cell.type : cell.region.type).kind !== "float";
}
