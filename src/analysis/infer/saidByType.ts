import type { Expr } from "../../concolic/expr.ts";
import type { Kinds } from "./kinds.ts";

/** Whether the types that a contract shows say it already: `x != null` of an Array, `typeof x === "string"` of a string. */
export function isSaidByType(expr: Expr, kinds: Kinds): boolean {
  const seen = (place: Expr): readonly string[] => (isShown(place) ? typesOf(place, kinds) : []);
  const { negated, inner } = strip(expr);
  if (inner.kind === "call" && inner.name === "isArray" && !negated) return isAll(seen(inner.args[0]!), ["Array"]);
  if (inner.kind === "binary" && inner.right.kind === "const") {
    const { operator, left, right } = inner;
    if (/^[!=]==?$/.test(operator) && right.value == null) {
      // What has a number or a text is not missing.
      if (operator.startsWith("!") !== negated && ["int", "number", "string", "bool"].includes(kinds.of(left)))
        return true;
      const missing = operator.length === 2 ? ["null", "undefined"] : [String(right.value)];
      return operator.startsWith("!") === negated ? isAll(seen(left), missing) : isNone(seen(left), missing);
    }
    if (/^===?$/.test(operator) && left.kind === "unary" && left.operator === "typeof" && !negated)
      return isAll(seen(left.operand).map(typeofName), [String(right.value)]);
  }
  const missing = ["null", "undefined"];
  if (negated) return isAll(seen(inner), missing);
  return kinds.of(inner) === "ref" && isNone(seen(inner), missing);
}

function strip(expr: Expr): { readonly negated: boolean; readonly inner: Expr } {
  let negated = false;
  let inner = expr;
  for (; inner.kind === "unary" && inner.operator === "!"; inner = inner.operand) negated = !negated;
  return { negated, inner };
}

/** Parameters have their types in the signature, fields in the class. */
function isShown(place: Expr): boolean {
  return place.kind === "param" || (place.kind === "field" && place.base.kind === "this");
}

function typesOf(place: Expr, kinds: Kinds): readonly string[] {
  const text = kinds.describe(place);
  return text === "" ? [] : text.split(" | ");
}

function typeofName(type: string): string {
  if (type === "int") return "number";
  return ["string", "boolean", "number", "bigint", "symbol", "undefined", "function"].includes(type) ? type : "object";
}

const isAll = (types: readonly string[], wanted: readonly string[]): boolean =>
  types.length > 0 && types.every((type) => wanted.includes(type));

const isNone = (types: readonly string[], unwanted: readonly string[]): boolean =>
  types.length > 0 && !types.some((type) => unwanted.includes(type));
