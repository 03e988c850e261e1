import type { Expression } from "oxc-parser";
import { parseSync } from "oxc-parser";
import { TracefoldError } from "../base/errors.ts";

/** A condition over recorded values: `i == 3 && s->size > 2`. */
export type WatchCondition = { readonly text: string; evaluate(lookup: Lookup): ConditionValue | null };

/** The printed value of a name as the source writes it; null if it is not known. */
export type Lookup = (name: string) => string | null;
export type ConditionValue = number | bigint | boolean | string;

/**
 * Reads a condition. JavaScript's expressions have C's operators with C's precedence, and the parser is there; `->` is
 * read as a dot. Names are looked up as they are written.
 */
export function readCondition(text: string): WatchCondition {
  const { program, errors } = parseSync("condition.js", `(${text.replaceAll("->", ". ")})`);
  const [statement] = program.body;
  const [error] = errors;
  if (error !== undefined || program.body.length !== 1 || statement?.type !== "ExpressionStatement")
    throw unreadable(text, error?.message ?? "it is no expression");
  const written = (node: Expression) => text.slice(node.start - 1, node.end - 1).replaceAll(/\s+/g, "");
  const { expression } = statement;
  refuseOthers(expression, text);
  return { text, evaluate: (lookup) => evaluate(expression, (node) => readValue(lookup(written(node)))) };
}

/** No division: C and JavaScript divide whole numbers differently. */
const operators = new Set(["==", "===", "!=", "!==", "<", "<=", ">", ">=", "+", "-", "*", "%", "&", "|", "^"]);

function refuseOthers(node: Expression, text: string): void {
  switch (node.type) {
    case "Literal":
    case "Identifier":
    case "MemberExpression":
    case "ThisExpression":
      return;
    case "ParenthesizedExpression":
      return refuseOthers(node.expression, text);
    case "UnaryExpression":
      if (!["-", "+", "!", "~"].includes(node.operator)) throw unreadable(text, `"${node.operator}" is not supported`);
      return refuseOthers(node.argument, text);
    case "LogicalExpression":
      refuseOthers(node.left, text);
      return refuseOthers(node.right, text);
    case "BinaryExpression":
      if (!operators.has(node.operator)) throw unreadable(text, `"${node.operator}" is not supported`);
      refuseOthers(node.left as Expression, text);
      return refuseOthers(node.right, text);
    default:
      throw unreadable(text, "it may have names, numbers, texts, operators and parentheses");
  }
}

function unreadable(text: string, why: string): TracefoldError {
  return new TracefoldError({
    code: "TF136",
    message: `the condition "${text}" cannot be read: ${why}`,
    help: 'For example: i == 3 && s->size > 2, or name == "a".',
  });
}

function evaluate(node: Expression, valueOf: (node: Expression) => ConditionValue | null): ConditionValue | null {
  switch (node.type) {
    case "Literal":
      return literal(node.raw ?? `${node.value}`);
    case "ParenthesizedExpression":
      return evaluate(node.expression, valueOf);
    case "UnaryExpression":
      return unary(node.operator, evaluate(node.argument, valueOf));
    case "LogicalExpression": {
      const left = evaluate(node.left, valueOf);
      const isDecided = node.operator === "&&" ? left !== null && !isTrue(left) : left !== null && isTrue(left);
      if (isDecided) return node.operator === "||";
      const right = evaluate(node.right, valueOf);
      if (left === null || right === null)
        return right !== null && isTrue(right) === (node.operator === "||") ? isTrue(right) : null;
      return isTrue(right);
    }
    case "BinaryExpression":
      return binary(node.operator, evaluate(node.left as Expression, valueOf), evaluate(node.right, valueOf));
    default:
      return valueOf(node);
  }
}

export function isTrue(value: ConditionValue): boolean {
  return value !== "null" && value !== "undefined" && value !== "NULL" && Boolean(value);
}

function unary(operator: string, value: ConditionValue | null): ConditionValue | null {
  if (value === null) return null;
  if (operator === "!") return !isTrue(value);
  if (typeof value === "boolean" || typeof value === "string") return null;
  if (operator === "-") return -value;
  return operator === "~" ? ~value : value;
}

function binary(operator: string, a: ConditionValue | null, b: ConditionValue | null): ConditionValue | null {
  if (a === null || b === null) return null;
  const [left, right] = [comparable(a, b), comparable(b, a)];
  switch (operator) {
    case "==":
    case "===":
      return isSame(left, right);
    case "!=":
    case "!==":
      return !isSame(left, right);
    default:
      break;
  }
  if (typeof left === "string" && typeof right === "string") return compare(operator, left, right);
  if (!isNumber(left) || !isNumber(right)) return null;
  return compare(operator, left, right) ?? arithmetic(operator, left, right);
}

/** A character counts as its code beside a number. */
function comparable(value: ConditionValue, other: ConditionValue): ConditionValue {
  if (typeof value === "string" && value.length === 1 && isNumber(other)) return value.codePointAt(0) ?? value;
  return typeof value === "boolean" && isNumber(other) ? Number(value) : value;
}

function isNumber(value: ConditionValue): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function isSame(a: ConditionValue, b: ConditionValue): boolean {
  return isNumber(a) && isNumber(b) ? !(a < b) && !(a > b) : a === b;
}

function compare<T extends string | number | bigint>(operator: string, a: T, b: T): boolean | null {
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return null;
  }
}

function arithmetic(operator: string, a: number | bigint, b: number | bigint): ConditionValue | null {
  const isExact = Number.isInteger(Number(a)) && Number.isInteger(Number(b));
  if (!isExact) return onNumbers(operator, Number(a), Number(b));
  const [left, right] = [BigInt(a), BigInt(b)];
  switch (operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "%":
      return right === 0n ? null : left % right;
    case "&":
      return left & right;
    case "|":
      return left | right;
    case "^":
      return left ^ right;
    default:
      return null;
  }
}

function onNumbers(operator: string, a: number, b: number): number | null {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "%":
      return a % b;
    default:
      return null;
  }
}

function readValue(printed: string | null): ConditionValue | null {
  return printed === null ? null : literal(printed);
}

/** A printed value or a literal as a value; what is neither number nor text stands for itself. */
function literal(text: string): ConditionValue {
  if (text === "true" || text === "false") return text === "true";
  if (/^[-+]?\d+n?$/.test(text)) {
    const plain = text.replace("n", "");
    return Number.isSafeInteger(Number(plain)) ? Number(plain) : BigInt(plain);
  }
  if (/^0x[\da-f]+$/i.test(text) || (/^[-+]?[\d.]/.test(text) && Number.isFinite(Number(text)))) return Number(text);
  const quoted = /^(["'`])(.*)\1$/s.exec(text)?.[2];
  return quoted === undefined ? text : quoted.replaceAll(/\\(.)/g, (_, c: string) => escapes[c] ?? c);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", 0: "\0" };
