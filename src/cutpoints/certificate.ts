import { present } from "../base/checked.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { hull, type Range, type RangeOfVariable, rangeOf, unboundedRange } from "../logic/range.ts";
import { conjuncts, type Sort, type Term } from "../logic/term.ts";
import type { Terms } from "../logic/terms.ts";
import { createRewriter, freeVariablesOf, postOrder } from "../logic/traverse.ts";
import type { ProgramModel } from "./programModel.ts";

/**
 * Why no run reaches an error: a conjunction at each loop head.
 *
 * - `inductive`: each holds when a head is first reached, every region carries them on, and none has an error where they hold.
 *   With `depth` k > 1 the conjunctions are inductive by themselves, and errors are excluded by k regions in a row: none of the
 *   first k + 1 has one, that of the start included, and no k + 1 in a row behind heads have their first one in the last.
 * - `bounded`: every run ends within `depth` regions, and none of these has an error.
 * - `run`: the program has only one run, because it reads nothing; it ends after `depth` steps without an error.
 */
export type Certificate = {
  readonly kind: "inductive" | "bounded" | "run";
  readonly depth: number;
  /** By head, or by another location where regions are cut: SMT-LIB over the places of the program. */
  readonly invariants: ReadonlyMap<string, readonly string[]>;
  /** The sorts of the places. */
  readonly sorts: ReadonlyMap<string, Sort>;
};

export function certificateOf(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
  depth = 1,
): Certificate {
  return { kind: "inductive", depth, ...printed(model, invariants) };
}

export function boundedCertificate(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
  depth: number,
): Certificate {
  return { kind: "bounded", depth, ...printed(model, invariants) };
}

function printed(
  model: ProgramModel,
  invariants: ReadonlyMap<string, readonly Term[]>,
): Pick<Certificate, "invariants" | "sorts"> {
  const conjunctsAt = (key: string) => (invariants.get(key) ?? []).flatMap(conjuncts);
  const keys = [...new Set([...model.heads.keys(), ...invariants.keys()])];
  const all = keys.flatMap(conjunctsAt);
  return {
    invariants: new Map(keys.map((key) => [key, conjunctsAt(key).map(printSmtLib)])),
    sorts: new Map(freeVariablesOf(all).map(({ name, sort }) => [name, sort])),
  };
}

/** Characters of all conjuncts. */
export function certificateSize({ invariants }: Certificate): number {
  return [...invariants.values()].flat().reduce((sum, text) => sum + text.length, 0);
}

/**
 * Arithmetic that wraps at most once in either direction, as a choice instead of a remainder: `i + 1` of an `int` is
 * `i + 1`, or `i + 1 - 2^32` where it does not fit. Solvers, Spacer above all, are far better at that. What was rewritten
 * is kept, so that regions that share terms share the work.
 */
export function wrapsAsCases(terms: Terms, ranges: RangeOfVariable): (root: Term) => Term {
  const range = rememberedRanges(ranges);
  return createRewriter(terms, (term) => (term.kind === "mod" ? asCases(terms, range, term) : term));
}

/** Remainders by less than this are the program's own, as in `x % 10`. */
const leastModulus = 256n;

function asCases(terms: Terms, range: (term: Term) => Range, term: Term & { kind: "mod" | "div" }): Term {
  const { dividend, divisor } = term;
  if (divisor.kind !== "int" || divisor.value < leastModulus || (divisor.value & (divisor.value - 1n)) !== 0n) {
    return term;
  }
  const modulus = divisor.value;
  const { min, max } = range(dividend);
  if (min === null || max === null || min < -modulus || max >= 2n * modulus) return term;
  let value: Term = dividend;
  if (max >= modulus) {
    value = terms.ite(terms.ge(dividend, divisor), terms.sub(dividend, divisor), value);
  }
  if (min < 0n) value = terms.ite(terms.lt(dividend, terms.int(0n)), terms.add(dividend, divisor), value);
  return value;
}

/** Choices after joins are nested as deep as the code is long: ranges are computed once for each part. */
function rememberedRanges(ranges: RangeOfVariable): (term: Term) => Range {
  const known = new Map<Term, Range>();
  const compute = (term: Term): Range => {
    if (term.kind === "ite" && term.sort === "Int")
      return hull(present(known.get(term.whenTrue)), present(known.get(term.whenFalse)));
    if (term.kind !== "sum") return rangeOf(term, ranges, 4);
    let min: bigint | null = term.constant;
    let max: bigint | null = term.constant;
    for (const { coefficient, term: part } of term.monomials) {
      const inner = present(known.get(part));
      const [low, high] = coefficient > 0n ? [inner.min, inner.max] : [inner.max, inner.min];
      min = min === null || low === null ? null : min + coefficient * low;
      max = max === null || high === null ? null : max + coefficient * high;
    }
    return { min, max };
  };
  return (root) => {
    for (const term of postOrder([root], (part) => !known.has(part))) {
      known.set(term, term.sort === "Int" ? compute(term) : unboundedRange);
    }
    return present(known.get(root));
  };
}
