import { type EntryExpr, literal, type Primitive, someExpr } from "../../concolic/expr.ts";
import { type Language, languages } from "../../ir/language.ts";
import { comparisonOperators, isComparison, isEquality } from "../../ir/operators.ts";
import type { Kinds } from "./kinds.ts";

export type PrintOptions = {
  readonly kinds: Kinds;
  readonly written: ReadonlySet<string>;
  /**
   * Objects and arrays with written cells, and calls on objects if anything is written: at entry they are `old(…)`,
   * too.
   */
  readonly touched: ReadonlySet<string>;
  /** Names of parameters: a field of the same name keeps its `this`. */
  readonly params: ReadonlySet<string>;
};

export const nothingWritten = { written: new Set<string>(), touched: new Set<string>() } as const;

const precedences: Readonly<Record<string, number>> = {
  "|": 5,
  "^": 6,
  "&": 7,
  "===": 8,
  "!==": 8,
  "==": 8,
  "!=": 8,
  "<": 9,
  "<=": 9,
  ">": 9,
  ">=": 9,
  in: 9,
  instanceof: 9,
  "<<": 10,
  ">>": 10,
  ">>>": 10,
  "+": 11,
  "-": 11,
  "*": 12,
  "/": 12,
  div: 12,
  "%": 12,
  "**": 13,
};
const unaryPrecedence = 14;
const atom = 18;

/** Prints source syntax: without `this.`, and `a >= b` for `!(a < b)` if both are integers. */
export function printExpr(expr: EntryExpr, options: PrintOptions): string {
  return print(expr, options, 0);
}

function print(expr: EntryExpr, options: PrintOptions, outer: number): string {
  const [text, precedence] = parts(expr, options);
  return precedence < outer ? `(${text})` : text;
}

function parts(expr: EntryExpr, options: PrintOptions): readonly [string, number] {
  const old = isOld(expr, options);
  const plain = old ? { ...options, ...nothingWritten } : options;
  const wrap = (text: string): readonly [string, number] => [old ? `old(${text})` : text, atom];
  switch (expr.kind) {
    case "const":
      return [
        constantText(expr.value, options),
        typeof expr.value === "number" && expr.value < 0 ? unaryPrecedence : atom,
      ];
    case "param":
    case "free":
      return wrap(expr.name);
    case "this":
      return ["this", atom];
    case "loop":
      return [`$${expr.name}`, atom];
    case "new":
      return [newText(expr), atom];
    case "opaque":
      return [expr === elsewhere ? expr.text : "?", atom];
    case "field":
      if (expr.base.kind === "this") return wrap(options.params.has(expr.name) ? `this.${expr.name}` : expr.name);
      if (expr.base.kind === "unary" && expr.base.operator === "*")
        return wrap(`${print(expr.base.operand, plain, atom)}->${expr.name}`);
      return wrap(`${print(expr.base, plain, atom)}.${expr.name}`);
    case "element":
      if (expr.index.kind === "const" && expr.index.value === "*")
        return [`${print(expr.base, plain, atom)}[..]`, atom];
      return wrap(`${print(expr.base, plain, atom)}[${print(expr.index, plain, 0)}]`);
    case "call": {
      const on = expr.receiver === null || expr.receiver.kind === "this" ? "" : `${print(expr.receiver, plain, atom)}.`;
      return wrap(`${on}${expr.name}(${expr.args.map((one) => print(one, plain, 0)).join(", ")})`);
    }
    case "unary":
      if (expr.operator === "*") return [wrap(`*${print(expr.operand, plain, unaryPrecedence)}`)[0], old ? atom : 14];
      return printUnary(expr, options);
    case "binary": {
      const precedence = precedences[expr.operator] ?? 5;
      const left = print(expr.left, options, precedence);
      return [
        `${left} ${operatorText(expr.operator, options)} ${print(expr.right, options, precedence + 1)}`,
        precedence,
      ];
    }
  }
}

/** Objects that terms do not reach. */
export const elsewhere: EntryExpr = { kind: "opaque", key: "?elsewhere", number: -1, text: "other objects" };

/** The initial content of a literal may change. An object may have no class. */
export function newText({ text, className }: Extract<EntryExpr, { kind: "new" }>): string {
  if (isSayable(text)) return text;
  return className === "null" ? "a new object without a prototype" : `a new ${className}`;
}

/** `new Array(capacity)`: its arguments are names and numbers. */
function isSayable(text: string): boolean {
  return /^new [\w$.]+\([\w$.,\s"'-]*\)$/.test(text) && !text.includes("$");
}

/** True for an entry value that the call may have changed. */
function isOld(expr: EntryExpr, { kinds, written, touched }: PrintOptions): boolean {
  if (written.has(expr.key)) return true;
  if (expr.kind === "element") return touched.has(expr.base.key);
  if (expr.kind !== "call" || touched.size === 0) return false;
  // A C conversion reads nothing.
  if (contractsOf(kinds).callsAreQuestions) return !expr.name.startsWith("(");
  return expr.receiver !== null && expr.receiver.kind !== "free";
}

function contractsOf({ language }: PrintOptions["kinds"]): Language["contracts"] {
  return languages[language].contracts;
}

/** Terms have the operators of JavaScript, and one for integer division. */
export function operatorText(operator: string, { kinds }: PrintOptions): string {
  return contractsOf(kinds).operators[operator] ?? operator;
}

function constantText(value: Primitive, { kinds }: PrintOptions): string {
  const { nothing, truthIsNumber } = contractsOf(kinds);
  if (!truthIsNumber) return literal(value);
  return value === null ? nothing : typeof value === "boolean" ? String(Number(value)) : String(value);
}

function printUnary(expr: Extract<EntryExpr, { kind: "unary" }>, options: PrintOptions): readonly [string, number] {
  const { operand, operator } = expr;
  const { kinds } = options;
  if (
    operator === "!" &&
    operand.kind === "binary" &&
    isComparison(operand.operator) &&
    !isEquality(operand.operator)
  ) {
    // With NaN or other kinds, `!(a < b)` is not `a >= b`.
    if (kinds.of(operand.left) === "int" && kinds.of(operand.right) === "int")
      return parts({ ...operand, operator: comparisonOperators[operand.operator].opposite }, options);
  }
  const space = /^[a-z]/.test(operator) ? " " : "";
  return [`${operator}${space}${print(operand, options, unaryPrecedence)}`, unaryPrecedence];
}

/** Prints a bare term as a comparison if its kind is known: `count !== 0`, `next != null`. */
export function printCondition(expr: EntryExpr, options: PrintOptions): string {
  let negated = false;
  let inner = expr;
  while (inner.kind === "unary" && inner.operator === "!") {
    negated = !negated;
    inner = inner.operand;
  }
  const kind = options.kinds.of(inner);
  if (inner.kind !== "binary" && inner.kind !== "unary" && inner.kind !== "const") {
    // A call in a C condition is printed as it is.
    if (contractsOf(options.kinds).callsAreQuestions && inner.kind === "call") return printExpr(expr, options);
    if (kind === "int") return `${print(inner, options, 9)} ${operatorText(negated ? "===" : "!==", options)} 0`;
    if (kind === "ref") return `${print(inner, options, 9)} ${negated ? "==" : "!="} null`;
    if (kind === "string") return `${print(inner, options, 9)} ${negated ? "===" : "!=="} ""`;
  }
  return printExpr(negated ? { kind: "unary", key: "", operator: "!", operand: inner } : inner, options);
}

export function mentionsLoop(expr: EntryExpr): boolean {
  return someExpr(expr, (one) => one.kind === "loop");
}
