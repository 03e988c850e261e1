import { nth } from "../../base/checked.ts";
import { absolute, greater, lesser, nullSpace } from "../../logic/linear.ts";
import type { Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import type { HeadSamples } from "./headCandidates.ts";

/** More variables have too many products. */
const mostVariables = 6;
const mostMonomials = 60;
/** So many more samples than monomials, or equations hold by chance. */
const surplus = 3;
const largestCoefficient = 1n << 20n;
/** Products of larger numbers are slow to compute with, and say nothing else. */
const largestValue = 1n << 40n;
const mostRows = 120;

/** A product of some of the variables, each by its number, in order; none: the number 1. */
type Powers = readonly number[];

/**
 * The polynomial equations of the lowest degrees that hold of all samples, `2s = i * i + i`: the null space of the products of up
 * to three variables. What is a multiple of another equation is left out.
 */
export function polynomialEquations(
  terms: Terms,
  { observables, rows }: Pick<HeadSamples, "observables" | "rows">,
  degree: number,
): readonly Term[] {
  const chosen = distinct(rows.filter((row) => row.every((value) => absolute(value) < largestValue))).slice(
    0,
    mostRows,
  );
  const first = chosen[0];
  if (first === undefined) return [];
  const moving = observables.flatMap((_, o) => (chosen.some((row) => row[o] !== first[o]) ? [o] : []));
  // A program that counts much has few variables of interest: those that come first were declared first.
  const variables = moving.slice(0, mostVariables);
  const all = upTo(degree, variables);
  if (chosen.length - surplus < all.length) return [...products(terms, observables, chosen, variables)];
  const monomials = all.slice(0, mostMonomials);
  const matrix = chosen.map((row) => monomials.map((powers) => powers.reduce((value, o) => value * nth(row, o), 1n)));
  const values = monomials.map((powers) => terms.mul(...powers.map((o) => nth(observables, o))));
  const leading: Powers[] = [];
  return nullSpace(matrix, monomials.length).flatMap((equation) => {
    const last = nth(
      monomials,
      equation.findLastIndex((coefficient) => coefficient !== 0n),
    );
    if (leading.some((powers) => divides(powers, last))) return [];
    leading.push(last);
    if (equation.some((coefficient) => absolute(coefficient) > largestCoefficient)) return [];
    const sum = terms.linear(equation.map((coefficient, i) => ({ coefficient, term: nth(values, i) })));
    return [terms.eq(sum, terms.int(0n))];
  });
}

/** Where samples are few: `a = b * c`. */
function products(
  terms: Terms,
  observables: readonly Term[],
  rows: readonly (readonly bigint[])[],
  variables: readonly number[],
): readonly Term[] {
  if (rows.length < surplus) return [];
  const pairs = upTo(2, variables).filter(({ length }) => length === 2);
  return variables.flatMap((a) =>
    pairs
      .filter(([b, c]) => rows.every((row) => row[a] === nth(row, b!) * nth(row, c!)))
      .map(([b, c]) => terms.eq(nth(observables, a), terms.mul(nth(observables, b!), nth(observables, c!)))),
  );
}

/** How far two values are apart, and how large their sum is, on all samples. */
export function octagon(
  terms: Terms,
  { observables, rows }: Pick<HeadSamples, "observables" | "rows">,
): readonly Term[] {
  const [first] = rows;
  if (first === undefined) return [];
  const variables = observables.flatMap((_, o) => (rows.some((row) => row[o] !== first[o]) ? [o] : []));
  const chosen = variables.slice(0, mostVariables);
  return chosen.flatMap((a, i) =>
    chosen.slice(i + 1).flatMap((b) =>
      [1n, -1n].flatMap((sign) => {
        const values = rows.map((row) => nth(row, a) + sign * nth(row, b));
        const sum = terms.add(nth(observables, a), terms.scale(sign, nth(observables, b)));
        return [terms.le(sum, terms.int(values.reduce(greater))), terms.ge(sum, terms.int(values.reduce(lesser)))];
      }),
    ),
  );
}

function distinct(rows: readonly (readonly bigint[])[]): readonly (readonly bigint[])[] {
  return [...new Map(rows.map((row) => [row.join(), row])).values()];
}

/** All products of up to `degree` of the variables, the smaller ones first. */
function upTo(degree: number, variables: readonly number[]): readonly Powers[] {
  const found: Powers[] = [[]];
  let last: readonly Powers[] = [[]];
  for (let i = 0; i < degree; i++) {
    last = last.flatMap((powers) => variables.filter((o) => o >= (powers.at(-1) ?? 0)).map((o) => [...powers, o]));
    found.push(...last);
  }
  return found;
}

function divides(part: Powers, whole: Powers): boolean {
  const left = [...whole];
  return part.every((o) => {
    const i = left.indexOf(o);
    if (i < 0) return false;
    left.splice(i, 1);
    return true;
  });
}
