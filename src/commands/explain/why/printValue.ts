import type { PrintedPlace, PrintValue as PrintPlaced } from "../../../analyses/counterfactual/describeChange.ts";
import { nth } from "../../../base/checked.ts";
import { characterText } from "../../../base/text.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../../ir/expression.ts";
import { type Operation, operationExpressions } from "../../../ir/operation.ts";
import type { Program } from "../../../ir/program.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import { sourceTextAt } from "../../../ir/source.ts";
import type { IntType, ScalarType } from "../../../ir/type.ts";

export type LiteralStyle =
  | { readonly kind: "decimal" | "character" | "hexadecimal" | "octal" }
  | { readonly kind: "names"; readonly enumerators: NonNullable<IntType["enumerators"]> };

export type LiteralStyles = {
  /**
   * The style of the values that the expression is compared with, assigned to and passed as, anywhere in the program.
   */
  of(expression: Expression): LiteralStyle;
  ofVariable(variable: number): LiteralStyle;
  ofAddress(address: Expression): LiteralStyle;
  ofResult(fn: number): LiteralStyle;
};

const decimal: LiteralStyle = { kind: "decimal" };
const rank = { names: 3, character: 2, hexadecimal: 1, octal: 1, decimal: 0 } as const;

/**
 * Values that flow into each other or are compared have one style, which one literal among them decides: `c == ','`
 * makes `c`, and all sources of `c`, characters. Flow-insensitive unification over the source. What is counted up or
 * down is a number: the largest of some characters, or an index.
 */
export function literalStyles(program: Program): LiteralStyles {
  const parents = new Map<string, string>();
  const styles = new Map<string, LiteralStyle>();
  const find = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    if (root !== key) parents.set(key, root);
    return root;
  };
  const learn = (key: string, style: LiteralStyle): void => {
    const root = find(key);
    if (rank[style.kind] > rank[styles.get(root)?.kind ?? "decimal"]) styles.set(root, style);
  };
  const unite = (a: string, b: string): void => {
    const [x, y] = [find(a), find(b)];
    if (x === y) return;
    parents.set(x, y);
    const style = styles.get(x);
    if (style !== undefined) learn(y, style);
  };
  const counted = countedKeys(program);
  const meet = (key: string | null, other: Expression): void => {
    if (key === null) return;
    const style = spelled(program, other);
    if (style !== null) learn(key, style);
    const second = keyOf(other);
    if (second !== null && !counted.has(key) && !counted.has(second)) unite(key, second);
  };
  const compare = (expression: Expression): void => {
    if (expression.kind === "comparison") {
      meet(keyOf(expression.left), expression.right);
      meet(keyOf(expression.right), expression.left);
    }
    expressionOperands(expression).forEach(compare);
  };
  for (const fn of program.functions) {
    for (const { operation } of fn.edges) {
      operationExpressions(operation).forEach(compare);
      learnFrom(program, fn.id, operation, meet, unite);
    }
  }
  const styleOf = (key: string | null) => (key === null ? decimal : (styles.get(find(key)) ?? decimal));
  return {
    of(expression) {
      const own = typeStyle(expression) ?? spelled(program, expression);
      return own ?? styleOf(keyOf(expression));
    },
    ofVariable: (variable) => typeStyle(nth(program.variables, variable)) ?? styleOf(`v${variable}`),
    ofAddress: (address) => styleOf(keyOfAddress(address)),
    ofResult: (fn) => typeStyle({ type: nth(program.functions, fn).type.result }) ?? styleOf(`r${fn}`),
  };
}

/** The places that `x++`, `x--` or `x += 2` change. */
function countedKeys(program: Program): ReadonlySet<string> {
  const counted = new Set<string>();
  for (const { operation } of program.functions.flatMap(({ edges }) => edges)) {
    if (operation.kind !== "assign" && operation.kind !== "store") continue;
    const key = operation.kind === "assign" ? `v${operation.target}` : keyOfAddress(operation.address);
    if (key !== null && isCount(operation.value, key)) counted.add(key);
  }
  return counted;
}

function isCount(value: Expression, key: string): boolean {
  if (value.kind === "convert") return isCount(value.operand, key);
  if (value.kind !== "binary" || !"+-".includes(value.operator)) return false;
  return keyOf(value.left) === key && value.right.kind === "constant";
}

function learnFrom(
  program: Program,
  fn: number,
  operation: Operation,
  meet: (key: string | null, other: Expression) => void,
  unite: (a: string, b: string) => void,
): void {
  switch (operation.kind) {
    case "assign":
      return meet(`v${operation.target}`, operation.value);
    case "store":
      return meet(keyOfAddress(operation.address), operation.value);
    case "return":
      if (operation.value !== null) meet(`r${fn}`, operation.value);
      return;
    case "call": {
      if (operation.callee.kind === "pointer") return;
      const callee = nth(program.functions, operation.callee.function);
      operation.arguments.forEach((argument, i) => {
        const parameter = callee.parameters[i];
        if (parameter !== undefined) meet(`v${parameter}`, argument);
      });
      if (operation.target !== null) unite(`v${operation.target}`, `r${callee.id}`);
      return;
    }
    default:
      return;
  }
}

/** A key for the place that an expression reads; null for computed values. */
function keyOf(expression: Expression): string | null {
  switch (expression.kind) {
    case "variable":
      return `v${expression.variable}`;
    case "load":
      return keyOfAddress(expression.address);
    case "convert":
      return expression.type.kind === "float" ? null : keyOf(expression.operand);
    default:
      return null;
  }
}

/** All elements of an array share a key, and so does a field in all structs of its type. */
function keyOfAddress(address: Expression): string | null {
  switch (address.kind) {
    case "addressOf":
      return address.object.kind === "variable" ? `v${address.object.variable}` : null;
    case "variable":
      return `v${address.variable}*`;
    case "load": {
      const key = keyOfAddress(address.address);
      return key === null ? null : `${key}*`;
    }
    case "offset": {
      const { pointer } = address;
      return keyOfAddress(pointer);
    }
    case "fieldAddress": {
      const { pointer, field } = address;
      const owner = pointer.type.kind === "pointer" && pointer.type.to.kind === "struct" ? pointer.type.to.name : "";
      return `f${owner}.${field}`;
    }
    case "convert":
      return keyOfAddress(address.operand);
    default:
      return null;
  }
}

function typeStyle({ type }: { readonly type: Expression["type"] | Program["variables"][number]["type"] }) {
  if (type.kind !== "int") return null;
  if (type.enumerators !== undefined) return { kind: "names", enumerators: type.enumerators } as const;
  return type.name === "char" ? ({ kind: "character" } as const) : null;
}

/** The spelling of a constant, or of a sum with a constant. */
function spelled(program: Program, expression: Expression): LiteralStyle | null {
  switch (expression.kind) {
    case "constant": {
      const { type } = expression;
      if (type.kind !== "int") return null;
      if (type.enumerators !== undefined) return { kind: "names", enumerators: type.enumerators };
      const range = rangeOfExpression(expression);
      return range === null ? null : styleOfLiteral(sourceTextAt(program, range) ?? "");
    }
    case "convert":
      return spelled(program, expression.operand);
    case "binary": {
      if (!"+|&^".includes(expression.operator)) return null;
      const style = spelled(program, expression.left) ?? spelled(program, expression.right);
      return style?.kind === "names" ? null : style;
    }
    default:
      return null;
  }
}

function styleOfLiteral(text: string): LiteralStyle | null {
  if (/^[LuU]?'/.test(text)) return { kind: "character" };
  if (/^0[xX]/.test(text)) return { kind: "hexadecimal" };
  return /^0[0-7]+[uUlL]*$/.test(text) ? { kind: "octal" } : null;
}

/** Prints a number of the run as the source would write it. `Wording` names pointers. */
export function printValue(value: ScalarValue, type: ScalarType, style: LiteralStyle): string {
  switch (type.kind) {
    case "float":
      return type.plain ? `${value}` : printFloat(Number(value), type.bits);
    case "bool":
      return value === 0 ? "false" : "true";
    case "pointer":
    case "int":
      return printInteger(value, style);
  }
}

function printInteger(value: ScalarValue, style: LiteralStyle): string {
  switch (style.kind) {
    case "names":
      return style.enumerators.find((each) => each.value === BigInt(value))?.name ?? `${value}`;
    case "character":
      return printCharacter(Number(value)) ?? `${value}`;
    case "hexadecimal":
      return value < 0 ? `${value}` : `0x${value.toString(16).padStart(2, "0")}`;
    case "octal":
      return value <= 0 ? `${value}` : `0${value.toString(8)}`;
    case "decimal":
      return `${value}`;
  }
}

/** A character constant; null for a byte that has none. */
export function printCharacter(code: number): string | null {
  const text = characterText(code);
  return text === null ? null : `'${text}'`;
}

/** The shortest digits that denote exactly this value at its width. */
export function printFloat(value: number, bits: 32 | 64): string {
  let text = `${value}`;
  if (bits === 32) {
    for (let digits = 1; digits <= 9; digits++) {
      const short = `${Number(value.toPrecision(digits))}`;
      if (Math.fround(Number(short)) === value) {
        text = short;
        break;
      }
    }
  }
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Characters of a text that are shown. */
const mostCharacters = 24;

/** Prints bytes up to a zero as a string literal; UTF-8 stays as it is. */
export function printString(bytes: readonly number[], most = mostCharacters): string {
  return partOfText(charactersOf(bytes), 0, most);
}

/** Two texts with their first difference: `"…fix=1#nose" against "…fix=1"`. */
export function printCompared(left: readonly number[], right: readonly number[]): string {
  const texts = [charactersOf(left), charactersOf(right)] as const;
  const [a, b] = texts;
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const isNear = same < mostCharacters - charactersBefore || Math.max(a.length, b.length) <= mostCharacters;
  const from = isNear ? 0 : same - charactersBefore;
  return texts.map((text) => partOfText(text, from, mostCharacters)).join(" against ");
}

/** Characters that are shown before the first difference. */
const charactersBefore = 8;

function partOfText(characters: readonly string[], from: number, most: number): string {
  const isCut = characters.length - from > most;
  const shown = characters.slice(from, isCut ? from + most - 1 : undefined);
  return `"${from > 0 ? "…" : ""}${shown.join("")}${isCut ? "…" : ""}"`;
}

function charactersOf(bytes: readonly number[]): readonly string[] {
  const characters: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const byte = nth(bytes, at);
    const length = byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
    const wide = length === 1 ? null : wideCharacter(bytes.slice(at, at + length));
    characters.push(wide ?? byteText(byte));
    at += wide === null ? 1 : length;
  }
  return characters;
}

const decoder = new TextDecoder();

/** A printable character of several bytes; null for other bytes, which are decoded to U+FFFD. */
function wideCharacter(bytes: readonly number[]): string | null {
  const text = decoder.decode(Uint8Array.from(bytes));
  return text !== "\ufffd" && /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(text) ? text : null;
}

function byteText(byte: number): string {
  if (byte === 34) return '\\"';
  const known = byte === 39 ? "'" : characterText(byte);
  return known ?? `\\x${byte.toString(16).padStart(2, "0")}`;
}

/** Prints values of experiments in the style of their places. */
export function valuePrinter(styles: LiteralStyles): PrintPlaced {
  return (place, value) => {
    const { type } = place;
    const isNamed = type.kind !== "int" || type.numbersFrom === undefined || BigInt(value) < type.numbersFrom;
    const hasText = isNamed || type.enumerators?.some((each) => each.value === BigInt(value));
    return hasText ? printValue(value, type, styleOf(styles, place)) : null;
  };
}

function styleOf(styles: LiteralStyles, place: PrintedPlace): LiteralStyle {
  const own = place.expression === null ? decimal : styles.of(place.expression);
  if (own.kind !== "decimal") return own;
  const { operation } = place.edge;
  switch (operation.kind) {
    case "assign":
    case "callLibrary":
      return operation.target === null || place.use !== "assigned" ? own : styles.ofVariable(operation.target);
    case "store":
      return place.use === "stored" ? styles.ofAddress(operation.address) : own;
    case "return":
      return styles.ofResult(place.function.id);
    default:
      return own;
  }
}

export type { PrintPlaced };
