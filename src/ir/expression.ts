import { assertNever } from "../base/errors.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { FunctionId, VariableId } from "./program.ts";
import type { BitField, IntType, PointerType, ScalarType } from "./type.ts";

/**
 * Expressions have a scalar value and no side effects. They may be undefined (overflow, division by zero, a bad load):
 * evaluating one may end the run. `&&`, `||`, `?:`, calls, `++` and assignments are lowered to edges. All conversions
 * are explicit: operands of a binary operation have equal types, except the right operand of a shift.
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

/** `pointer + index * scale` bytes. `index` has any integer type and counts as its mathematical value. */
export type Offset = {
  readonly kind: "offset";
  readonly type: PointerType;
  readonly pointer: Expression;
  readonly index: Expression;
  readonly scale: number;
  /** `a[i]` rather than `*(a + i)`; for printing and messages. */
  readonly subscript: boolean;
  /** `pointer` is an array inside a larger object: an index outside of it is undefined. */
  readonly bound?: IndexBound;
};

export type IndexBound = {
  readonly length: number;
  /** Only the address is taken, which may be one past the last element. */
  readonly past: boolean;
};

/** The exclusive upper bound of valid indices. */
export function indexLimit({ length, past }: IndexBound): number {
  return past ? length + 1 : length;
}

/** `pointer + offset` bytes: a field of the struct that `pointer` points to. */
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
 * Signed overflow is undefined; unsigned results wrap. `/` and `%` truncate. `%`, bits and shifts take only integers.
 */
export type Binary = {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly type: ScalarType;
  readonly left: Expression;
  readonly right: Expression;
};

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/** 1 or 0 of the language's truth type (`int` in C). Operands are two integers, floats or pointers. */
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

/** An explicit or implicit conversion. Narrowing integer conversions wrap; to `bool` is `!= 0`. */
export type Convert = {
  readonly kind: "convert";
  readonly type: ScalarType;
  readonly operand: Expression;
  /** Written as a cast in the source; printing shows only those. */
  readonly explicit: boolean;
};

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

/** The same kind of expression with other direct subexpressions, at the same range. */
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

/** The expression and all its parts, parts first. */
export function subexpressions(expression: Expression): readonly Expression[] {
  const found: Expression[] = [];
  collect(expression, found);
  return found;
}

function collect(expression: Expression, found: Expression[]): void {
  for (const operand of expressionOperands(expression)) collect(operand, found);
  found.push(expression);
}

/** Ranges of expressions, kept outside of them: no analysis depends on a range, and only front ends set it. */
const ranges = new WeakMap<Expression, SourceRange>();

export function rangeOfExpression(expression: Expression): SourceRange | null {
  return ranges.get(expression) ?? null;
}

/** The innermost range counts, without parentheses around it. */
export function placedAt<T extends Expression>(expression: T, range: SourceRange): T {
  if (!ranges.has(expression)) ranges.set(expression, range);
  return expression;
}

export function placedLike<T extends Expression>(copy: T, original: Expression): T {
  const range = ranges.get(original);
  return range === undefined ? copy : placedAt(copy, range);
}

const spellings = new WeakMap<Expression, string>();

/** The spelling of an expression that is not in the source; null if none was given. */
export function spellingOf(expression: Expression): string | null {
  return spellings.get(expression) ?? null;
}
