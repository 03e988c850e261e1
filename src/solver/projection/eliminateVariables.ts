import { freeVariables, freeVariablesOf } from "../../logic/freeVariables.ts";
import { createSubstituter } from "../../logic/substitute.ts";
import { disjuncts, isFalse, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { postOrder } from "../../logic/traverse.ts";
import { coefficientIn, flatten, projectVariable } from "../interpolation/projectVariable.ts";

/** Cases that one elimination may distinguish, and quotients that it may give a name. */
const caseLimit = 16;
const quotientLimit = 8;

export type Elimination = { readonly formulas: readonly Term[]; readonly left: readonly Variable[] };

/**
 * Existential elimination by rules that are exact over the integers: a variable that an equation determines (also a
 * multiple of it: `3x = t` is `t mod 3 = 0`), bounds of which one has a unit coefficient, quotients and remainders by a
 * number, an array of which only some cells were written, and a choice, case by case. `left` is what they do not
 * eliminate: the formulas are equivalent to the given ones with those variables still to be eliminated.
 */
export function eliminateVariables(
  terms: Terms,
  formulas: readonly Term[],
  eliminate: ReadonlySet<Variable>,
): Elimination {
  const budget = { cases: caseLimit, quotients: quotientLimit };
  return eliminateWithin(terms, flatten(terms, formulas), eliminate, budget);
}

type Budget = { cases: number; quotients: number };

/** What the formulas that mention a variable become without it; null where the rule does not apply. */
type Rule = (touched: readonly Term[], variable: Variable) => readonly Term[] | null;

function eliminateWithin(
  terms: Terms,
  formulas: readonly Term[],
  eliminate: ReadonlySet<Variable>,
  budget: Budget,
): Elimination {
  const open = new Set(eliminate);
  // Cheap before dear: substitution makes no formula longer than it must be, bounds are combined in pairs.
  const rules: readonly Rule[] = [
    (touched, variable) => solved(terms, touched, variable),
    (touched, variable) => solvedMultiple(terms, touched, variable),
    (touched, variable) => unwritten(terms, touched, variable, open),
    (touched, variable) => projectVariable(terms, flatten(terms, touched), variable),
  ];
  let current = formulas;
  for (;;) {
    const next = applyFirst(terms, current, open, rules) ?? namedQuotient(terms, current, open, budget);
    if (next === null) break;
    current = next;
  }
  const result = flatten(terms, current);
  const left = freeVariablesOf(result).filter((variable) => open.has(variable));
  if (left.length === 0) return { formulas: result, left };
  return splitCases(terms, result, open, budget) ?? { formulas: result, left };
}

/** The first rule that applies to some variable; only what mentions it is looked at and changed. */
function applyFirst(
  terms: Terms,
  formulas: readonly Term[],
  open: ReadonlySet<Variable>,
  rules: readonly Rule[],
): readonly Term[] | null {
  const occurrences = new Map<Variable, Term[]>();
  for (const formula of formulas)
    for (const variable of freeVariables(formula)) {
      if (!open.has(variable)) continue;
      const known = occurrences.get(variable);
      if (known === undefined) occurrences.set(variable, [formula]);
      else known.push(formula);
    }
  for (const rule of rules)
    for (const [variable, touched] of occurrences) {
      const replacement = rule(touched, variable);
      if (replacement === null) continue;
      const parts = flatten(terms, replacement);
      if (parts.some(isFalse)) return parts;
      const gone = new Set(touched);
      return [...new Set([...formulas.filter((formula) => !gone.has(formula)), ...parts])];
    }
  return null;
}

function mentions(term: Term, variable: Variable): boolean {
  return freeVariables(term).includes(variable);
}

/** `x = t`. */
function solved(terms: Terms, touched: readonly Term[], variable: Variable): readonly Term[] | null {
  return touched.some((formula) => isEquation(formula, variable)) ? projectVariable(terms, touched, variable) : null;
}

function isEquation(formula: Term, variable: Variable): boolean {
  if (formula.kind === "arrayEq") return formula.left === variable || formula.right === variable;
  if (formula.kind === "variable") return formula === variable;
  if (formula.kind === "not") return formula.operand === variable;
  if (formula.kind !== "eq") return false;
  const coefficient = coefficientIn(formula.sum, variable);
  return coefficient === 1n || coefficient === -1n;
}

/** `c * x = t`: then `c` divides `t`, and `x` is the quotient. */
function solvedMultiple(terms: Terms, formulas: readonly Term[], variable: Variable): readonly Term[] | null {
  for (const formula of formulas) {
    if (formula.kind !== "eq") continue;
    const signed = coefficientIn(formula.sum, variable);
    if (signed === null) continue;
    const rest = terms.sub(terms.int(formula.bound), terms.sub(formula.sum, terms.scale(signed, variable)));
    const [factor, multiple] = signed > 0n ? [signed, rest] : [-signed, terms.neg(rest)];
    const divisor = terms.int(factor);
    const divides = terms.eq(terms.mod(multiple, divisor), terms.int(0n));
    const others = formulas.filter((other) => other !== formula);
    const quotient = createSubstituter(terms, new Map([[variable, terms.div(multiple, divisor)]]));
    return [divides, ...others.map((other) => scaled(terms, other, variable, factor, multiple) ?? quotient(other))];
  }
  return null;
}

/** A comparison with `factor * variable = multiple` put in, both sides taken `factor` times; null for anything else. */
function scaled(terms: Terms, formula: Term, variable: Variable, factor: bigint, multiple: Term): Term | null {
  const atom = formula.kind === "not" ? formula.operand : formula;
  if (atom.kind !== "le" && atom.kind !== "eq") return null;
  const coefficient = coefficientIn(atom.sum, variable);
  if (coefficient === null) return null;
  const rest = terms.sub(atom.sum, terms.scale(coefficient, variable));
  const sum = terms.add(terms.scale(coefficient, multiple), terms.scale(factor, rest));
  const bound = factor * atom.bound;
  const result = atom.kind === "le" ? terms.atMost(sum, bound) : terms.equals(sum, bound);
  return formula.kind === "not" ? terms.not(result) : result;
}

/**
 * `b = a[i := v]`: `a` is `b` except at `i`, where it held some number that is eliminated in turn, and `b[i] = v`. Null
 * unless `a` is under some stores and nowhere in their indices and values.
 */
function unwritten(
  terms: Terms,
  formulas: readonly Term[],
  variable: Variable,
  open: Set<Variable>,
): readonly Term[] | null {
  if (variable.sort !== "Array") return null;
  for (const formula of formulas) {
    if (formula.kind !== "arrayEq") continue;
    for (const [written, other] of [
      [formula.left, formula.right],
      [formula.right, formula.left],
    ] as const) {
      const stores = storesOver(written, variable);
      if (stores === null || stores.length === 0 || mentions(other, variable)) continue;
      let array = other;
      const cells: Term[] = [];
      // From the last write to the first.
      for (const { index, value } of stores) {
        cells.push(terms.eq(terms.select(array, index), value));
        const before = terms.fresh("before", "Int");
        open.add(before);
        array = terms.store(array, index, before);
      }
      const rest = formulas.filter((each) => each !== formula);
      return [...cells, ...rest.map(createSubstituter(terms, new Map([[variable, array]])))];
    }
  }
  return null;
}

function storesOver(array: Term, variable: Variable): { index: Term; value: Term }[] | null {
  const stores: { index: Term; value: Term }[] = [];
  let inner = array;
  while (inner.kind === "store") {
    if (mentions(inner.index, variable) || mentions(inner.value, variable)) return null;
    stores.push({ index: inner.index, value: inner.value });
    inner = inner.array;
  }
  return inner === variable ? stores : null;
}

/** `t div c` and `t mod c` as numbers `q` and `r` of their own: `t = c * q + r`. */
function namedQuotient(
  terms: Terms,
  formulas: readonly Term[],
  open: Set<Variable>,
  budget: Budget,
): readonly Term[] | null {
  const keeps = (term: Term) => freeVariables(term).some((variable) => open.has(variable));
  const isPlain = (term: Term) => !postOrder([term]).some(({ kind }) => notInDividend.has(kind));
  for (const part of postOrder(formulas, isNotQuantified)) {
    if ((part.kind !== "div" && part.kind !== "mod") || part.divisor.kind !== "int") continue;
    const { dividend, divisor } = part;
    if (divisor.value <= 0n || !keeps(dividend) || !isPlain(dividend) || budget.quotients === 0) continue;
    budget.quotients--;
    const [quotient, remainder] = [terms.fresh("quotient", "Int"), terms.fresh("remainder", "Int")];
    open.add(quotient).add(remainder);
    const named = new Map<Term, Term>([
      [terms.div(dividend, divisor), quotient],
      [terms.mod(dividend, divisor), remainder],
    ]);
    return flatten(terms, [
      ...formulas.map(createSubstituter(terms, named)),
      terms.eq(dividend, terms.add(terms.scale(divisor.value, quotient), remainder)),
      terms.ge(remainder, terms.int(0n)),
      terms.lt(remainder, divisor),
    ]);
  }
  return null;
}

/** What a quantifier binds has no meaning outside of it. */
function isNotQuantified({ kind }: Term): boolean {
  return kind !== "forall" && kind !== "exists";
}

/** The innermost quotients come first, and choices are split before. */
const notInDividend: ReadonlySet<Term["kind"]> = new Set(["div", "mod", "ite", "select"]);

/** A disjunction, or a condition inside of a term, that keeps a variable: one elimination for each case. */
function splitCases(
  terms: Terms,
  formulas: readonly Term[],
  open: ReadonlySet<Variable>,
  budget: Budget,
): Elimination | null {
  const cases = casesIn(terms, formulas, open);
  if (cases === null || cases.length > budget.cases) return null;
  budget.cases -= cases.length;
  const results: Term[] = [];
  for (const each of cases) {
    const { formulas: rest, left } = eliminateWithin(terms, each, open, budget);
    if (left.length > 0) return null;
    results.push(terms.all(rest));
  }
  return { formulas: flatten(terms, [terms.any(results)]), left: [] };
}

function casesIn(
  terms: Terms,
  formulas: readonly Term[],
  open: ReadonlySet<Variable>,
): readonly (readonly Term[])[] | null {
  const keeps = (term: Term) => freeVariables(term).some((variable) => open.has(variable));
  for (const formula of formulas) {
    if (!keeps(formula)) continue;
    const others = formulas.filter((other) => other !== formula);
    if (formula.kind === "or") return disjuncts(formula).map((part) => flatten(terms, [...others, part]));
    if (formula.kind === "not" && formula.operand.kind === "eq") {
      const { sum, bound } = formula.operand;
      const sides = [terms.atMost(sum, bound - 1n), terms.atMost(terms.neg(sum), -bound - 1n)];
      return sides.map((side) => flatten(terms, [...others, side]));
    }
    const choice = choiceIn(terms, formula, keeps);
    if (choice === null) continue;
    return [[choice.condition, choice.whenTrue] as const, [terms.not(choice.condition), choice.whenFalse] as const].map(
      ([condition, value]) => {
        const apply = createSubstituter(terms, new Map([[choice.of, value]]));
        return flatten(terms, [condition, ...formulas.map(apply)]);
      },
    );
  }
  return null;
}

type Choice = { readonly of: Term; readonly condition: Term; readonly whenTrue: Term; readonly whenFalse: Term };

/** A term that is one thing or another: as such, or a cell that may be the one that was written. */
function choiceIn(terms: Terms, formula: Term, keeps: (term: Term) => boolean): Choice | null {
  for (const part of postOrder([formula], isNotQuantified)) {
    if (part.kind === "ite" && keeps(part)) return { of: part, ...part };
    if (part.kind === "select" && part.array.kind === "store" && keeps(part)) {
      const { array, index, value } = part.array;
      const condition = terms.eq(index, part.index);
      return { of: part, condition, whenTrue: value, whenFalse: terms.select(array, part.index) };
    }
  }
  return null;
}
