import type { Printed } from "../ir/printOperation.ts";
import { floatOfBits, floatOperatorOf, floatOperators } from "./floatOperator.ts";
import type { SourcePrinter } from "./printSource.ts";
import type { Apply, Term } from "./term.ts";

/** As C writes it: the shortest digits that denote this double. */
export function printFloatLiteral(bits: bigint): string {
  const value = floatOfBits(bits);
  if (value === null) return `${bits}`;
  if (Number.isNaN(value)) return "NAN";
  if (!Number.isFinite(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  const text = Object.is(value, -0) ? "-0" : `${value}`;
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

export function standsForFloat({ style }: SourcePrinter, term: Term): boolean {
  switch (term.kind) {
    case "variable":
      return style.isFloat?.(term) ?? false;
    case "select":
      return term.array.kind === "variable" && (style.isFloat?.(term.array) ?? false);
    case "apply": {
      const operator = floatOperatorOf(term.symbol.name);
      return operator !== null && term.sort === "Int" && operator !== "toInt";
    }
    default:
      return false;
  }
}

/** `x * 3.0 < y`; `negated` is for an equality. null if the function is no floating-point operation. */
export function printFloatOperation(printer: SourcePrinter, term: Apply, negated = false): Printed | null {
  const operator = floatOperatorOf(term.symbol.name);
  if (operator === null) return null;
  const [a, b] = term.arguments as readonly [Term, Term];
  const operand = (part: Term, precedence: number) => {
    if (part.kind === "int" && operator !== "ofInt") return printFloatLiteral(part.value);
    // An integer beside a float is converted without a cast.
    const other = part === a ? b : a;
    const isPlain = isConversion(part) && other !== undefined && !isConversion(other);
    return printer.within(isPlain ? part.arguments[0]! : part, precedence);
  };
  printer.style.notice?.("arithmetic");
  const { form, text, precedence } = floatOperators[operator];
  if (form === "call") return { text: `${text}(${operand(a, 0)})`, precedence };
  if (form === "prefix") return { text: `${text}${operand(a, precedence)}`, precedence };
  const sign = operator === "eq" ? printer.style.language.equality[negated ? "!=" : "=="] : text;
  return { text: `${operand(a, precedence)} ${sign} ${operand(b, precedence + 1)}`, precedence };
}

function isConversion(term: Term): term is Apply {
  return term.kind === "apply" && floatOperatorOf(term.symbol.name) === "ofInt";
}
