import { TracefoldError } from "../../base/errors.ts";
import { freeVariables, freeVariablesOf } from "../../logic/freeVariables.ts";
import { termOfSExpression } from "../../logic/parseSmtLib.ts";
import { printDeclaration, printSmtLib, printSort } from "../../logic/printSmtLib.ts";
import { readSExpressions, type SExpression } from "../../logic/sExpression.ts";
import { printSymbol } from "../../logic/smtSymbol.ts";
import { substitute } from "../../logic/substitute.ts";
import { conjuncts, type Term, type Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { postOrder } from "../../logic/traverse.ts";
import { flatten } from "../interpolation/projectVariable.ts";
import type { Solver } from "../solver.ts";
import { eliminateVariables } from "./eliminateVariables.ts";

/** What some formulas say about the variables that are left when others are eliminated. */
export type Projection =
  /** The conjunction is equivalent to "there are values of the others such that …". */
  | { readonly kind: "exact"; readonly formulas: readonly Term[] }
  /** It follows from that, and may say less: what speaks of the variables in `left` could not be kept. */
  | { readonly kind: "implied"; readonly formulas: readonly Term[]; readonly left: readonly Variable[] };

/**
 * Eliminates variables: by substitution and the other exact rules of `eliminateVariables`, then by the solver's `qe-light`
 * where there is one. Never an under-approximation: that is `projectByModel`.
 */
export function project(
  terms: Terms,
  formulas: readonly Term[],
  eliminate: ReadonlySet<Variable>,
  solver: Solver | null = null,
): Projection {
  const first = eliminateVariables(terms, formulas, eliminate);
  if (first.left.length === 0) return { kind: "exact", formulas: first.formulas };
  const lighter = solver === null ? null : qeLight(terms, solver, first.formulas, first.left);
  if (lighter !== null && lighter.left.length === 0) return { kind: "exact", formulas: lighter.formulas };
  // More was eliminated, but not all: what is left may now yield to the rules.
  const rest = lighter ?? first;
  const second = eliminateVariables(terms, rest.formulas, new Set(rest.left));
  if (second.left.length === 0) return { kind: "exact", formulas: second.formulas };
  const open = new Set(second.left);
  return {
    kind: "implied",
    formulas: second.formulas.filter((formula) => freeVariables(formula).every((variable) => !open.has(variable))),
    left: second.left,
  };
}

type Eliminated = { readonly formulas: readonly Term[]; readonly left: readonly Variable[] };

/** Asks for what the tactic makes of the quantified formula; null where it cannot be asked or not be read. */
function qeLight(
  terms: Terms,
  solver: Solver,
  formulas: readonly Term[],
  variables: readonly Variable[],
): Eliminated | null {
  const bound = new Set(variables);
  const free = freeVariablesOf(formulas).filter((variable) => !bound.has(variable));
  const bindings = variables.map(({ name, sort }) => `(${printSymbol(name)} ${printSort(sort)})`).join(" ");
  const script = [
    ...free.map(printDeclaration),
    `(assert (exists (${bindings}) ${printSmtLib(terms.all(formulas))}))`,
    "(apply (then simplify qe-light simplify))",
  ].join("\n");
  const answer = solver.run(script);
  if (answer.kind !== "output") return null;
  const sorts = new Map(free.map((variable) => [variable.name, variable.sort]));
  try {
    const goal = readGoal(answer.text);
    if (goal === null) return null;
    const result = goal.map((part) => termOfSExpression(terms, part, (name) => sorts.get(name) ?? null));
    return openQuantifiers(terms, result);
  } catch (error) {
    // No goal, or operators that have no counterpart here.
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

/** The formulas of the one goal that the tactic leaves; null unless the solver says that it is equivalent. */
function readGoal(text: string): readonly SExpression[] | null {
  const [goals] = readSExpressions(text);
  if (!Array.isArray(goals) || goals[0] !== "goals" || goals.length !== 2) return null;
  const goal = goals[1] as readonly SExpression[];
  if (!Array.isArray(goal) || goal[0] !== "goal") return null;
  const formulas: SExpression[] = [];
  let precise = false;
  for (let i = 1; i < goal.length; i++) {
    const part = goal[i]!;
    if (part === ":precision") precise = goal[++i] === "precise";
    else if (part === ":depth") i++;
    else formulas.push(part);
  }
  return precise ? formulas : null;
}

/**
 * A conjunct that is still quantified stands for a formula about variables that are left, each under a name of its own:
 * "some x … and some x …" is not about one x. Deeper quantifiers cannot be opened.
 */
function openQuantifiers(terms: Terms, formulas: readonly Term[]): Eliminated | null {
  const opened: Term[] = [];
  const left: Variable[] = [];
  for (const formula of formulas.flatMap(conjuncts)) {
    let body = formula;
    if (formula.kind === "exists") {
      const names = formula.bound.map((variable) => [variable, terms.fresh(variable.name, variable.sort)] as const);
      for (const [, name] of names) left.push(name);
      body = substitute(terms, formula.body, new Map(names));
    }
    if (postOrder([body]).some(({ kind }) => kind === "exists" || kind === "forall")) return null;
    opened.push(body);
  }
  return { formulas: flatten(terms, opened), left };
}
