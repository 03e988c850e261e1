import { type Expression, expressionOperands, rangeOfExpression } from "../../ir/expression.ts";
import { type Operation, operationExpressions } from "../../ir/operation.ts";
import type { Program } from "../../ir/program.ts";
import { sourceTextAt } from "../../ir/sourceText.ts";
import type { IntType } from "../../ir/type.ts";

/** How a programmer writes values of a kind. */
export type LiteralStyle =
  | { readonly kind: "decimal" | "character" | "hexadecimal" | "octal" }
  | { readonly kind: "names"; readonly enumerators: NonNullable<IntType["enumerators"]> };

export type LiteralStyles = {
  /** The style of what the expression is compared with, assigned to and passed as, anywhere in the program. */
  of(expression: Expression): LiteralStyle;
  ofVariable(variable: number): LiteralStyle;
  ofAddress(address: Expression): LiteralStyle;
  ofResult(fn: number): LiteralStyle;
};

const decimal: LiteralStyle = { kind: "decimal" };
const rank = { names: 3, character: 2, hexadecimal: 1, octal: 1, decimal: 0 } as const;

/**
 * Values that flow into each other or are compared are of one kind, and one literal among them shows how that kind is
 * written: `c == ','` makes `c`, and whatever `c` is copied from, a character. Flow-insensitive unification, over the source.
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
  const meet = (key: string | null, other: Expression): void => {
    if (key === null) return;
    const style = spelled(program, other);
    if (style !== null) learn(key, style);
    const second = keyOf(other);
    if (second !== null) unite(key, second);
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
    ofVariable: (variable) => typeStyle(program.variables[variable]!) ?? styleOf(`v${variable}`),
    ofAddress: (address) => styleOf(keyOfAddress(address)),
    ofResult: (fn) => typeStyle({ type: program.functions[fn]!.type.result }) ?? styleOf(`r${fn}`),
  };
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
      const callee = program.functions[operation.callee.function]!;
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

/** Names the place whose value an expression is; null for what is computed. */
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

/** Elements of an array are of one kind, and so is a field in all structs of its type. */
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

/** How the source writes a constant, or a sum with one in it. */
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
