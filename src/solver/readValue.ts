import type { ArrayValue, Value } from "../logic/evaluate.ts";
import type { SExpression } from "../logic/parseSmtLib.ts";
import type { Sort } from "../logic/term.ts";

/** The value that a solver printed for a term of that sort, or null where we cannot read it. */
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
  if (typeof expression === "string") return /^\d+(\.0+)?$/.test(expression) ? BigInt(expression.split(".")[0]!) : null;
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
      // Long values have names for their parts.
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
    const index = readInteger(condition[1] === name ? condition[2]! : condition[1]!);
    const value = readInteger(whenTrue!);
    if (index === null || value === null) return null;
    if (!entries.has(index)) entries.set(index, value);
    expression = whenFalse!;
  }
  const otherwise = readInteger(expression);
  return otherwise === null ? null : { entries, otherwise };
}
