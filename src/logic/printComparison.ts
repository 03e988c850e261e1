import { precedences } from "../ir/operators.ts";
import type { Printed } from "../ir/printOperation.ts";
import { compareText, printFloatLiteral, printSum, type SourcePrinter, standsForFloat } from "./printSource.ts";
import type { Monomial, Term } from "./term.ts";

export type SourceOperator =
  | { readonly kind: "binary"; readonly operator: "/" | "%"; readonly left: Term; readonly right: Term }
  | { readonly kind: "cast"; readonly type: string; readonly operand: Term };

/** Recognises the results of `Terms.truncatingDiv`, `truncatingRem` and `wrap`, to print them as written. */
export function recogniseOperator(term: Term): SourceOperator | null {
  switch (term.kind) {
    case "ite":
      return truncating(term.whenTrue, term.whenFalse, term.condition);
    case "mod":
      return wrapping(term, 0n);
    case "sum": {
      const only = term.monomials.length === 1 ? term.monomials[0] : undefined;
      return only?.coefficient === 1n ? wrapping(only.term, term.constant) : null;
    }
    default:
      return null;
  }
}

/** `x >= 0 ? x div y : -(-x div y)`, in either order of the branches (the condition may be `x <= -1`). */
function truncating(whenTrue: Term, whenFalse: Term, condition: Term): SourceOperator | null {
  for (const [direct, mirrored] of [
    [whenTrue, whenFalse],
    [whenFalse, whenTrue],
  ] as const) {
    if (direct.kind !== "div" && direct.kind !== "mod") continue;
    const opposite = mirrored.kind === "sum" && mirrored.constant === 0n ? mirrored.monomials : [];
    const inner = opposite.length === 1 && opposite[0]!.coefficient === -1n ? opposite[0]!.term : undefined;
    if (inner === undefined || inner.kind !== direct.kind || inner.divisor !== direct.divisor) continue;
    if (!areOpposite(direct.dividend, inner.dividend)) continue;
    if (!isSignTest(condition, direct.dividend, direct === whenTrue)) continue;
    const operator = direct.kind === "div" ? "/" : "%";
    return { kind: "binary", operator, left: direct.dividend, right: direct.divisor };
  }
  return null;
}

function areOpposite(a: Term, b: Term): boolean {
  const [left, right] = [monomials(a), monomials(b)];
  return (
    constantOf(a) === -constantOf(b) &&
    left.length === right.length &&
    left.every((m, i) => m.term === right[i]!.term && m.coefficient === -right[i]!.coefficient)
  );
}

/** True if the condition is `x >= 0` (or `x < 0` if `positive` is false). */
function isSignTest(condition: Term, x: Term, positive: boolean): boolean {
  if (condition.kind !== "le") return false;
  const sums = monomials(condition.sum);
  const target = monomials(x);
  const sign = positive ? -1n : 1n;
  const offset = constantOf(x);
  return (
    condition.bound === (positive ? offset : -1n - offset) &&
    sums.length === target.length &&
    sums.every((m, i) => m.term === target[i]!.term && m.coefficient === sign * target[i]!.coefficient)
  );
}

function monomials(term: Term) {
  return term.kind === "sum" ? term.monomials : [{ coefficient: 1n, term }];
}

function constantOf(term: Term): bigint {
  return term.kind === "sum" ? term.constant : 0n;
}

const widths = [8, 16, 32, 64];

/** `x mod 2^w` is a conversion to an unsigned type, `(x + 2^(w-1)) mod 2^w - 2^(w-1)` one to a signed type. */
function wrapping(term: Term, constant: bigint): SourceOperator | null {
  if (term.kind !== "mod" || term.divisor.kind !== "int") return null;
  const modulus = term.divisor.value;
  const width = widths.find((w) => 1n << BigInt(w) === modulus);
  if (width === undefined) return null;
  if (constant === 0n) return { kind: "cast", type: `uint${width}_t`, operand: term.dividend };
  if (constant !== -modulus / 2n || constantOf(term.dividend) !== modulus / 2n) return null;
  const inner = monomials(term.dividend);
  return inner.length === 1 && inner[0]!.coefficient === 1n
    ? { kind: "cast", type: `int${width}_t`, operand: inner[0]!.term }
    : null;
}

type Side = { readonly monomials: readonly Monomial[]; readonly constant: bigint };

/** A comparison with positive coefficients on both sides. `leading`, of coefficient 1, must be alone on the left. */
export function printComparison(
  printer: SourcePrinter,
  relation: "<=" | "=" | "!=",
  sum: Term,
  bound: bigint,
  leading?: Term,
): Printed {
  const monomials = sum.kind === "sum" ? sum.monomials : [{ coefficient: 1n, term: sum }];
  const positive = monomials.filter((m) => m.coefficient > 0n);
  const negative = monomials.filter((m) => m.coefficient < 0n).map((m) => ({ ...m, coefficient: -m.coefficient }));
  if (relation === "<=") return printOrder(printer, positive, negative, bound, leading !== undefined);
  return printEquality(printer, relation, positive, negative, bound);
}

/** `positive <= negative + bound`, turned around if that reads better. */
function printOrder(
  printer: SourcePrinter,
  positive: readonly Monomial[],
  negative: readonly Monomial[],
  bound: bigint,
  keepDirection: boolean,
): Printed {
  if (positive.length === 0) return relate(printer, { monomials: negative, constant: 0n }, ">=", number(-bound));
  if (negative.length === 0) {
    const side = { monomials: positive, constant: 0n };
    return bound === -1n ? relate(printer, side, "<", number(0n)) : relate(printer, side, "<=", number(bound));
  }
  const strict = bound === -1n;
  const small: Side = { monomials: positive, constant: bound < 0n && !strict && !keepDirection ? -bound : 0n };
  const large: Side = {
    monomials: negative,
    constant: strict ? 0n : keepDirection || bound > 0n ? bound : 0n,
  };
  const turned = !keepDirection && comesBefore(printer, negative, positive);
  if (turned) return relate(printer, large, strict ? ">" : ">=", small);
  return relate(printer, small, strict ? "<" : "<=", large);
}

/** `positive = negative + bound`; a variable alone on one side comes first. */
function printEquality(
  printer: SourcePrinter,
  relation: "=" | "!=",
  positive: readonly Monomial[],
  negative: readonly Monomial[],
  bound: bigint,
): Printed {
  const sign = printer.style.language.equality[relation === "=" ? "==" : "!="];
  const only = alone(positive);
  if (negative.length === 0 && only !== null && standsForFloat(printer, only)) {
    const text = `${printer.within(only, precedences.equality + 1)} ${sign} ${printFloatLiteral(bound)}`;
    return { text, precedence: precedences.equality };
  }
  if (negative.length === 0) return relate(printer, { monomials: positive, constant: 0n }, sign, number(bound));
  if (positive.length === 0) return relate(printer, { monomials: negative, constant: 0n }, sign, number(-bound));
  const [aloneLeft, aloneRight] = [isAlone(positive), isAlone(negative)];
  const preferLeft =
    aloneLeft !== aloneRight
      ? aloneLeft
      : aloneLeft && bound !== 0n
        ? bound > 0n
        : !comesBefore(printer, negative, positive);
  const [first, second, constant] = preferLeft ? [positive, negative, bound] : [negative, positive, -bound];
  if (aloneLeft || aloneRight)
    return relate(printer, { monomials: first, constant: 0n }, sign, { monomials: second, constant });
  const [onFirst, onSecond] = constant < 0n ? [-constant, 0n] : [0n, constant];
  return relate(printer, { monomials: first, constant: onFirst }, sign, { monomials: second, constant: onSecond });
}

function isAlone(side: readonly Monomial[]): boolean {
  return alone(side) !== null;
}

function alone([only, ...others]: readonly Monomial[]): Term | null {
  return only !== undefined && others.length === 0 && only.coefficient === 1n ? only.term : null;
}

function number(constant: bigint): Side {
  return { monomials: [], constant };
}

/** Fewer summands first, then a bare summand before a multiple, then by text. */
function comesBefore(printer: SourcePrinter, a: readonly Monomial[], b: readonly Monomial[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  if (isAlone(a) !== isAlone(b)) return isAlone(a);
  return compareText(printSum(printer, a, 0n).text, printSum(printer, b, 0n).text) < 0;
}

function relate(printer: SourcePrinter, left: Side, operator: string, right: Side): Printed {
  const isEquality = operator !== "<" && operator !== "<=" && operator !== ">" && operator !== ">=";
  const precedence = isEquality ? precedences.equality : precedences.relation;
  const print = (side: Side, other: Side) => {
    const compared = side.monomials.length === 0 && other.constant === 0n ? alone(other.monomials) : null;
    if (compared?.kind === "variable" || compared?.kind === "select") {
      const literal = printer.style.literalOf?.(compared, side.constant, isEquality);
      if (literal != null) return literal;
    }
    const printed = printSum(printer, side.monomials, side.constant);
    return printed.precedence <= precedence ? `(${printed.text})` : printed.text;
  };
  return { text: `${print(left, right)} ${operator} ${print(right, left)}`, precedence };
}
