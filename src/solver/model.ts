import {
  type Assignment,
  arrayValue,
  evaluate,
  evaluateAll,
  type Interpretation,
  type Value,
} from "../logic/evaluate.ts";
import type { Apply, Sort, Term, Variable } from "../logic/term.ts";

/** An assignment that satisfies a formula. Variables it does not mention may have any value and get a default. */
export type Model = {
  /** The values that the solver gave. */
  readonly values: ReadonlyMap<Variable, Value>;
  readonly assignment: Assignment;
  value(variable: Variable): Value;
  /** Null where the value is not determined: division by zero, quantifiers (see `evaluate`). */
  evaluate(term: Term): Value | null;
  evaluateAll(terms: readonly Term[]): readonly (Value | null)[];
  /** The formula is true in the model, decided by evaluation. */
  satisfies(formula: Term): boolean;
};

/** An application of an uninterpreted function with its value. */
export type AppliedValue = { readonly apply: Apply; readonly value: Value };

/** `unreadable` are variables that have a value which we cannot express: what depends on them is not determined. */
export function createModel(
  values: ReadonlyMap<Variable, Value>,
  applied: readonly AppliedValue[] = [],
  unreadable: ReadonlySet<Variable> = new Set(),
): Model {
  const assignment: Assignment = (variable) =>
    values.get(variable) ?? (unreadable.has(variable) ? undefined : defaultValue(variable.sort));
  let table: Map<string, Value> | null = null;
  const interpretation: Interpretation = (apply, args) => {
    table ??= tabulate(applied, assignment);
    return table.get(applicationKey(apply, args)) ?? defaultValue(apply.sort);
  };
  return {
    values,
    assignment,
    value: (variable) => values.get(variable) ?? defaultValue(variable.sort),
    evaluate: (term) => evaluate(term, assignment, interpretation),
    evaluateAll: (terms) => evaluateAll(terms, assignment, interpretation),
    satisfies: (formula) => evaluate(formula, assignment, interpretation) === true,
  };
}

export const emptyModel: Model = createModel(new Map());

function defaultValue(sort: Sort): Value {
  return sort === "Int" ? 0n : sort === "Bool" ? false : arrayValue();
}

function tabulate(applied: readonly AppliedValue[], assignment: Assignment): Map<string, Value> {
  const table = new Map<string, Value>();
  for (const { apply, value } of applied) {
    const args = evaluateAll(apply.arguments, assignment, (inner, values) => table.get(applicationKey(inner, values)));
    if (args.every((argument) => argument !== null)) table.set(applicationKey(apply, args), value);
  }
  return table;
}

function applicationKey(apply: Apply, args: readonly Value[]): string {
  return `${apply.symbol.name}(${args.map(printValue).join(",")})`;
}

function printValue(value: Value): string {
  if (typeof value !== "object") return `${value}`;
  const entries = [...value.entries].filter(([, v]) => v !== value.otherwise).sort(([a], [b]) => (a < b ? -1 : 1));
  return `[${entries.map(([i, v]) => `${i}:${v}`)};${value.otherwise}]`;
}
