import type { SourceRange } from "../base/sourceRange.ts";
import type { Expression } from "./expression.ts";

/**
 * Where in the source an expression stands, beside the expressions themselves: no analysis depends on it, and expressions
 * that were built by anyone but a front end have no place.
 */
const ranges = new WeakMap<Expression, SourceRange>();

export function rangeOfExpression(expression: Expression): SourceRange | null {
  return ranges.get(expression) ?? null;
}

/** The innermost place counts: parentheses and what only passes the value on come later. */
export function placedAt<T extends Expression>(expression: T, range: SourceRange): T {
  if (!ranges.has(expression)) ranges.set(expression, range);
  return expression;
}

/** A copy stands where its original does. */
export function placedLike<T extends Expression>(copy: T, original: Expression): T {
  const range = ranges.get(original);
  return range === undefined ? copy : placedAt(copy, range);
}

const spellings = new WeakMap<Expression, string>();

/** What a reader may call an expression that the source does not spell out; null where nobody said. */
export function spellingOf(expression: Expression): string | null {
  return spellings.get(expression) ?? null;
}

export function spelledAs<T extends Expression>(expression: T, text: string): T {
  spellings.set(expression, text);
  return expression;
}
