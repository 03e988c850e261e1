import { assertNever } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { FunctionId, VariableId } from "./program.ts";
import type { BitField, IntType, PointerType, ScalarType } from "./type.ts";

/**
 * Expressions have no side effects and a scalar value. They may be undefined (overflow, division by zero, a bad load):
 * evaluating one may end the run. `&&`, `||`, `?:`, calls, `++` and assignments inside C expressions are lowered to
 * edges and never occur here.
 *
 * Every implicit conversion of the source language is explicit: the operands of a binary operation have equal types
 * (shifts excepted: the right operand keeps its own promoted integer type).
 */
export type Expression =
  | Constant
  | VariableRead
  | Load
  | AddressOf
  | Offset
  | FieldAddress
  | Unary
  | Binary
  | Comparison
  | PointerDifference
  | Convert;

export type Constant =
  | {
      readonly kind: "constant";
      readonly type: IntType | { readonly kind: "bool" } | PointerType;
      readonly value: bigint;
    }
  | {
      readonly kind: "constant";
      readonly type: { readonly kind: "float"; readonly bits: 32 | 64 };
      readonly value: number;
    };

/** The value of a variable with `storage: "register"`. */
export type VariableRead = { readonly kind: "variable"; readonly type: ScalarType; readonly variable: VariableId };

/** Reads a scalar from memory. */
export type Load = {
  readonly kind: "load";
  readonly type: ScalarType;
  readonly address: Expression;
  readonly bitField?: BitField;
};

/** The address of byte 0 of a variable with `storage: "memory"`, or of a function. */
export type AddressOf = {
  readonly kind: "addressOf";
  readonly type: PointerType;
  readonly object:
    | { readonly kind: "variable"; readonly variable: VariableId }
    | { readonly kind: "function"; readonly function: FunctionId };
};

/** `pointer + index * scale` bytes. `index` has an integer type of any width and is taken as its mathematical value. */
export type Offset = {
  readonly kind: "offset";
  readonly type: PointerType;
  readonly pointer: Expression;
  readonly index: Expression;
  readonly scale: number;
  /** `a[i]` rather than `*(a + i)`; for printing and for the bound that a bad access names. */
  readonly subscript: boolean;
  /** `pointer` is an array that is a part of something larger: an index outside of it is undefined. */
  readonly bound?: IndexBound;
};

export type IndexBound = {
  /** The number of elements. */
  readonly length: number;
  /** Only the address is taken, which may be the one behind the last element. */
  readonly past: boolean;
};

/** Indices are from 0 to below this. */
export function indexLimit({ length, past }: IndexBound): number {
  return past ? length + 1 : length;
}

/** `pointer + offset` bytes: the address of a field of the struct that `pointer` points to. */
export type FieldAddress = {
  readonly kind: "fieldAddress";
  readonly type: PointerType;
  readonly pointer: Expression;
  readonly field: string;
  readonly offset: number;
};

/** `negate`: arithmetic; `complement`: bitwise. Logical `!x` is `x == 0`. The type is the operand's. */
export type Unary = {
  readonly kind: "unary";
  readonly operator: "negate" | "complement";
  readonly type: ScalarType;
  readonly operand: Expression;
};

export type BinaryOperator = "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>";

/**
 * Signed `+ - *` and `/` (most negative by -1) that overflow are undefined; unsigned ones wrap. `/` and `%` truncate.
 * Bitwise and shift operators only on integers, `%` only on integers, arithmetic also on floats.
 */
export type Binary = {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly type: ScalarType;
  readonly left: Expression;
  readonly right: Expression;
};

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** The value is 1 or 0 of the language's truth type (`int` in C). Operands are two integers, floats or pointers. */
export type Comparison = {
  readonly kind: "comparison";
  readonly operator: ComparisonOperator;
  readonly type: IntType;
  readonly left: Expression;
  readonly right: Expression;
};

/** `(left - right) / scale` for two pointers into one object. */
export type PointerDifference = {
  readonly kind: "pointerDifference";
  readonly type: IntType;
  readonly left: Expression;
  readonly right: Expression;
  readonly scale: number;
};

/** A conversion of the source language, explicit or not. Narrowing integer conversions wrap; to `bool` is `!= 0`. */
export type Convert = {
  readonly kind: "convert";
  readonly type: ScalarType;
  readonly operand: Expression;
  /** Written as a cast in the source; printing shows only those. */
  readonly explicit: boolean;
};

/** The direct subexpressions. */
export function expressionOperands(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "constant":
    case "variable":
    case "addressOf":
      return [];
    case "load":
      return [expression.address];
    case "offset":
      return [expression.pointer, expression.index];
    case "fieldAddress":
      return [expression.pointer];
    case "unary":
    case "convert":
      return [expression.operand];
    case "binary":
    case "comparison":
    case "pointerDifference":
      return [expression.left, expression.right];
    default:
      return assertNever(expression, "expression");
  }
}

/** The same kind of expression with other direct subexpressions, at the same place of the source. */
export function mapOperands(expression: Expression, map: (operand: Expression) => Expression): Expression {
  return placedLike(withOperands(expression, map), expression);
}

function withOperands(expression: Expression, map: (operand: Expression) => Expression): Expression {
  switch (expression.kind) {
    case "constant":
    case "variable":
    case "addressOf":
      return expression;
    case "load":
      return { ...expression, address: map(expression.address) };
    case "offset":
      return { ...expression, pointer: map(expression.pointer), index: map(expression.index) };
    case "fieldAddress":
      return { ...expression, pointer: map(expression.pointer) };
    case "unary":
    case "convert":
      return { ...expression, operand: map(expression.operand) };
    case "binary":
    case "comparison":
    case "pointerDifference":
      return { ...expression, left: map(expression.left), right: map(expression.right) };
    default:
      return assertNever(expression, "expression");
  }
}

/** The expression and everything in it, parts before what they are part of. */
export function subexpressions(expression: Expression): readonly Expression[] {
  const found: Expression[] = [];
  collect(expression, found);
  return found;
}

function collect(expression: Expression, found: Expression[]): void {
  for (const operand of expressionOperands(expression)) collect(operand, found);
  found.push(expression);
}

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
