import type { BinaryOperator, Comparison, Constant, Expression } from "../../ir/expression.ts";
import type { IntType } from "../../ir/type.ts";
import { booleanType, doubleType, numberType, type Repr, special, type Tag } from "../replay/encoding.ts";
import type { ModelContext, ModelValue } from "./context.ts";
import { typeOf } from "./variables.ts";

export function int(value: number, type: IntType = numberType): Constant {
  return { kind: "constant", type, value: BigInt(value) };
}

export function double(value: number): Constant {
  return { kind: "constant", type: doubleType, value };
}

export function binary(operator: BinaryOperator, left: Expression, right: Expression): Expression {
  return { kind: "binary", operator, type: left.type, left, right };
}

export function compare(operator: Comparison["operator"], left: Expression, right: Expression): Comparison {
  return { kind: "comparison", operator, type: booleanType, left, right };
}

export function convertTo(type: typeof doubleType | IntType, operand: Expression): Expression {
  return { kind: "convert", type, operand, explicit: false };
}

/** The same value, held in another way. Where it cannot be held that way the check against the log will tell. */
export function asRepr(model: Pick<ModelContext, "encoding">, value: ModelValue, repr: Repr): ModelValue {
  if (value.repr === repr) return value;
  const { anyType } = model.encoding;
  const { expr } = value;
  switch (repr) {
    case "any":
      if (value.repr === "int") return { repr, expr: retyped(expr, anyType) };
      if (value.repr === "bool") {
        if (expr.kind === "constant")
          return { repr, expr: int(expr.value === 0n ? special.false : special.true, anyType) };
        const three = binary("*", retyped(expr, anyType), int(special.true - special.false, anyType));
        return { repr, expr: binary("+", int(special.false, anyType), three) };
      }
      if (expr.kind === "constant" && Number.isInteger(expr.value))
        return { repr, expr: int(Number(expr.value), anyType) };
      return { repr, expr: binary("+", int(special.number, anyType), nothingOf(value)) };
    case "double":
      return { repr, expr: expr.kind === "constant" ? double(Number(expr.value)) : convertTo(doubleType, expr) };
    case "int":
      return { repr, expr: value.repr === "double" ? convertTo(numberType, expr) : retyped(expr, numberType) };
    case "bool":
      if (value.repr === "any") return { repr, expr: compare("==", expr, int(special.true, anyType)) };
      return { repr, expr: compare("!=", expr, zeroOf(value.repr)) };
  }
}

function retyped(expr: Expression, type: IntType): Expression {
  return expr.kind === "constant" || expr.kind === "variable" || expr.kind === "load"
    ? ({ ...expr, type } as Expression)
    : expr;
}

function zeroOf(repr: Repr): Constant {
  return repr === "double" ? double(0) : int(0);
}

/** Always 0, and yet made of the value: what is taken from the log still says what it was made from. */
export function nothingOf(value: ModelValue): Expression {
  const plain = value.repr === "double" ? compare("==", value.expr, value.expr) : value.expr;
  return binary("-", plain, plain);
}

/** Non-zero where the value counts as true. */
export function truthOf(model: Pick<ModelContext, "encoding">, value: ModelValue, tags: ReadonlySet<Tag>): Expression {
  const { expr } = value;
  if (value.repr !== "any") return expr;
  const { anyType } = model.encoding;
  const kinds = [...tags];
  const only = (...allowed: Tag[]) => kinds.every((tag) => allowed.includes(tag));
  if (only("object", "function", "undefined")) return compare("!=", expr, int(special.undefined, anyType));
  if (only("object", "function", "null")) return compare("!=", expr, int(special.null, anyType));
  if (only("string")) return compare("!=", expr, int(special.emptyString, anyType));
  const above = compare(">", expr, int(special.emptyString, anyType));
  if (!tags.has("int")) return above;
  const isNumber = compare("<", expr, int(special.undefined, anyType));
  return binary("-", binary("+", above, isNumber), compare("==", expr, int(0, anyType)));
}

/** Both held alike, so that they can be compared or computed with. */
export function aligned(
  model: Pick<ModelContext, "encoding">,
  a: ModelValue,
  b: ModelValue,
): readonly [ModelValue, ModelValue] {
  if (a.repr === b.repr) return [a, b];
  const numeric = (repr: Repr) => repr === "int" || repr === "double";
  const common: Repr = numeric(a.repr) && numeric(b.repr) ? "double" : "any";
  return [asRepr(model, a, common), asRepr(model, b, common)];
}

export function constantOf(model: Pick<ModelContext, "encoding">, number: number): ModelValue {
  return { repr: "any", expr: { kind: "constant", type: typeOf(model, "any") as IntType, value: BigInt(number) } };
}
