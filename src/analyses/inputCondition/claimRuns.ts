import { throwIfCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { patientProver } from "../../cutpoints/generalize.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { mergeConjuncts } from "../../logic/mergeConjuncts.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, postOrder, substitute } from "../../logic/traverse.ts";
import type { FoldedLoop } from "../../recordedRun/foldedRun.ts";
import { type EncodedRuns, encodeRuns, type SteppedPiece } from "../../recordedRun/generalized/encodeRuns.ts";
import { behindLoop, type LoopPlan, loopPlan } from "../../recordedRun/generalized/planObligations.ts";
import { type OpenPoint, openPoint } from "../../recordedRun/generalized/runObligation.ts";
import type { Run } from "../../recordedRun/run.ts";
import type { Target } from "../../recordedRun/target.ts";
import type { ProofSession, Prover } from "../../solver/solver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { type ConditionOnInputs, isSettled, noCondition, onlyThisRun } from "./inputCondition.ts";
import { planLoop } from "./planLoop.ts";
import {
  ask,
  farthest,
  fixFor,
  follows,
  isAboutInputs,
  type KnownHere,
  type RecordedValue,
  type Search,
  strengthenFor,
} from "./search.ts";

/**
 * Simplifies a condition: a single possible value is stated as such, and complicated formulas (`(uint64_t)n <= 3`, `(1
 * << n) == 8`, a known array cell) become bounds if those are proved equivalent.
 */
export function plainCondition(
  symbols: Symbols,
  session: ProofSession,
  recorded: readonly RecordedValue[],
  formulas: readonly Term[],
): readonly Term[] {
  let current = formulas;
  for (const each of recorded) {
    const touched = current.filter((formula) => freeVariables(formula).includes(each.input));
    if (touched.every(isPlain)) continue;
    const only = onlyValue(symbols, session, each, current);
    // Simpler formulas come first, so that they stay among equivalent ones.
    if (only !== null) current = [only, ...current.map((formula) => withValue(symbols, each, formula))];
    else current = [...(sameBounds(symbols, session, each, touched) ?? []), ...current];
  }
  return current;
}

/** True for comparisons of sums of inputs, and combinations of them. */
function isPlain(formula: Term): boolean {
  return [...postOrder([formula])].every(({ kind }) => plainKinds.has(kind));
}

const plainKinds: ReadonlySet<Term["kind"]> = new Set(["variable", "int", "sum", "le", "eq", "not", "and", "or"]);

function onlyValue(
  { terms }: Symbols,
  session: ProofSession,
  { input, value }: RecordedValue,
  formulas: readonly Term[],
): Term | null {
  const equal = terms.eq(input, terms.int(value));
  return session.implies(formulas, equal).kind === "proved" ? equal : null;
}

function withValue({ terms }: Symbols, { input, value }: RecordedValue, formula: Term): Term {
  return substitute(terms, formula, new Map([[input, terms.int(value)]]));
}

function sameBounds(
  symbols: Symbols,
  session: ProofSession,
  { input, value }: RecordedValue,
  touched: readonly Term[],
): readonly Term[] | null {
  const { terms } = symbols;
  const { min, max } = symbols.range(input);
  if (min === null || max === null || touched.some((formula) => freeVariables(formula).length > 1)) return null;
  const holds = (bound: bigint) =>
    touched.every((formula) => evaluate(formula, (variable) => (variable === input ? bound : undefined)) === true);
  const isImplied = (known: readonly Term[]) => (formula: Term) => session.implies(known, formula).kind === "proved";
  const isSame = (bounds: readonly Term[]) => bounds.every(isImplied(touched)) && touched.every(isImplied(bounds));
  const candidates = [between, exceptBetween].map((shape) => shape(terms, input, { value, min, max }, holds));
  return candidates.find((bounds) => bounds !== null && isSame(bounds)) ?? null;
}

type Ends = { readonly value: bigint; readonly min: bigint; readonly max: bigint };

/** An interval around the value. */
function between(
  terms: Terms,
  input: Variable,
  { value, min, max }: Ends,
  holds: (bound: bigint) => boolean,
): readonly Term[] {
  const low = farthest(value, min, holds);
  const high = farthest(value, max, holds);
  return [
    ...(low > min ? [terms.ge(input, terms.int(low))] : []),
    ...(high < max ? [terms.le(input, terms.int(high))] : []),
  ];
}

/** The complement of an interval. */
function exceptBetween(
  terms: Terms,
  input: Variable,
  { value, min, max }: Ends,
  holds: (bound: bigint) => boolean,
): readonly Term[] | null {
  const other = [0n, 1n, -1n, value - 1n, value + 1n].find((bound) => bound >= min && bound <= max && !holds(bound));
  if (other === undefined || !holds(min) || !holds(max)) return null;
  const below = terms.le(input, terms.int(farthest(min, other, holds)));
  return [terms.any([below, terms.ge(input, terms.int(farthest(max, other, holds)))])];
}

/**
 * The claim about all runs with other inputs: a condition under which they end, do nothing undefined before, and fail
 * like the recorded one, with its open points. `found` are the names of the folds; `symbols` are new ones over the same
 * terms, and `prover` is theirs.
 */
export function claimRuns(
  symbols: Symbols,
  prover: Prover,
  found: Symbols,
  { run, folds, target }: { readonly run: Run; readonly folds: readonly FoldedLoop[]; readonly target: Target },
): ConditionOnInputs {
  const nothing = noCondition(run.inputs.length);
  // Runs with another number of rounds, or with other output, are unknown.
  if (!failsAtPlace(run) || folds.some(({ rounds }) => rounds !== null)) return nothing;
  const encoded = encodeRuns(symbols, run, folds, target, prover.cancellation);
  const numbers = encoded.inputs.flatMap((input, i) => {
    const value = nth(run.inputs, i).value;
    return input === null || typeof value !== "bigint" ? [] : [{ input, value }];
  });
  const bytes = encoded.bytes.map(({ variable, value }) => ({ input: variable, value: BigInt(value) }));
  const recorded = [...numbers, ...bytes];
  // Hard queries must not repeat for each bound without limit.
  const patient = patientProver(prover, { unanswered: 0 });
  const attempt = (asFolded: boolean) => {
    const search: Search = { symbols, prover: patient, run, recorded, condition: new Set(), open: new Map(), asFolded };
    return claimEncoded(search, found, encoded);
  };
  // Requirements of the folds on inputs may be stronger than needed, but they may also help.
  const lean = attempt(false);
  if (isSettled(lean) || folds.length === 0) return lean;
  const whole = attempt(true);
  return isSettled(whole) || lean.kind === "none" ? whole : lean;
}

/** Handles the pieces of the runs in order, each with the facts known after the earlier ones. */
function claimEncoded(search: Search, found: Symbols, encoded: EncodedRuns): ConditionOnInputs {
  const { symbols, prover } = search;
  const nothing = noCondition(encoded.inputs.length);
  const loops = new Map<number, LoopPlan>();
  let known: Term[] = [];
  for (const [i, piece] of encoded.pieces.entries()) {
    throwIfCancelled(prover.cancellation, "looking for a condition on the inputs");
    if (piece.kind === "steps") {
      if (!planSteps(search, piece, i, known)) return nothing;
      continue;
    }
    const plan = planLoop(search, found, piece, i, known);
    if (plan === null) return nothing;
    loops.set(i, plan);
    known = [...known.map(piece.earlier), ...behindLoop(symbols, piece, loopPlan(symbols, piece, plan))];
  }
  const { terms } = symbols;
  const session = prover.open([], "quick");
  const needed = irredundant(session, [...search.condition]);
  const plain = irredundant(session, plainCondition(symbols, session, search.recorded, needed));
  session.close();
  const formulas = inOrder(symbols, mergeConjuncts(terms, plain));
  const open = [...search.open.values()];
  return {
    kind: "claimed",
    formulas,
    inputs: encoded.inputs,
    bytes: encoded.bytes,
    fixed: encoded.fixed,
    open,
    onlyThisRun: onlyThisRun(search, encoded.pieces, formulas),
    plan: {
      roundByRound: encoded.pieces.every(({ kind }) => kind === "steps"),
      condition: formulas,
      loops,
      open: new Set(search.open.keys()),
    },
    pieces: encoded.pieces,
  };
}

/** Formulas about one input come first, in the order of inputs, lower bounds first; then the others. */
function inOrder(symbols: Symbols, formulas: readonly Term[]): readonly Term[] {
  const rankOf = (formula: Term): number => {
    const [input, ...others] = freeVariables(formula);
    const cell = input === undefined ? null : symbols.cellOf(input);
    if (cell?.kind !== "input" || others.length > 0) return Number.POSITIVE_INFINITY;
    const isUpper =
      formula.kind === "le" && (formula.sum.kind !== "sum" || nth(formula.sum.monomials, 0).coefficient > 0n);
    return 2 * cell.number + (isUpper ? 1 : 0);
  };
  const ranked = formulas.map((formula) => ({ formula, rank: rankOf(formula) }));
  return ranked.sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank)).map(({ formula }) => formula);
}

/** True if the failure consists only of where and how the run ends. */
function failsAtPlace({ outcome }: Run): boolean {
  switch (outcome.kind) {
    case "assertion":
    case "error-location":
    case "abort":
    case "undefined-behaviour":
      return true;
    default:
      return false;
  }
}

/** Drops formulas that the others and the types of the inputs imply. */
function irredundant(session: ProofSession, formulas: readonly Term[]): readonly Term[] {
  let kept = [...new Set(formulas)].filter((formula) => formula.kind !== "bool");
  for (const formula of kept.toReversed()) {
    const rest = kept.filter((other) => other !== formula);
    if (session.implies(rest, formula).kind === "proved") kept = rest;
  }
  return kept;
}

/**
 * Makes all runs take some single steps: requirements on the inputs alone become conditions; the others must follow,
 * perhaps with bounds on inputs, or stay open. False if the runs need not even fail.
 */
export function planSteps(search: Search, piece: SteppedPiece, index: number, known: Term[]): boolean {
  const goals: { point: OpenPoint; formula: Term }[] = [];
  for (const { facts, obligations } of piece.steps) {
    known.push(...facts);
    for (const obligation of obligations) {
      const point = openPoint(index, obligation);
      if (obligation.formula === null) {
        if (point.kind === "failure") return false;
        search.open.set(point.key, point);
        continue;
      }
      for (const formula of conjuncts(obligation.formula)) {
        if (!isAboutInputs(search, formula)) goals.push({ point, formula });
        else if (!ask(search, formula)) return false;
      }
    }
  }
  const session = search.prover.open(known);
  const assumed: Term[] = [];
  try {
    const all = search.symbols.terms.all(goals.map(({ formula }) => formula));
    if (follows(search, { session, assumed }, all)) return true;
    for (const { point, formula } of goals) {
      if (!settle(search, { session, assumed }, point, formula)) return false;
      assumed.push(formula);
    }
    return true;
  } finally {
    session.close();
    known.push(...goals.map(({ formula }) => formula));
  }
}

function settle(search: Search, place: KnownHere, point: OpenPoint, goal: Term): boolean {
  if (search.open.has(point.key)) return true;
  if (follows(search, place, goal) || strengthenFor(search, place, goal)) return true;
  if (point.kind === "failure") return fixFor(search, place, goal);
  search.open.set(point.key, point);
  return true;
}
