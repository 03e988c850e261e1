import { nth } from "../../base/checked.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { doubleType, numberType } from "../replay/encoding.ts";
import { lowerCollectionCall } from "./collections.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { elementAccess, familyAt, lengthAccess, load, store, storeQuietly } from "./memory.ts";
import { held, placed, reprAt, tagsAt } from "./opaque.ts";
import { asRepr, binary, compare, convertTo, double, int } from "./values.ts";

/** The effect of a function of the language; null if the model does not have it. */
export function lowerNative(
  cx: JsContext,
  node: Node,
  method: string | null,
  receiver: ModelValue | null,
  passed: readonly ModelValue[],
): ModelValue | null {
  const callee = withoutTypes(node.callee);
  if (node.type !== "CallExpression" || callee.type !== "MemberExpression" || method === null) return null;
  if (callee.object.type === "Identifier" && callee.object.name === "Math")
    return mathematical(cx, node, method, passed);
  if (receiver === null) return null;
  const family = familyAt(cx, node);
  if (family === "map" || family === "set") return lowerCollectionCall(cx, node, method, receiver, passed);
  if (family !== "array") return null;
  const array = held(cx, callee.object, receiver);
  if (method === "push" && node.arguments.every((argument) => argument.type !== "SpreadElement"))
    return pushed(cx, node, array, passed);
  return method === "pop" && !tagsAt(cx, node).has("undefined") ? popped(cx, node, array) : null;
}

function pushed(cx: JsContext, node: Node, array: ModelValue, passed: readonly ModelValue[]): ModelValue {
  passed.forEach((value, i) => {
    const length = load(cx, lengthAccess(cx, array), "int");
    store(cx, elementAccess(cx, array, length), value, nth(node.arguments, i), nth(node.arguments, i));
    const longer: ModelValue = {
      repr: "int",
      expr: binary("+", load(cx, lengthAccess(cx, array), "int").expr, int(1)),
    };
    storeQuietly(cx, lengthAccess(cx, array), longer, node);
  });
  return placed(cx, node, load(cx, lengthAccess(cx, array), "int"));
}

function popped(cx: JsContext, node: Node, array: ModelValue): ModelValue {
  const shorter: ModelValue = { repr: "int", expr: binary("-", load(cx, lengthAccess(cx, array), "int").expr, int(1)) };
  storeQuietly(cx, lengthAccess(cx, array), shorter, node);
  const last = load(cx, lengthAccess(cx, array), "int");
  return held(cx, node, load(cx, elementAccess(cx, array, last), reprAt(cx, node)));
}

function mathematical(cx: JsContext, node: Node, method: string, passed: readonly ModelValue[]): ModelValue | null {
  const [first, second] = passed;
  const isNumber = (value: ModelValue | undefined) =>
    value !== undefined && (value.repr === "int" || value.repr === "double");
  if (!isNumber(first)) return null;
  const x = first!;
  if (passed.length === 1) {
    if (x.repr === "int") {
      if (/^(floor|ceil|round|trunc)$/.test(method)) return x;
      // -x where x is negative.
      if (method === "abs")
        return {
          repr: "int",
          expr: binary("*", x.expr, binary("-", int(1), binary("*", int(2), compare("<", x.expr, int(0))))),
        };
      return null;
    }
    const quotient = method === "floor" ? wholeQuotient(x) : null;
    if (quotient !== null) return quotient;
    return reprAt(cx, node) === "int" ? rounded(method, x) : null;
  }
  if (passed.length !== 2 || !isNumber(second)) return null;
  if (method !== "min" && method !== "max") return null;
  const repr = x.repr === "int" && second!.repr === "int" ? "int" : "double";
  const [a, b] = [asRepr(cx.model, x, repr), asRepr(cx.model, second!, repr)];
  const takesSecond = compare(method === "min" ? "<" : ">", b.expr, a.expr);
  const factor = repr === "int" ? takesSecond : convertTo(doubleType, takesSecond);
  if (repr === "double") return null;
  return { repr, expr: binary("+", a.expr, binary("*", factor, binary("-", b.expr, a.expr))) };
}

/** `Math.floor(a / b)` of whole numbers without going through fractions. */
function wholeQuotient({ expr }: ModelValue): ModelValue | null {
  if (expr.kind !== "binary" || expr.operator !== "/" || expr.left.kind !== "convert") return null;
  const { left, right } = expr;
  const a = left.operand;
  if (a.type.kind !== "int" || right.kind !== "constant" || !Number.isInteger(right.value) || right.value <= 0)
    return null;
  const b = int(Number(right.value));
  // What is left over, never below zero.
  const rest = binary("%", binary("+", binary("%", a, b), b), b);
  return { repr: "int", expr: binary("/", binary("-", a, rest), b) };
}

/** Towards zero, then one to the side where that was the wrong way. */
function rounded(method: string, x: ModelValue): ModelValue | null {
  const whole = (value: ModelValue["expr"]) => convertTo(numberType, value);
  const back = (value: ModelValue["expr"]) => convertTo(doubleType, value);
  const floor = (value: ModelValue["expr"]) => binary("-", whole(value), compare(">", back(whole(value)), value));
  switch (method) {
    case "trunc":
      return { repr: "int", expr: whole(x.expr) };
    case "floor":
      return { repr: "int", expr: floor(x.expr) };
    case "ceil":
      return { repr: "int", expr: binary("+", whole(x.expr), compare("<", back(whole(x.expr)), x.expr)) };
    case "round":
      return { repr: "int", expr: floor(binary("+", x.expr, double(0.5))) };
    default:
      return null;
  }
}
