import { precedences } from "../ir/operators.ts";
import type { Printed } from "../ir/printOperation.ts";
import { compareText, printFloatLiteral, printSum, type SourcePrinter, standsForFloat } from "./printSource.ts";
import type { Monomial, Term } from "./term.ts";

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
