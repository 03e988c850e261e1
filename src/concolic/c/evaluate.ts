import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { remembered } from "../../base/memo.ts";
import { objectIdOf } from "../../interpreter/memory/pointer.ts";
import { rootOfAddress } from "../../ir/dataFlow.ts";
import { type Evaluation, evaluate } from "../../ir/evaluate.ts";
import type { Expression, Load } from "../../ir/expression.ts";
import type { VariableId } from "../../ir/program.ts";
import { fromBigInt, type ScalarValue } from "../../ir/scalarValue.ts";
import { completeSize, printType, type ScalarType } from "../../ir/type.ts";
import {
  binary,
  call,
  constant,
  type EntryExpr,
  foldBinary,
  free,
  fresh,
  isBoolean,
  negated,
  type ShadowValue,
  unary,
} from "../expr.ts";
import { addCondition, bounded, type CFrame, freshOpaque, rememberEntry } from "./frame.ts";
import {
  addressOf,
  type CPlace,
  type CValue,
  elementAt,
  fieldOf,
  placeBehind,
  recordedOf,
  registerPlace,
} from "./value.ts";

/** The value of an expression, in the run and in terms. */
export function evaluateC(frame: CFrame, expression: Expression): CValue {
  return bounded(frame, evaluateNode(frame, expression));
}

function evaluateNode(frame: CFrame, expression: Expression): CValue {
  switch (expression.kind) {
    case "constant":
      return constantValue(frame, expression);
    case "variable":
      return readVariable(frame, expression.variable, expression.type);
    case "load":
      return readMemory(frame, expression);
    case "addressOf": {
      const { object } = expression;
      if (object.kind === "function")
        return plain(known(frame, expression, []), free(nth(frame.world.program.functions, object.function).name));
      const raw = frame.world.state.addressOf(object.variable);
      return plain(raw, variableAddress(frame, object.variable, raw));
    }
    case "offset": {
      const pointer = evaluateC(frame, expression.pointer);
      const index = evaluateC(frame, expression.index);
      const raw = known(frame, expression, [expression.pointer, pointer, expression.index, index]);
      needIndex(frame, expression, index);
      if (index.term.kind === "const" && index.term.value === 0 && !expression.subscript) return { ...pointer, raw };
      return { raw, term: addressOf(elementAt(pointer, index, expression.scale)), scale: expression.scale };
    }
    case "fieldAddress": {
      const pointer = evaluateC(frame, expression.pointer);
      needPointer(frame, expression.pointer, pointer);
      const raw = known(frame, expression, [expression.pointer, pointer]);
      return plain(raw, addressOf(fieldOf(pointer.term, expression.field)));
    }
    case "unary": {
      const operand = evaluateC(frame, expression.operand);
      const raw = known(frame, expression, [expression.operand, operand]);
      return plain(raw, unary(expression.operator === "negate" ? "-" : "~", operand.term));
    }
    case "binary":
    case "comparison":
      return evaluateOperation(frame, expression);
    case "pointerDifference": {
      const left = evaluateC(frame, expression.left);
      const right = evaluateC(frame, expression.right);
      const raw = known(frame, expression, [expression.left, left, expression.right, right]);
      return plain(raw, distance(left, right) ?? freshOpaque(frame, "a distance"));
    }
    case "convert":
      return convert(frame, expression, evaluateC(frame, expression.operand));
    default:
      return assertNever(expression, "expression");
  }
}

function plain(raw: ScalarValue | undefined, term: EntryExpr): CValue {
  return { raw, term, scale: null };
}

/** The value of an expression whose operands were evaluated; operands and their values alternate. */
function known(frame: CFrame, expression: Expression, operands: readonly (Expression | CValue)[]) {
  const values = new Map<Expression, ScalarValue | undefined>();
  for (let at = 0; at < operands.length; at += 2)
    values.set(operands[at] as Expression, (operands[at + 1] as CValue).raw);
  const evaluation: Evaluation = {
    wraps: frame.world.wraps,
    leaf: (leaf) => (values.has(leaf) ? values.get(leaf) : null),
    ordered: (left, right) => objectIdOf(left) === objectIdOf(right),
  };
  return evaluate(evaluation, expression);
}

function constantValue(frame: CFrame, { type, value }: Extract<Expression, { kind: "constant" }>): CValue {
  if (type.kind === "float") return plain(value as number, constant(value as number));
  const raw = fromBigInt(value as bigint);
  if (type.kind !== "pointer") return plain(raw, constant(raw));
  return plain(raw, raw === 0 ? constant(null) : freshOpaque(frame, "an address"));
}

function readVariable(frame: CFrame, variable: VariableId, type: ScalarType): CValue {
  const { state, program } = frame.world;
  const raw = state.register(variable);
  const { kind, name } = nth(program.variables, variable);
  if (kind === "static") {
    const size = completeSize(type, program.pointerBytes);
    return frame.cells.read({ at: registerPlace(variable), size, type, term: free(name) }, raw);
  }
  const value = frame.registers.get(variable);
  if (value === undefined) return plain(raw, freshOpaque(frame, name));
  if (value.raw === undefined || value.raw === raw) return { ...value, raw };
  return plain(raw, freshOpaque(frame, name));
}

export function placeOf(frame: CFrame, address: Expression, type: ScalarType): CPlace | null {
  const pointer = evaluateC(frame, address);
  const root = rootOfAddress(address);
  needPointer(frame, root, root === address ? pointer : evaluateC(frame, root));
  if (typeof pointer.raw !== "number") return null;
  const size = completeSize(type, frame.world.program.pointerBytes);
  return { at: pointer.raw, size, type, term: placeBehind(pointer.term) };
}

function readMemory(frame: CFrame, { address, type, bitField }: Load): CValue {
  const place = placeOf(frame, address, type);
  if (place === null || bitField !== undefined) return plain(undefined, freshOpaque(frame, "a bit-field"));
  return frame.cells.read(place, frame.world.state.load(place.at, type));
}

/** Variables of the call itself are objects that nobody else has a name for. */
function variableAddress(frame: CFrame, variable: VariableId, raw: ScalarValue | undefined): EntryExpr {
  const { kind, name, type, literal } = nth(frame.world.program.variables, variable);
  if (literal !== undefined) return freshOpaque(frame, "a string");
  if (kind === "static") return addressOf(free(name));
  if (typeof raw === "number" && raw !== 0) frame.cells.markFresh(raw);
  const known = remembered(frame.localNames, variable, () => fresh(frame.fresh++, printType(type), ""));
  return addressOf(known);
}

/** An access through a null pointer ends the run. */
function needPointer(frame: CFrame, address: Expression, { term }: CValue): void {
  if ((term.kind === "unary" && term.operator === "&") || term.kind === "new") return;
  if (term.kind === "opaque" || term.kind === "const") return;
  addCondition(frame, { expr: binary("!=", term, constant(null)), point: address, kind: "native" });
}

/** The index of an array whose length the program declares. */
function needIndex(frame: CFrame, expression: Extract<Expression, { kind: "offset" }>, { term, raw }: CValue): void {
  const length = declaredLength(frame, expression);
  if (length === null || raw === undefined || term.kind === "const") return;
  const value = { concrete: Number(raw), term };
  const low = foldBinary(">=", value, { concrete: 0, term: constant(0) }).term;
  const high = foldBinary("<", value, { concrete: length, term: constant(length) }).term;
  addCondition(frame, { expr: low, point: expression, kind: "bounds", needed: true });
  addCondition(frame, { expr: high, point: expression.index, kind: "bounds", needed: true });
}

function declaredLength(
  { world }: CFrame,
  { pointer, subscript, bound }: Extract<Expression, { kind: "offset" }>,
): number | null {
  if (bound !== undefined) return bound.past ? null : bound.length;
  if (!subscript || pointer.kind !== "addressOf" || pointer.object.kind !== "variable") return null;
  const { type } = nth(world.program.variables, pointer.object.variable);
  return type.kind === "array" ? type.length : null;
}

const equalities: Readonly<Record<string, string>> = { "==": "===", "!=": "!==" };

function evaluateOperation(frame: CFrame, expression: Extract<Expression, { kind: "binary" | "comparison" }>): CValue {
  const left = evaluateC(frame, expression.left);
  const right = evaluateC(frame, expression.right);
  const raw = known(frame, expression, [expression.left, left, expression.right, right]);
  const operator = operatorOf(expression);
  const divides = (expression.operator === "/" || expression.operator === "%") && operator !== "/";
  if (divides && right.term.kind !== "const")
    addCondition(frame, { expr: binary("!==", right.term, constant(0)), point: expression, kind: "native" });
  const truth = expression.kind === "comparison" ? comparedTruth(expression.operator, left.term, right.term) : null;
  // A just allocated block is not null.
  if (isNull(right.term) && left.term.kind === "new") return plain(raw, constant(expression.operator === "!="));
  if (truth !== null) return plain(raw, truth);
  if (expression.kind === "comparison" && (isBoolean(left.term) || isBoolean(right.term)))
    return plain(raw, freshOpaque(frame, "a comparison of truth values"));
  const { pointers } = frame.world;
  const operand = (value: CValue, type: ScalarType): ShadowValue => ({
    concrete: recordedOf(value.raw, type, pointers),
    term: value.term,
  });
  const { term } = foldBinary(operator, operand(left, expression.left.type), operand(right, expression.right.type));
  return plain(raw, term);
}

/** Integers are divided without remainder: another operator than that of numbers. */
function operatorOf(expression: Extract<Expression, { kind: "binary" | "comparison" }>): string {
  if (expression.kind === "comparison")
    return expression.left.type.kind === "pointer"
      ? expression.operator
      : (equalities[expression.operator] ?? expression.operator);
  return expression.operator === "/" && expression.type.kind !== "float" ? "div" : expression.operator;
}

/** `(a < b) != 0` is `a < b`. */
function comparedTruth(operator: string, left: EntryExpr, right: EntryExpr): EntryExpr | null {
  if (right.kind !== "const" || (operator !== "==" && operator !== "!=")) return null;
  if (!isBoolean(left) && left.kind !== "call") return null;
  if (left.kind === "call" && right.value !== 0) return null;
  if (right.value !== 0 && right.value !== 1) return null;
  return (operator === "!=") === (right.value === 0) ? left : negated(left);
}

const isNull = (term: EntryExpr): boolean => term.kind === "const" && term.value === null;

function distance(left: CValue, right: CValue): EntryExpr | null {
  const [a, b] = [elementOf(left.term), elementOf(right.term)];
  if (a === null || b === null || a.base.key !== b.base.key || left.scale !== right.scale) return null;
  return binary("-", a.index, b.index);
}

function elementOf(term: EntryExpr): Extract<EntryExpr, { kind: "element" }> | null {
  return term.kind === "unary" && term.operand.kind === "element" ? term.operand : null;
}

/** A conversion that keeps the value is none, one that does not is a function of it. */
function convert(frame: CFrame, expression: Extract<Expression, { kind: "convert" }>, operand: CValue): CValue {
  const raw = known(frame, expression, [expression.operand, operand]);
  const { type } = expression;
  const from = expression.operand.type;
  if (type.kind === "bool" && from.kind !== "bool") return plain(raw, truthOf(operand.term, from));
  if (type.kind === "pointer" && from.kind === "pointer") return { ...operand, raw };
  if (type.kind === "pointer" || from.kind === "pointer")
    return plain(raw, raw === 0 ? constant(type.kind === "pointer" ? null : 0) : freshOpaque(frame, "an address"));
  if (raw !== undefined && raw === operand.raw) return { ...operand, raw };
  const term = call(`(${printType(type)})`, null, [operand.term]);
  rememberEntry(frame, term, raw, type, null);
  return plain(raw, term);
}

/** A condition that says that the value is not zero. */
export function truthOf(term: EntryExpr, type: ScalarType): EntryExpr {
  if (term.kind === "const") return constant(Boolean(term.value));
  if (isBoolean(term) || term.kind === "call") return term;
  return type.kind === "pointer" ? binary("!=", term, constant(null)) : binary("!==", term, constant(0));
}
