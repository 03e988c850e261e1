import type { BinaryOperator, ComparisonOperator } from "./expression.ts";

/** Operator precedences; larger binds tighter, as in C. */
export const precedences = {
  conditional: 1,
  or: 2,
  and: 3,
  bitOr: 4,
  bitXor: 5,
  bitAnd: 6,
  equality: 7,
  relation: 8,
  shift: 9,
  additive: 10,
  multiplicative: 11,
  unary: 12,
  primary: 13,
} as const;

/**
 * The operators of the program model, with their meaning in constant expressions, recorded runs, formulas and print.
 */
type BinaryRow = {
  readonly precedence: number;
  /**
   * How the type decides about the result. - `arithmetic`: both operands have the type; a signed result that does not
   * fit is undefined. - `bits`: both operands have the type, and so has every result. - `shift`: the right operand has
   * a type of its own and has to be less than the width.
   */
  readonly rule: "arithmetic" | "bits" | "shift";
  /** On mathematical integers; never called with a divisor of 0 or an invalid shift amount. */
  readonly exact: (left: bigint, right: bigint) => bigint;
  /** On floating-point numbers before rounding; null if C has no such operator. */
  readonly float: ((left: number, right: number) => number) | null;
};

const arithmetic = (precedence: number, exact: BinaryRow["exact"], float: BinaryRow["float"] = null): BinaryRow => ({
  precedence,
  rule: "arithmetic",
  exact,
  float,
});
const bits = (precedence: number, exact: BinaryRow["exact"]): BinaryRow => ({
  precedence,
  rule: "bits",
  exact,
  float: null,
});
const shift = (exact: BinaryRow["exact"]): BinaryRow => ({
  precedence: precedences.shift,
  rule: "shift",
  exact,
  float: null,
});

export const binaryOperators: Readonly<Record<BinaryOperator, BinaryRow>> = {
  "*": arithmetic(
    precedences.multiplicative,
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  "/": arithmetic(
    precedences.multiplicative,
    (a, b) => a / b,
    (a, b) => a / b,
  ),
  "%": arithmetic(precedences.multiplicative, (a, b) => a % b),
  "+": arithmetic(
    precedences.additive,
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  "-": arithmetic(
    precedences.additive,
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  "<<": shift((a, b) => a << b),
  ">>": shift((a, b) => a >> b),
  "&": bits(precedences.bitAnd, (a, b) => a & b),
  "^": bits(precedences.bitXor, (a, b) => a ^ b),
  "|": bits(precedences.bitOr, (a, b) => a | b),
};

/** The result on mathematical integers; null if undefined for every type of this width. */
export function applyExactly(operator: BinaryOperator, left: bigint, right: bigint, width: number): bigint | null {
  const { rule, exact } = binaryOperators[operator];
  if ((operator === "/" || operator === "%") && right === 0n) return null;
  if (rule === "shift" && (right < 0n || right >= BigInt(width))) return null;
  return exact(left, right);
}

type ComparisonRow = {
  readonly precedence: number;
  readonly holds: (left: bigint | number, right: bigint | number) => boolean;
  /** The negated comparison; not for floats, where NaN fails both. */
  readonly opposite: ComparisonOperator;
  /** The constructor of the formula (`logic/terms.ts`). */
  readonly term: "eq" | "ne" | "lt" | "le" | "gt" | "ge";
};

export const comparisonOperators: Readonly<Record<ComparisonOperator, ComparisonRow>> = {
  "==": { precedence: precedences.equality, holds: (a, b) => a === b, opposite: "!=", term: "eq" },
  "!=": { precedence: precedences.equality, holds: (a, b) => a !== b, opposite: "==", term: "ne" },
  "<": { precedence: precedences.relation, holds: (a, b) => a < b, opposite: ">=", term: "lt" },
  "<=": { precedence: precedences.relation, holds: (a, b) => a <= b, opposite: ">", term: "le" },
  ">": { precedence: precedences.relation, holds: (a, b) => a > b, opposite: "<=", term: "gt" },
  ">=": { precedence: precedences.relation, holds: (a, b) => a >= b, opposite: "<", term: "ge" },
};

export function isComparison(operator: string): operator is ComparisonOperator {
  return Object.hasOwn(comparisonOperators, operator);
}

export function isEquality(operator: string): operator is "==" | "!=" {
  return operator === "==" || operator === "!=";
}

export function precedenceOf(operator: BinaryOperator | ComparisonOperator): number {
  return isComparison(operator) ? comparisonOperators[operator].precedence : binaryOperators[operator].precedence;
}

/** The binary operators of C source from the loosest to the tightest. */
export const operatorLevels = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
] as const;
