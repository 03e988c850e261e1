import { evaluate } from "../../logic/evaluate.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariables, postOrder, substitute } from "../../logic/traverse.ts";
import type { ProofSession } from "../../solver/solver.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { farthest, type RecordedValue } from "./search.ts";

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
