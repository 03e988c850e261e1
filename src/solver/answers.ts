import { nth } from "../base/checked.ts";
import { TracefoldError } from "../base/errors.ts";
import {
  type ArrayValue,
  type Assignment,
  arrayValue,
  evaluate,
  evaluateAll,
  type Interpretation,
  type Value,
} from "../logic/evaluate.ts";
import { readSExpressions, type SExpression } from "../logic/parseSmtLib.ts";
import type { Apply, Sort, Term, Variable } from "../logic/term.ts";
import type { Reply } from "./backend/backend.ts";
import { type Unknown, unknown } from "./solver.ts";

export type Answer =
  | { readonly kind: "sat" | "unsat" | "unknown" }
  | { readonly kind: "failed"; readonly unknown: Unknown };

/** The verdict in a solver's output. Anything but one of the three words is a failure. */
export function readVerdict(text: string): Answer {
  const error = findError(text);
  if (error !== null) return { kind: "failed", unknown: error };
  const word = text.trim();
  if (word === "sat" || word === "unsat" || word === "unknown") return { kind: word };
  if (word === "timeout") return { kind: "failed", unknown: unknown("limit", "time limit reached") };
  return { kind: "failed", unknown: unknown("failure", `unexpected answer of the solver: ${word.slice(0, 200)}`) };
}

/** Z3 continues after an error, so an output with an error in it is worthless. */
export function findError(text: string): Unknown | null {
  const match = /^\(error\s+"((?:[^"]|"")*)"?/m.exec(text);
  if (match === null) return null;
  const message = nth(match, 1).slice(0, 300);
  return unknown(/memory|bad_alloc/.test(message) ? "memory" : "failure", `solver error: ${message}`);
}

export function unknownOfLost(reply: Extract<Reply, { kind: "lost" }>): Unknown {
  switch (reply.cause) {
    case "time":
      return unknown("limit", `time limit reached: ${reply.message}`);
    case "memory":
      return unknown("memory", `the solver ran out of memory: ${reply.message}`);
    case "died":
      return unknown("failure", `the solver died: ${reply.message}`);
    case "interrupted":
      return unknown("interrupted", reply.message);
  }
}

export function readReason(text: string): Unknown {
  const said = /:reason-unknown\s+"?([^")]*)/.exec(text)?.[1]?.trim() ?? "no reason given";
  if (/memout|memory/i.test(said)) return unknown("memory", said);
  if (/cancel|timeout|resource|limit|interrupt/i.test(said)) return unknown("limit", `limit reached (${said})`);
  return unknown("incomplete", `the solver gave up (${said})`);
}

/** The only expression of an output; null if there is not exactly one. */
export function readOne(text: string): SExpression | null {
  try {
    const all = readSExpressions(text);
    return all.length === 1 ? nth(all, 0) : null;
  } catch (error) {
    if (error instanceof TracefoldError) return null;
    throw error;
  }
}

/** The value that a solver printed for a term of that sort; null if unreadable. */
export function readValue(expression: SExpression, sort: Sort): Value | null {
  switch (sort) {
    case "Bool":
      return expression === "true" ? true : expression === "false" ? false : null;
    case "Int":
      return readInteger(expression);
    case "Array":
      return readArrayValue(expression);
  }
}

function readInteger(expression: SExpression): bigint | null {
  if (typeof expression === "string")
    return /^\d+(\.0+)?$/.test(expression) ? BigInt(nth(expression.split("."), 0)) : null;
  const [head, operand] = expression;
  if (head !== "-" || expression.length !== 2) return null;
  const value = readInteger(operand!);
  return value === null ? null : -value;
}

/** Stores on a constant array, nested by the thousand; or a function of the index, as a chain of `ite`. */
function readArrayValue(root: SExpression): ArrayValue | null {
  const entries = new Map<bigint, bigint>();
  const named = new Map<string, SExpression>();
  let expression = root;
  for (;;) {
    if (typeof expression === "string") {
      const meant = named.get(expression);
      if (meant === undefined) return null;
      expression = meant;
      continue;
    }
    const [head, a, b, c] = expression;
    if (head === "let") {
      // Long values name their parts.
      for (const [name, value] of a as readonly (readonly [string, SExpression])[]) named.set(name, value);
      expression = b!;
    } else if (head === "store") {
      const [index, value] = [readInteger(b!), readInteger(c!)];
      if (index === null || value === null) return null;
      if (!entries.has(index)) entries.set(index, value);
      expression = a!;
    } else if (Array.isArray(head) && head[0] === "as" && head[1] === "const") {
      const otherwise = readInteger(a!);
      return otherwise === null ? null : { entries, otherwise };
    } else if (head === "lambda") {
      const name = (a as readonly (readonly SExpression[])[])[0]?.[0];
      return typeof name === "string" ? readCases(b!, name, entries) : null;
    } else return null;
  }
}

function readCases(body: SExpression, name: string, entries: Map<bigint, bigint>): ArrayValue | null {
  let expression = body;
  while (Array.isArray(expression) && expression[0] === "ite") {
    const [, condition, whenTrue, whenFalse] = expression as readonly SExpression[];
    if (!Array.isArray(condition) || condition[0] !== "=") return null;
    const index = readInteger(condition[1] === name ? nth(condition, 2) : nth(condition, 1));
    const value = readInteger(whenTrue!);
    if (index === null || value === null) return null;
    if (!entries.has(index)) entries.set(index, value);
    expression = whenFalse!;
  }
  const otherwise = readInteger(expression);
  return otherwise === null ? null : { entries, otherwise };
}

/** An assignment that satisfies a formula. Variables that it does not mention get a default. */
export type Model = {
  readonly values: ReadonlyMap<Variable, Value>;
  readonly assignment: Assignment;
  value(variable: Variable): Value;
  /** null if undetermined: division by zero, quantifiers (see `evaluate`). */
  evaluate(term: Term): Value | null;
  evaluateAll(terms: readonly Term[]): readonly (Value | null)[];
  satisfies(formula: Term): boolean;
};

/** An application of an uninterpreted function with its value. */
export type AppliedValue = { readonly apply: Apply; readonly value: Value };

/** `unreadable` variables have a value that we cannot express: what depends on them is undetermined. */
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
