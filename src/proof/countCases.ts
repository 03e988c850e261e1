import { nth, present } from "../base/checked.ts";
import type { Obligation } from "../cutpoints/obligation.ts";
import { conjuncts, isFalse, type Term } from "../logic/term.ts";
import { createTerms, type Terms } from "../logic/terms.ts";
import { childrenOf, createSubstituter, postOrder, rebuild } from "../logic/traverse.ts";

/**
 * How many cases a proof distinguishes that decides one test of a conditional after the other, as Coq's tactic does, for
 * each conjunct of the conclusion: the conclusion's tests first, and no further where the hypotheses decide it on sight.
 * Reading a written cell is a conditional too. Stops counting above `limit`.
 */
export function countCases(obligation: Obligation, limit: number): number {
  const terms = createTerms();
  const copy = copyTo(terms);
  type Case = { readonly hypotheses: readonly Term[]; readonly conclusion: Term };
  const hypotheses = obligation.hypotheses.map(copy);
  const open: Case[] = conjuncts(copy(obligation.conclusion)).map((conclusion) => ({ hypotheses, conclusion }));
  let count = 0;
  for (let current = open.pop(); current !== undefined && count <= limit; current = open.pop()) {
    const { hypotheses, conclusion } = current;
    const isDecided = isFalse(terms.all([...hypotheses, terms.not(conclusion)]));
    const test = isDecided ? null : (firstTest([conclusion]) ?? firstTest(hypotheses));
    if (test === null) count++;
    else {
      for (const holds of [false, true]) {
        const decide = createSubstituter(terms, decision(terms, test, holds));
        const learnt = holds ? test : terms.not(test);
        open.push({ hypotheses: [...hypotheses.map(decide), learnt], conclusion: decide(conclusion) });
      }
    }
  }
  return count;
}

/** Copies terms to a store of their own, with what is read from written arrays as conditionals. */
function copyTo(terms: Terms): (term: Term) => Term {
  const copies = new Map<Term, Term>();
  return (root) => {
    for (const term of postOrder([root], (part) => !copies.has(part))) {
      const children = childrenOf(term).map((child) => present(copies.get(child)));
      copies.set(term, copyOf(terms, term, children));
    }
    return present(copies.get(root));
  };
}

function copyOf(terms: Terms, term: Term, children: readonly Term[]): Term {
  switch (term.kind) {
    case "int":
      return terms.int(term.value);
    case "bool":
      return terms.bool(term.value);
    case "variable":
      return terms.variable(term.name, term.sort);
    case "select":
      return read(terms, nth(children, 0), nth(children, 1));
    default:
      return rebuild(terms, term, children);
  }
}

function read(terms: Terms, array: Term, index: Term): Term {
  const written: { readonly test: Term; readonly value: Term }[] = [];
  let rest = array;
  for (; rest.kind === "store"; rest = rest.array)
    written.push({ test: terms.eq(index, rest.index), value: rest.value });
  return written.reduceRight((below, { test, value }) => terms.ite(test, value, below), terms.select(rest, index));
}

/** The first test of the first conditional; a conditional inside of it comes before it. */
function firstTest(formulas: readonly Term[]): Term | null {
  for (const term of postOrder(formulas)) {
    if (term.kind !== "ite") continue;
    let test = term.condition;
    while (test.kind === "and" || test.kind === "or" || test.kind === "not") test = nth(childrenOf(test), 0);
    return test;
  }
  return null;
}

/** The value of a test in a case, and that of the variable that it compares with a number. */
function decision(terms: Terms, test: Term, holds: boolean): ReadonlyMap<Term, Term> {
  if (holds && test.kind === "eq" && test.sum.kind === "variable") return new Map([[test.sum, terms.int(test.bound)]]);
  const decided = new Map([[test, terms.bool(holds)]]);
  const opposite = terms.not(test);
  if (opposite.kind !== "not") decided.set(opposite, terms.bool(!holds));
  return decided;
}
