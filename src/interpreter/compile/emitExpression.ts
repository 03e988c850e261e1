import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { Constant, Expression, PointerDifference, VariableRead } from "../../ir/expression.ts";
import { fromBigInt, type ScalarValue } from "../../ir/scalarValue.ts";
import { type FunctionContext, leafIndex, newSite, registerName, temporary } from "./context.ts";
import { emitAddress, emitLoad } from "./emitAccess.ts";
import { emitBinary, emitComparison, emitConvert, emitUnary } from "./emitArithmetic.ts";

/** Deeper expressions are split into statements: JavaScript's parser is recursive. */
const maxHeight = 30;

/** JavaScript that evaluates the expression to its canonical value; parenthesised as an operand. */
export function emitExpression(context: FunctionContext, expression: Expression): string {
  const text = trackedMachineValue(context, expression, emitKind(context, expression));
  if (heightOf(expression) % maxHeight !== 0) return text;
  const name = temporary(context);
  context.lines.push(`${name} = ${text};`);
  return name;
}

function emitKind(context: FunctionContext, expression: Expression): string {
  switch (expression.kind) {
    case "constant":
      return emitConstant(context, expression);
    case "variable":
      return emitRead(context, expression);
    case "load":
      return emitLoad(context, expression);
    case "addressOf":
    case "offset":
    case "fieldAddress":
      return emitAddress(context, expression);
    case "unary":
      return emitUnary(context, expression);
    case "binary":
      return emitBinary(context, expression);
    case "comparison":
      return `(${emitComparison(context, expression)} ? 1 : 0)`;
    case "pointerDifference":
      return emitDifference(context, expression);
    case "convert":
      return emitConvert(context, expression);
    default:
      return assertNever(expression, "expression");
  }
}

/** JavaScript that is true if and only if the scalar is not zero. */
export function emitCondition(context: FunctionContext, expression: Expression): string {
  if (expression.kind === "comparison") return emitComparison(context, expression);
  return `${emitExpression(context, expression)} !== 0`;
}

/** An operand that is used twice: text that evaluates it, and text for its value afterwards. */
export type EmittedOperand = { readonly first: string; readonly again: string };

export function emitOperand(context: FunctionContext, expression: Expression): EmittedOperand {
  return reusable(context, emitExpression(context, expression));
}

export function reusable(context: FunctionContext, text: string): EmittedOperand {
  if (isSimple(text)) return { first: text, again: text };
  const name = temporary(context);
  return { first: `(${name} = ${text})`, again: name };
}

/** A name, a number or a cell: needs no temporary. */
export function isSimple(text: string): boolean {
  return /^[\w$.]+$|^G\[\d+\]$|^\(-[\w.]+\)$/.test(text);
}

export function literal(value: ScalarValue): string {
  const text = typeof value === "bigint" ? `${value}n` : Object.is(value, -0) ? "-0" : `${value}`;
  return text.startsWith("-") ? `(${text})` : text;
}

function emitConstant(context: FunctionContext, expression: Constant): string {
  if (expression.type.kind === "float") {
    return literal(
      expression.type.bits === 32 ? Math.fround(expression.value as number) : (expression.value as number),
    );
  }
  const value = literal(fromBigInt(expression.value as bigint));
  if (expression.type.kind !== "pointer" || value === "0") return value;
  return `integerToPointer(M, ${value}, ${newSite(context, expression)})`;
}

/** With `dependence`: pointers made from integers by looking at memory, and integers made so from pointers. */
function trackedMachineValue(context: FunctionContext, expression: Expression, text: string): string {
  if (!context.mode.dependence || (expression.kind !== "constant" && expression.kind !== "convert")) return text;
  const index = leafIndex(context, expression);
  return index === -1 ? text : `trackValue(T, ${index}, ${text})`;
}

function emitRead(context: FunctionContext, expression: VariableRead): string {
  const name = registerName(context, expression.variable);
  const read = context.mode.dependence
    ? `trackRegister(T, ${leafIndex(context, expression)}, ${name}, w${expression.variable})`
    : name;
  if (!mayBeUnassigned(context, expression.variable)) return read;
  return `(${read} === undefined ? indeterminate(${expression.variable}, ${newSite(context, expression)}) : ${name})`;
}

function mayBeUnassigned(context: FunctionContext, variable: number): boolean {
  if (context.unassigned.get(context.edge.id)?.has(variable)) return true;
  return context.varied !== null && nth(context.program.variables, variable).kind === "local";
}

function emitDifference(context: FunctionContext, expression: PointerDifference): string {
  const left = emitExpression(context, expression.left);
  const right = emitExpression(context, expression.right);
  return `pointerDifference(${left}, ${right}, ${expression.scale}, ${newSite(context, expression)})`;
}

const heights = new WeakMap<Expression, number>();

function heightOf(expression: Expression): number {
  const known = heights.get(expression);
  if (known !== undefined) return known;
  let height = 1;
  switch (expression.kind) {
    case "constant":
    case "variable":
    case "addressOf":
      return 1;
    case "load":
      height += heightOf(expression.address);
      break;
    case "fieldAddress":
      height += heightOf(expression.pointer);
      break;
    case "offset":
      height += Math.max(heightOf(expression.pointer), heightOf(expression.index));
      break;
    case "unary":
    case "convert":
      height += heightOf(expression.operand);
      break;
    case "binary":
    case "comparison":
    case "pointerDifference":
      height += Math.max(heightOf(expression.left), heightOf(expression.right));
      break;
    default:
      return assertNever(expression, "expression");
  }
  heights.set(expression, height);
  return height;
}
