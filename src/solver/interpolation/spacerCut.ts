import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { readSExpressions, type SExpression, termOfSExpression } from "../../logic/parseSmtLib.ts";
import { parseSymbol, printSmtLib, printSort, printSymbol } from "../../logic/printSmtLib.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { freeVariablesOf, substitute } from "../../logic/traverse.ts";
import type { Limits, Solver } from "../solver.ts";

/** Without these the answer is just the strongest postcondition of the first part. */
const options = ["fp.xform.inline_eager", "fp.xform.inline_linear", "fp.xform.slice"]
  .map((name) => `(set-option :${name} false)`)
  .join("");

/**
 * One interpolant between two parts, over their shared variables, from Z3's Spacer: the parts are Horn clauses around
 * an unknown predicate. null if Spacer finds none, or an unreadable one.
 */
export function cutWithSpacer(
  terms: Terms,
  solver: Solver,
  first: readonly Term[],
  second: readonly Term[],
  limits?: Partial<Limits>,
): Term | null {
  const [left, right] = [freeVariablesOf(first), freeVariablesOf(second)];
  const shared = right.filter((variable) => left.includes(variable));
  const sorts = shared.map((variable) => printSort(variable.sort)).join(" ");
  const predicate = shared.length === 0 ? "cut" : `(cut ${shared.map((v) => printSymbol(v.name)).join(" ")})`;
  const script = [
    options,
    "(set-logic HORN)",
    `(declare-fun cut (${sorts}) Bool)`,
    clause([...left, ...shared], `(=> ${printSmtLib(terms.all(first))} ${predicate})`),
    clause(right, `(=> (and ${predicate} ${printSmtLib(terms.all(second))}) false)`),
    "(check-sat)",
    "(get-model)",
  ];
  const result = solver.run(script.join("\n"), limits);
  if (result.kind === "unknown") return null;
  try {
    return readPredicate(terms, readSExpressions(result.text), shared);
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

function clause(variables: readonly Variable[], body: string): string {
  const distinct = [...new Set(variables)];
  if (distinct.length === 0) return `(assert ${body})`;
  const bindings = distinct.map((v) => `(${printSymbol(v.name)} ${printSort(v.sort)})`).join(" ");
  return `(assert (forall (${bindings}) ${body}))`;
}

/** `sat`, then the model with `(define-fun cut ((x!0 Int) …) Bool body)` in it. */
function readPredicate(terms: Terms, output: readonly SExpression[], shared: readonly Variable[]): Term | null {
  const [verdict, model] = output;
  if (verdict !== "sat" || !Array.isArray(model)) return null;
  const definition = model.find((part) => Array.isArray(part) && part[0] === "define-fun" && part[1] === "cut");
  if (definition === undefined) return null;
  const parameters = definition[2] as readonly (readonly [string, SExpression])[];
  const byName = new Map<string, Variable>();
  const back = new Map<Term, Term>();
  for (const [i, [name]] of parameters.entries()) {
    const local = terms.fresh("cut", nth(shared, i).sort);
    byName.set(parseSymbol(name), local);
    back.set(local, nth(shared, i));
  }
  const renamed = renameSymbols(definition[4]!, byName);
  const sorts = new Map([...byName.values()].map((variable) => [variable.name, variable.sort]));
  const body = termOfSExpression(terms, renamed, (name) => sorts.get(name) ?? null);
  return substitute(terms, body, back);
}

function renameSymbols(expression: SExpression, byName: ReadonlyMap<string, Variable>): SExpression {
  if (typeof expression !== "string") return expression.map((part) => renameSymbols(part, byName));
  const variable = byName.get(parseSymbol(expression));
  return variable === undefined ? expression : printSymbol(variable.name);
}
