import { assertNever } from "../base/errors.ts";
import { type Language, languages } from "../ir/language.ts";
import { precedences } from "../ir/operators.ts";
import { type Printed, parenthesised } from "../ir/printOperation.ts";
import { floatOfBits, floatOperatorOf, floatOperators } from "./floatOperator.ts";
import { printComparison, recogniseOperator } from "./printComparison.ts";
import type { Apply, Junction, LessOrEqual, Monomial, Select, Term, Variable } from "./term.ts";

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

/** How terms are written in a language with given names. */
export type SourceStyle = {
  readonly language: Language;
  readonly nameOf: (variable: Variable) => string | Printed;
  /** How an array cell is written; null for `name[index]`. */
  readonly elementOf?: (array: Variable, index: Term, printer: SourcePrinter) => string | null;
  /** True if the variable, or each cell of an array, holds a floating-point number. */
  readonly isFloat?: (variable: Variable) => boolean;
  /** How a number compared with a variable or cell is written; null for the usual way. */
  readonly literalOf?: (compared: Variable | Select, value: bigint, isEquality: boolean) => string | null;
  /** True if remainders are written with `%`, so that the language computes the same. */
  readonly hasRemainders?: boolean;
  /** The name of an integer type, `uint32_t`, where that is not declared. */
  readonly typeName?: (type: string) => string;
  /** Called if the text contains arithmetic, or something that the language lacks. */
  readonly notice?: (what: "arithmetic" | "unsayable") => void;
};

export const cStyle: SourceStyle = { language: languages.c, nameOf: (variable) => variable.name };

/** Deeper terms are cut with an ellipsis: they are unreadable, and printing must not overflow. */
const depthLimit = 400;

/** Longer text is cut too: sharing may make it exponential. */
const lengthLimit = 20_000;

/**
 * A term as a programmer would write it: negative summands on the other side of a comparison, `<` if shorter, `0 <= i
 * && i < n` for matching bounds, few parentheses. Operations that the language lacks become calls: `mod(x, 3)`,
 * `store(a, i, v)`.
 */
export function printSource(term: Term, style: SourceStyle = cStyle): string {
  return createSourcePrinter(style).print(term).text;
}

/** True if the text needs no parentheses beside `&&`. */
export function bindsTightly(term: Term, style: SourceStyle = cStyle): boolean {
  return createSourcePrinter(style).print(term).precedence >= precedences.and;
}

export type SourcePrinter = {
  readonly style: SourceStyle;
  print(term: Term): Printed;
  /** Adds parentheses if the text binds less tightly than `precedence`. */
  within(term: Term, precedence: number): string;
};

function createSourcePrinter(style: SourceStyle): SourcePrinter {
  let depth = 0;
  const memory = new Map<Term, Printed>();
  const printer: SourcePrinter = { style, print, within };
  return printer;

  function print(term: Term): Printed {
    const known = memory.get(term);
    if (known !== undefined) return known;
    if (depth >= depthLimit) return tooLong();
    depth++;
    const node = printNode(term);
    depth--;
    const printed = node.text.length > lengthLimit ? tooLong() : node;
    memory.set(term, printed);
    return printed;
  }

  function within(term: Term, precedence: number): string {
    return parenthesised(print(term), precedence);
  }

  function tooLong(): Printed {
    style.notice?.("unsayable");
    return primary("…");
  }

  function printNode(term: Term): Printed {
    const operator = recogniseOperator(term);
    if (operator !== null) {
      switch (operator.kind) {
        case "binary":
          return binary(operator.left, operator.operator, operator.right, precedences.multiplicative);
        case "cast":
          return style.language.hasCasts
            ? {
                text: `(${style.typeName?.(operator.type) ?? operator.type})${within(operator.operand, precedences.unary)}`,
                precedence: precedences.unary,
              }
            : call(operator.type, operator.operand);
        default:
          return assertNever(operator);
      }
    }
    switch (term.kind) {
      case "int":
        return { text: `${term.value}`, precedence: term.value < 0n ? precedences.unary : precedences.primary };
      case "bool":
        return primary(`${term.value}`);
      case "variable":
        return name(term);
      case "sum":
        return printSum(printer, term.monomials, term.constant);
      case "product":
        style.notice?.("arithmetic");
        return {
          text: term.factors
            .map((factor) => within(factor, precedences.multiplicative + 1))
            .sort(compareText)
            .join(" * "),
          precedence: precedences.multiplicative,
        };
      case "div":
        return call(term.kind, term.dividend, term.divisor);
      case "mod":
        return remainder(term.dividend, term.divisor) ?? call(term.kind, term.dividend, term.divisor);
      case "bits":
        return printBits(term.operator, term.left, term.right);
      case "ite":
        return printIte(term.condition, term.whenTrue, term.whenFalse, term.sort === "Bool");
      case "select": {
        const { array, index } = term;
        const element = array.kind === "variable" ? (style.elementOf?.(array, index, printer) ?? null) : null;
        return primary(element ?? `${within(array, precedences.primary)}[${print(index).text}]`);
      }
      case "store":
        return call("store", term.array, term.index, term.value);
      case "constantArray":
        return call("array", term.value);
      case "apply":
        return printFloatOperation(printer, term) ?? call(term.symbol.name, ...term.arguments);
      case "le":
        return printComparison(printer, "<=", term.sum, term.bound);
      case "eq":
        return isMultiple(term, true) ?? printComparison(printer, "=", term.sum, term.bound);
      case "arrayEq":
        return compareArrays(term, true);
      case "not":
        if (term.operand.kind === "eq")
          return (
            isMultiple(term.operand, false) ?? printComparison(printer, "!=", term.operand.sum, term.operand.bound)
          );
        if (term.operand.kind === "apply" && floatOperatorOf(term.operand.symbol.name) === "eq")
          return printFloatOperation(printer, term.operand, true)!;
        if (term.operand.kind === "arrayEq") return compareArrays(term.operand, false);
        return { text: `!${within(term.operand, precedences.unary)}`, precedence: precedences.unary };
      case "and":
        return printJunction(term, "&&", precedences.and);
      case "or":
        return printJunction(term, "||", precedences.or);
      case "forall":
      case "exists": {
        style.notice?.("unsayable");
        const names = term.bound.map((v) => name(v).text).join(", ");
        return { text: `${term.kind} ${names}: ${print(term.body).text}`, precedence: 0 };
      }
      default:
        return assertNever(term);
    }
  }

  /** `(x % 3 + 3) % 3`: never negative, unlike `x % 3`. */
  function remainder(dividend: Term, divisor: Term): Printed | null {
    if (style.hasRemainders !== true || divisor.kind !== "int" || !isSmall(divisor.value)) return null;
    style.notice?.("arithmetic");
    const text = `(${within(dividend, precedences.multiplicative)} % ${divisor.value} + ${divisor.value}) % ${divisor.value}`;
    return { text, precedence: precedences.multiplicative };
  }

  /** `x % 3 == 0`, whatever the sign of `x`. */
  function isMultiple({ sum, bound }: { readonly sum: Term; readonly bound: bigint }, equal: boolean): Printed | null {
    if (bound !== 0n || sum.kind !== "mod" || remainder(sum.dividend, sum.divisor) === null) return null;
    const left = binary(sum.dividend, "%", sum.divisor, precedences.multiplicative);
    return { text: `${left.text} ${equality(equal)} 0`, precedence: precedences.equality };
  }

  function equality(equal: boolean): string {
    return style.language.equality[equal ? "==" : "!="];
  }

  function compareArrays({ left, right }: { readonly left: Term; readonly right: Term }, equal: boolean): Printed {
    style.notice?.("unsayable");
    return binary(left, equality(equal), right, precedences.equality);
  }

  function name(variable: Variable): Printed {
    const known = style.nameOf(variable);
    return typeof known === "string" ? primary(known) : known;
  }

  function call(name: string, ...args: readonly Term[]): Printed {
    style.notice?.("unsayable");
    return primary(`${name}(${args.map((a) => print(a).text).join(", ")})`);
  }

  /** Operators associate to the left, so equal precedence needs parentheses on the right. */
  function binary(left: Term, operator: string, right: Term, precedence: number): Printed {
    return { text: `${within(left, precedence)} ${operator} ${within(right, precedence + 1)}`, precedence };
  }

  function printIte(condition: Term, whenTrue: Term, whenFalse: Term, isFormula: boolean): Printed {
    if (isFormula && isNegationOf(whenTrue, whenFalse)) {
      const side = (part: Term) => within(part, precedences.relation + 1);
      return { text: `${side(condition)} ${equality(true)} ${side(whenTrue)}`, precedence: precedences.equality };
    }
    const text = `${within(condition, precedences.or)} ? ${print(whenTrue).text} : ${within(whenFalse, precedences.conditional)}`;
    return { text, precedence: precedences.conditional };
  }

  function printBits(operator: string, left: Term, right: Term): Printed {
    switch (operator) {
      case "and":
        return binary(left, "&", right, precedences.bitAnd);
      case "or":
        return binary(left, "|", right, precedences.bitOr);
      case "xor":
        return binary(left, "^", right, precedences.bitXor);
      case "shl":
        return binary(left, "<<", right, precedences.shift);
      default:
        return binary(left, ">>", right, precedences.shift);
    }
  }

  function printJunction(term: Junction, operator: string, precedence: number): Printed {
    const parts = term.kind === "and" ? pairBounds(term.arguments) : term.arguments;
    const texts = parts.map((part) =>
      "upper" in part
        ? `${part.least} <= ${within(part.term, precedences.relation + 1)} && ${part.upper}`
        : withinJunction(part, term.kind),
    );
    return { text: texts.join(` ${operator} `), precedence };
  }

  /** `a && b` inside `||` gets parentheses, which compilers and readers prefer. */
  function withinJunction(part: Term, kind: "and" | "or"): string {
    return within(part, kind === "and" || part.kind === "and" ? precedences.and + 1 : precedences.or + 1);
  }

  type BoundPair = { readonly least: bigint; readonly term: Term; readonly upper: string };

  /** Moves a constant lower bound next to an upper bound of the same term, at the place of the first. */
  function pairBounds(args: readonly Term[]): readonly (Term | BoundPair)[] {
    const lower = new Map<Term, LessOrEqual>();
    for (const part of args) {
      const bounded = part.kind === "le" ? lowerBounded(part) : null;
      if (bounded !== null) lower.set(bounded, part as LessOrEqual);
    }
    const result: (Term | BoundPair)[] = [];
    const done = new Set<Term>();
    for (const part of args) {
      if (done.has(part)) continue;
      const pair = part.kind === "le" ? findPair(part) : null;
      if (pair === null) result.push(part);
      else {
        done.add(pair.low).add(pair.high);
        const upper = printComparison(printer, "<=", pair.high.sum, pair.high.bound, pair.term).text;
        result.push({ least: -pair.low.bound, term: pair.term, upper });
      }
    }
    return result;

    function findPair(part: LessOrEqual): { low: LessOrEqual; high: LessOrEqual; term: Term } | null {
      const bounded = lowerBounded(part);
      if (bounded !== null) {
        const high = args.find((other) => !done.has(other) && other.kind === "le" && isUpperBound(other, bounded));
        return high === undefined ? null : { low: part, high: high as LessOrEqual, term: bounded };
      }
      for (const [term, low] of lower) if (!done.has(low) && isUpperBound(part, term)) return { low, high: part, term };
      return null;
    }
  }
}

/** `t` if the formula is `t >= c`. */
function lowerBounded(term: LessOrEqual): Term | null {
  const only = term.sum.kind === "sum" && term.sum.monomials.length === 1 ? term.sum.monomials[0] : undefined;
  return only?.coefficient === -1n ? only.term : null;
}

/** True if the formula is `t <= …` with `t` alone on the left. */
function isUpperBound(term: LessOrEqual, bounded: Term): boolean {
  if (term.sum === bounded) return true;
  if (term.sum.kind !== "sum") return false;
  return (
    term.sum.monomials.every((m) => (m.term === bounded ? m.coefficient === 1n : m.coefficient < 0n)) &&
    term.sum.monomials.some((m) => m.term === bounded)
  );
}

function isSmall(divisor: bigint): boolean {
  return divisor > 0n && divisor < 1n << 31n;
}

function isNegationOf(a: Term, b: Term): boolean {
  if (a.kind === "not") return a.operand === b;
  if (b.kind === "not") return b.operand === a;
  return false;
}

function primary(text: string): Printed {
  return { text, precedence: precedences.primary };
}

/** Positive summands first, then negative ones, each group ordered by text; the constant last. */
export function printSum(printer: SourcePrinter, monomials: readonly Monomial[], constant: bigint): Printed {
  const [first, ...others] = monomials;
  // A single term needs no parentheses.
  if (first?.coefficient === 1n && others.length === 0 && constant === 0n) return printer.print(first.term);
  const parts = monomials
    .map(({ coefficient, term }) => {
      const size = coefficient < 0n ? -coefficient : coefficient;
      const alone = printer.within(term, precedences.additive + 1);
      const factor = printer.within(term, precedences.multiplicative + (term.kind === "product" ? 0 : 1));
      const isUnary = size === 1n && printer.within(term, precedences.unary) === alone;
      const text = size === 1n ? alone : `${size} * ${factor}`;
      return { negative: coefficient < 0n, order: alone, text, size, isUnary };
    })
    .sort((a, b) => Number(a.negative) - Number(b.negative) || compareText(a.order, b.order));
  if (parts.length + (constant === 0n ? 0 : 1) > 1 || parts.some(({ size }) => size !== 1n)) {
    printer.style.notice?.("arithmetic");
  }
  const single = parts.length === 1 && constant === 0n ? parts[0] : undefined;
  if (single !== undefined && !single.negative)
    return {
      text: single.text,
      precedence: single.size === 1n ? precedences.additive + 1 : precedences.multiplicative,
    };
  let text = "";
  for (const part of parts)
    text += text === "" ? (part.negative ? `-${part.text}` : part.text) : ` ${part.negative ? "-" : "+"} ${part.text}`;
  if (text === "") text = `${constant}`;
  else if (constant !== 0n) text += constant < 0n ? ` - ${-constant}` : ` + ${constant}`;
  if (parts.length === 0) return { text, precedence: constant < 0n ? precedences.unary : precedences.primary };
  if (single === undefined) return { text, precedence: precedences.additive };
  // `-95 * n` is a product: a cast before it would apply to -95.
  return { text, precedence: single.isUnary ? precedences.unary : precedences.multiplicative };
}

/** By code unit, independent of the locale; a closing bracket first: `a[i]` before `a[i + 1]`. */
export function compareText(a: string, b: string): number {
  const [left, right] = [a.replace(/[\])]/g, "\0"), b.replace(/[\])]/g, "\0")];
  return left < right ? -1 : left > right ? 1 : 0;
}
