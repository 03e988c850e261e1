import { present } from "../../../base/checked.ts";
import type { Term, Variable } from "../../../logic/term.ts";
import type { Terms } from "../../../logic/terms.ts";
import { freeVariables, substitute } from "../../../logic/traverse.ts";

/** The value of a place after a number of rounds: θ* of 004, as a function of the parameter. */
export type ClosedForm = (rounds: Term) => Term;

/** The changes of a round: places with their value after one round, and new values of each round. */
export type Recurrences = {
  readonly terms: Terms;
  readonly after: ReadonlyMap<Variable, Term>;
  /** For each value of a round: the array of all rounds' values. */
  readonly drawn: ReadonlyMap<Variable, Variable>;
  readonly known: Map<Variable, ClosedForm>;
};

/** A term in the round with this number; null while it depends on something without a closed form. */
export function inRound(of: Recurrences, term: Term, round: Term): Term | null {
  const map = new Map<Term, Term>();
  for (const variable of freeVariables(term)) {
    const array = of.drawn.get(variable);
    if (array !== undefined) map.set(variable, of.terms.select(array, round));
    else if (of.after.has(variable)) {
      const form = of.known.get(variable);
      if (form === undefined) return null;
      map.set(variable, form(round));
    }
  }
  return substitute(of.terms, term, map);
}

export function findClosedForms(of: Recurrences): readonly Variable[] {
  const open = new Set([...of.after.keys()].filter((place) => place.sort === "Int"));
  for (let changed = true; changed; ) {
    changed = false;
    for (const place of open) {
      const form = closedForm(of, place, present(of.after.get(place)));
      if (form === null) continue;
      of.known.set(place, form);
      open.delete(place);
      changed = true;
    }
  }
  return [...open];
}

function closedForm(of: Recurrences, place: Variable, value: Term): ClosedForm | null {
  const { terms } = of;
  if (value === place) return () => place;
  const wrapped = modularProgression(of, place, value);
  if (wrapped !== null) return wrapped;
  const split = splitLinear(terms, place, value);
  if (split === null) return null;
  const { factor, rest } = split;
  if (factor === 0n) return lastValue(of, place, value);
  if (isInvariant(of, rest)) {
    if (factor === 1n) return (k) => terms.add(place, terms.mul(k, rest));
    if (factor === -1n) {
      const isEven = (k: Term) => terms.eq(terms.mod(k, terms.int(2n)), terms.int(0n));
      return (k) => terms.ite(isEven(k), place, terms.sub(rest, place));
    }
    return geometric(terms, place, factor, rest);
  }
  return factor === 1n ? sumOfProgression(of, place, rest) : null;
}

/** Splits `value` into `factor * place + rest`, where the rest does not contain the place. */
function splitLinear(
  terms: Terms,
  place: Variable,
  value: Term,
): { readonly factor: bigint; readonly rest: Term } | null {
  if (value === place) return { factor: 1n, rest: terms.int(0n) };
  const monomial = value.kind === "sum" ? value.monomials.find(({ term }) => term === place) : undefined;
  const factor = monomial?.coefficient ?? 0n;
  const rest = terms.sub(value, terms.scale(factor, place));
  return freeVariables(rest).includes(place) ? null : { factor, rest };
}

function isInvariant(of: Recurrences, term: Term): boolean {
  return freeVariables(term).every((variable) => !of.after.has(variable) && !of.drawn.has(variable));
}

/** Line 15: a value that is computed from known ones. */
function lastValue(of: Recurrences, place: Variable, value: Term): ClosedForm | null {
  const { terms } = of;
  const probe = inRound(of, value, terms.int(0n));
  if (probe === null) return null;
  return (k) => terms.ite(terms.gt(k, terms.int(0n)), inRound(of, value, terms.sub(k, terms.int(1n)))!, place);
}

/** Line 12, and `m * x + c` with it. */
function geometric(terms: Terms, place: Variable, factor: bigint, rest: Term): ClosedForm {
  const power = powerOf(terms, factor);
  const isPlain = rest.kind === "int" && rest.value === 0n;
  return (k) => {
    const grown = terms.mul(place, power(k));
    if (isPlain) return grown;
    const sum = terms.div(terms.sub(power(k), terms.int(1n)), terms.int(factor - 1n));
    return terms.add(grown, terms.mul(rest, sum));
  };
}

/** Powers as a recursive function, because solvers do not decide `^`. */
function powerOf(terms: Terms, base: bigint): (exponent: Term) => Term {
  const name = `power${base < 0n ? `-${-base}` : base}`.replace("-", "m");
  const known = terms.findFunction(name);
  const symbol = known ?? terms.functionSymbol(name, ["Int"], "Int");
  if (known === null) {
    const n = terms.variable(`${name}.n`, "Int");
    const smaller = terms.apply(symbol, terms.sub(n, terms.int(1n)));
    const body = terms.ite(terms.le(n, terms.int(0n)), terms.int(1n), terms.scale(base, smaller));
    terms.define(symbol, [n], body);
  }
  return (k) =>
    k.kind === "int" && k.value >= 0n && k.value < 200n ? terms.int(base ** k.value) : terms.apply(symbol, k);
}

/** `x + a + b*t` in round t: the sum of an arithmetic progression. */
function sumOfProgression(of: Recurrences, place: Variable, rest: Term): ClosedForm | null {
  const { terms } = of;
  const round = terms.variable("templates.round", "Int");
  const [general, zeroth, first] = [round, terms.int(0n), terms.int(1n)].map((t) => inRound(of, rest, t));
  if (general == null || zeroth == null || first == null) return null;
  const slope = terms.sub(first, zeroth);
  if (terms.add(zeroth, terms.mul(slope, round)) !== general) return null;
  return (k) => {
    const pairs = terms.div(terms.mul(k, terms.sub(k, terms.int(1n))), terms.int(2n));
    return terms.add(place, terms.mul(k, zeroth), terms.mul(slope, pairs));
  };
}

/** `(x + c) mod m`, as unsigned arithmetic has it; `d` is what signed arithmetic is shifted by. */
function modularProgression(of: Recurrences, place: Variable, value: Term): ClosedForm | null {
  const { terms } = of;
  const shift = value.kind === "sum" && value.monomials.length === 1 ? value.constant : 0n;
  const inner = shift === 0n ? value : terms.sub(value, terms.int(shift));
  if (inner.kind !== "mod" || inner.divisor.kind !== "int") return null;
  const split = splitLinear(terms, place, inner.dividend);
  if (split === null || split.factor !== 1n || !isInvariant(of, split.rest)) return null;
  const step = terms.add(split.rest, terms.int(shift));
  const { divisor } = inner;
  return (k) => {
    const moved = terms.add(place, terms.mul(k, step), terms.int(-shift));
    return terms.add(terms.mod(moved, divisor), terms.int(shift));
  };
}
