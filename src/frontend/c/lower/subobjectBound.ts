import { rootOfAddress } from "../../../ir/dataFlow.ts";
import type { Expression, IndexBound } from "../../../ir/expression.ts";
import type { StructType, Type } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { findField } from "../types/layout.ts";
import type { Context } from "./context.ts";
import type { Place } from "./place.ts";
import { typeOfOperand } from "./typeOfOperand.ts";

/**
 * The bound of `array[…]` where the array is a part of something larger, as gcc's `-fsanitize=bounds` has it; null where
 * there is none. An array that is an object of its own needs none: what is outside of it is outside of the object.
 */
export function subobjectBound(cx: Context, array: Expr, place: Place): IndexBound | null {
  if (cx.unit.options.subobjectBounds === false) return null;
  if (place.kind !== "memory" || place.type.kind !== "array" || place.type.length === null) return null;
  if (place.address.kind === "addressOf") return null;
  if (isBehindPointer(place.address) && isLastMember(cx, array)) return null;
  return { length: place.type.length, past: false };
}

function isBehindPointer(address: Expression): boolean {
  return rootOfAddress(address).kind !== "addressOf";
}

/**
 * Is it the last member of a struct that is itself the last of whatever contains it? Behind a pointer such a member often
 * stands for as many elements as were allocated, whatever its length says.
 */
function isLastMember(cx: Context, array: Expr): boolean {
  if (array.kind !== "member") return false;
  for (let at: Expr = array; at.kind === "member"; at = at.object) {
    const type = typeOfOperand(cx, at.object);
    if (!isLastField(at.arrow && type.kind === "pointer" ? type.to : type, at.field)) return false;
    if (at.arrow) return true;
  }
  return true;
}

function isLastField(type: Type, name: string): boolean {
  if (type.kind !== "struct") return false;
  let container: StructType = type;
  for (const field of findField(type, name) ?? []) {
    const fields = container.layout?.fields ?? [];
    if (!container.union && fields[fields.length - 1] !== field) return false;
    if (field.type.kind === "struct") container = field.type;
  }
  return true;
}
