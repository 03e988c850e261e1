import { precedences } from "../ir/operators.ts";
import type { Value } from "./evaluate.ts";

/**
 * Operations on IEEE 754 binary64, rounded to nearest. A number is represented by the integer of its bits (one pattern
 * for NaN), so that it is copied, stored and compared like any other value. A C `float` is the equal double; `single`
 * rounds to one. One operation on two floats, computed as doubles and rounded again, equals the binary32 result
 * (Figueroa, "When is double rounding innocuous?", 1995).
 */
export type FloatOperator = keyof typeof floatOperators;

type Row = {
  readonly form: "infix" | "prefix" | "call";
  /** The sign or the name of a function in C. */
  readonly text: string;
  readonly precedence: number;
  /** As a solver writes it; `$` stands for the operands. */
  readonly smt: string;
  readonly compute: (a: number, b: number) => number | boolean;
};

function infix(text: string, precedence: number, smt: string, compute: Row["compute"]): Row {
  return { form: "infix", text, precedence, smt, compute };
}

function prefixed(text: string, smt: string, compute: Row["compute"]): Row {
  return { form: "prefix", text, precedence: precedences.unary, smt, compute };
}

function called(text: string, smt: string, compute: Row["compute"]): Row {
  return { form: "call", text, precedence: precedences.primary, smt, compute };
}

export const floatOperators = {
  add: infix("+", precedences.additive, "(fp.add RNE $)", (a, b) => a + b),
  sub: infix("-", precedences.additive, "(fp.sub RNE $)", (a, b) => a - b),
  mul: infix("*", precedences.multiplicative, "(fp.mul RNE $)", (a, b) => a * b),
  div: infix("/", precedences.multiplicative, "(fp.div RNE $)", (a, b) => a / b),
  neg: prefixed("-", "(fp.neg $)", (a) => -a),
  abs: called("fabs", "(fp.abs $)", Math.abs),
  sqrt: called("sqrt", "(fp.sqrt RNE $)", Math.sqrt),
  floor: called("floor", "(fp.roundToIntegral RTN $)", Math.floor),
  ceil: called("ceil", "(fp.roundToIntegral RTP $)", Math.ceil),
  trunc: called("trunc", "(fp.roundToIntegral RTZ $)", Math.trunc),
  single: prefixed("(float)", "((_ to_fp 11 53) RNE ((_ to_fp 8 24) RNE $))", Math.fround),
  lt: infix("<", precedences.relation, "(fp.lt $)", (a, b) => a < b),
  le: infix("<=", precedences.relation, "(fp.leq $)", (a, b) => a <= b),
  eq: infix("==", precedences.equality, "(fp.eq $)", (a, b) => a === b),
  /** The double nearest to an integer. Lemmas of their own give the meaning of conversions. */
  ofInt: prefixed("(double)", "", (a) => a),
  /** The integer towards zero; unknown if there is none. */
  toInt: prefixed("(long)", "", Math.trunc),
} as const satisfies Record<string, Row>;

const prefix = "float!";

export function floatSymbolName(operator: FloatOperator): string {
  return `${prefix}${operator}`;
}

export function floatOperatorOf(symbolName: string): FloatOperator | null {
  if (!symbolName.startsWith(prefix)) return null;
  const name = symbolName.slice(prefix.length);
  return Object.hasOwn(floatOperators, name) ? (name as FloatOperator) : null;
}

export function arityOf(operator: FloatOperator): 1 | 2 {
  return floatOperators[operator].form === "infix" ? 2 : 1;
}

export function isComparison(operator: FloatOperator): boolean {
  return operator === "lt" || operator === "le" || operator === "eq";
}

const view = new DataView(new ArrayBuffer(8));
const nan = 0x7ff8000000000000n;

export function bitsOfFloat(value: number): bigint {
  if (Number.isNaN(value)) return nan;
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** null for an integer that is no double. */
export function floatOfBits(bits: bigint): number | null {
  if (bits < 0n || bits >= 1n << 64n) return null;
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** null if an operand is no double, or the result no integer. */
export function evaluateFloat(operator: FloatOperator, args: readonly Value[]): Value | null {
  const [first, second] = args as readonly [bigint, bigint | undefined];
  if (operator === "ofInt") return bitsOfFloat(Number(first));
  const a = floatOfBits(first);
  const b = second === undefined ? 0 : floatOfBits(second);
  if (a === null || b === null) return null;
  if (operator === "toInt") return Number.isFinite(a) ? BigInt(Math.trunc(a)) : null;
  const result = floatOperators[operator].compute(a, b);
  return typeof result === "boolean" ? result : bitsOfFloat(result);
}
