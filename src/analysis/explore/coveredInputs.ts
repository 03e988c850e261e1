import type { InputValue } from "../../interpreter/inputs.ts";
import { evaluateAll } from "../../logic/evaluate.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import type { Sort, Term } from "../../logic/term.ts";
import { createTerms, type Terms } from "../../logic/terms.ts";

/**
 * The inputs with which all runs are proved to fail as one of them does (000, scenario 1): paths that they take need not be
 * explored again. Formulas in SMT-LIB over names of inputs, so that whoever proved it has a term store of their own.
 */
export type CoveredInputs = {
  readonly formulas: readonly string[];
  readonly sorts: Readonly<Record<string, Sort>>;
  /** One for each input of the run: its name in the formulas, null where it is not mentioned, and its type. */
  readonly inputs: readonly { readonly name: string | null; readonly type: string }[];
};

export function conditionIn(terms: Terms, { formulas, sorts }: CoveredInputs): Term {
  return terms.all(formulas.map((text) => parseSmtLib(terms, text, (name) => sorts[name] ?? null)));
}

/** Is a run with these inputs one of those that are known to fail? */
export function covers(covered: CoveredInputs, values: readonly InputValue[]): boolean {
  const terms = createTerms();
  const byName = new Map(covered.inputs.map(({ name }, i) => [name, values[i]]));
  const [holds] = evaluateAll([conditionIn(terms, covered)], ({ name }) => {
    const value = byName.get(name);
    return typeof value === "bigint" ? value : undefined;
  });
  return holds === true;
}
