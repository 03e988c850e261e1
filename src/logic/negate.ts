import { assertNever } from "../base/assertNever.ts";
import type { Arithmetic } from "./arithmetic.ts";
import type { Booleans } from "./boolean.ts";
import type { Comparisons } from "./comparison.ts";
import type { Term } from "./term.ts";
import type { TermTable } from "./termTable.ts";

/** The negation in negation normal form, remembered both ways, so that `not(not(t)) === t`. Linear in the term. */
export function negateTerm(table: TermTable, terms: Arithmetic & Comparisons & Booleans, root: Term): Term {
  const done = table.negation;
  const known = done.get(root.id);
  if (known !== undefined) return known;
  const stack: Term[] = [root];
  while (stack.length > 0) {
    const term = stack.at(-1)!;
    const waiting = done.has(term.id) ? [] : negatedParts(term).filter((part) => !done.has(part.id));
    if (waiting.length > 0) {
      for (const part of waiting) stack.push(part);
      continue;
    }
    stack.pop();
    if (done.has(term.id)) continue;
    const negated = negateNode(table, terms, term, (part) => done.get(part.id)!);
    done.set(term.id, negated);
    if (!done.has(negated.id)) done.set(negated.id, term);
  }
  return done.get(root.id)!;
}

function negatedParts(term: Term): readonly Term[] {
  switch (term.kind) {
    case "and":
    case "or":
      return term.arguments;
    case "ite":
      return [term.whenTrue, term.whenFalse];
    case "forall":
    case "exists":
      return [term.body];
    default:
      return [];
  }
}

function negateNode(
  table: TermTable,
  terms: Arithmetic & Comparisons & Booleans,
  term: Term,
  negationOf: (part: Term) => Term,
): Term {
  switch (term.kind) {
    case "bool":
      return terms.bool(!term.value);
    case "le":
      return terms.atMost(terms.neg(term.sum), -term.bound - 1n);
    case "and":
      return terms.any(term.arguments.map(negationOf));
    case "or":
      return terms.all(term.arguments.map(negationOf));
    case "ite":
      return terms.ite(term.condition, negationOf(term.whenTrue), negationOf(term.whenFalse));
    case "forall":
      return terms.exists(term.bound, negationOf(term.body));
    case "exists":
      return terms.forall(term.bound, negationOf(term.body));
    case "not":
      return term.operand;
    case "variable":
    case "apply":
    case "eq":
    case "arrayEq":
      return table.intern(`!${term.id}`, { kind: "not", sort: "Bool", operand: term });
    case "int":
    case "sum":
    case "product":
    case "div":
    case "mod":
    case "bits":
    case "select":
    case "store":
    case "constantArray":
      throw new TypeError(`${term.kind} is no formula`);
    default:
      return assertNever(term);
  }
}
