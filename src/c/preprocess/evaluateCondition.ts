import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { BinaryOperator } from "../../ir/expression.ts";
import { applyExactly, comparisonOperators, isComparison, operatorLevels } from "../../ir/operators.ts";
import { decodeCharacter } from "./decodeLiteral.ts";
import { TokenKind } from "./scanToken.ts";
import { isPunctuator, type PpToken, rangeOfPpToken } from "./tokens.ts";

/** An `intmax_t` or `uintmax_t`: both have 64 bits in every data model. */
type Value = { readonly value: bigint; readonly unsigned: boolean };

type Reader = { readonly tokens: readonly PpToken[]; at: number; readonly directive: PpToken };

/** Evaluates the expression of `#if` after macro expansion, with `defined` replaced. Remaining names are zero. */
export function evaluateCondition(tokens: readonly PpToken[], directive: PpToken): boolean {
  const reader: Reader = { tokens, at: 0, directive };
  if (tokens.length === 0) throw bad(reader, `#${directive.text} has no condition`);
  const { value } = comma(reader, true);
  if (reader.at < tokens.length) throw bad(reader, "unexpected token in a condition");
  return value !== 0n;
}

function bad(r: Reader, message: string): TracefoldError {
  const token = r.tokens[r.at] ?? r.tokens[r.tokens.length - 1] ?? r.directive;
  const found = r.at < r.tokens.length ? `: '${token.text}'` : "";
  return new TracefoldError({ code: "TF114", message: `${message}${found}`, range: rangeOfPpToken(token) });
}

function take(r: Reader, text: string): boolean {
  if (!isPunctuator(r.tokens[r.at], text)) return false;
  r.at++;
  return true;
}

/** `live` is false if the value is not needed: a division by zero is no error then. */
function comma(r: Reader, live: boolean): Value {
  let result = conditional(r, live);
  while (take(r, ",")) result = conditional(r, live);
  return result;
}

function conditional(r: Reader, live: boolean): Value {
  const condition = binary(r, 0, live);
  if (!take(r, "?")) return condition;
  const truth = condition.value !== 0n;
  const yes = comma(r, live && truth);
  if (!take(r, ":")) throw bad(r, "expected ':' in a condition");
  const no = conditional(r, live && !truth);
  const unsigned = yes.unsigned || no.unsigned;
  return convert(truth ? yes : no, unsigned);
}

function binary(r: Reader, level: number, live: boolean): Value {
  const operators = operatorLevels[level];
  if (operators === undefined) return unary(r, live);
  let left = binary(r, level + 1, live);
  for (;;) {
    const operator = operators.find((text) => take(r, text));
    if (operator === undefined) return left;
    const decided = (operator === "&&" && left.value === 0n) || (operator === "||" && left.value !== 0n);
    const right = binary(r, level + 1, live && !decided);
    left = apply(r, operator, left, right, live);
  }
}

function apply(r: Reader, operator: string, left: Value, right: Value, live: boolean): Value {
  const unsigned = left.unsigned || right.unsigned;
  const a = convert(left, unsigned).value;
  const b = convert(right, unsigned).value;
  if (operator === "||") return truth(left.value !== 0n || right.value !== 0n);
  if (operator === "&&") return truth(left.value !== 0n && right.value !== 0n);
  if (isComparison(operator)) return truth(comparisonOperators[operator].holds(a, b));
  if (operator === "<<") return shift(left, right.value);
  if (operator === ">>") return shift(left, -convert(right, false).value);
  const result = applyExactly(operator as BinaryOperator, a, b, 64);
  if (result === null && live) throw bad(r, "division by zero in a condition");
  return wrap(result ?? 0n, unsigned);
}

function unary(r: Reader, live: boolean): Value {
  if (take(r, "!")) return truth(unary(r, live).value === 0n);
  if (take(r, "+")) return unary(r, live);
  if (take(r, "-")) {
    const operand = unary(r, live);
    return wrap(-operand.value, operand.unsigned);
  }
  if (take(r, "~")) {
    const operand = unary(r, live);
    return wrap(~operand.value, operand.unsigned);
  }
  if (take(r, "(")) {
    const inner = comma(r, live);
    if (!take(r, ")")) throw bad(r, "expected ')' in a condition");
    return inner;
  }
  const token = r.tokens[r.at];
  switch (token?.kind) {
    case TokenKind.number:
      return { ...number(r, token), ...advance(r) };
    case TokenKind.character: {
      const { value } = decodeCharacter(token.text, rangeOfPpToken(token));
      r.at++;
      return { value: BigInt(value), unsigned: false };
    }
    case TokenKind.identifier:
      r.at++;
      return { value: 0n, unsigned: false };
    default:
      throw bad(r, "expected a value in a condition");
  }
}

function advance(r: Reader): object {
  r.at++;
  return {};
}

const INTEGER = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uU]?(?:ll|LL|[lL])?[uU]?)$/;

function number(r: Reader, token: PpToken): Value {
  const match = INTEGER.exec(token.text.replaceAll("'", ""));
  if (match === null) throw bad(r, "not an integer in a condition");
  const digits = nth(match, 1);
  const octal = /^0[0-7]+$/.test(digits);
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  const unsigned = /u/i.test(nth(match, 2)) || value > 0x7fff_ffff_ffff_ffffn;
  return wrap(value, unsigned);
}

function truth(value: boolean): Value {
  return { value: value ? 1n : 0n, unsigned: false };
}

function wrap(value: bigint, unsigned: boolean): Value {
  return { value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value), unsigned };
}

function convert(value: Value, unsigned: boolean): Value {
  return wrap(value.value, unsigned);
}

function shift(operand: Value, count: bigint): Value {
  if (count >= 64n) return wrap(0n, operand.unsigned);
  if (count <= -64n) return wrap(operand.value < 0n ? -1n : 0n, operand.unsigned);
  return wrap(count >= 0n ? operand.value << count : operand.value >> -count, operand.unsigned);
}
