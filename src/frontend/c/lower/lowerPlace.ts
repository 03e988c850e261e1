import type { SourceRange } from "../../../base/sourceRange.ts";
import { addressOfFunction, mark, retype } from "../../../ir/builder.ts";
import { type Expression, type IndexBound, placedAt } from "../../../ir/expression.ts";
import type { Expr } from "../ast.ts";
import { isInteger, pointerTo } from "../types/cType.ts";
import { readPlace } from "./accessPlace.ts";
import { memberOf, offsetPointer } from "./address.ts";
import { lowerCompoundLiteral } from "./compoundLiteral.ts";
import { type Context, inputError } from "./context.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import type { Place } from "./place.ts";
import { lookup } from "./scope.ts";
import { selectGeneric } from "./selectGeneric.ts";
import { keepValue } from "./spill.ts";
import { placeOfStatic } from "./staticObjects.ts";
import { functionName, isFunctionNameIdentifier, stringPlace } from "./stringLiteral.ts";
import { subobjectBound } from "./subobjectBound.ts";

/** Does the expression designate an object or function, so that `sizeof` and `&` see it undecayed? */
export function isPlaceExpr(cx: Context, e: Expr): boolean {
  switch (e.kind) {
    case "identifier":
      return lookup(cx.scope, e.name)?.kind !== "enumerator";
    case "string":
    case "subscript":
    case "member":
    case "compoundLiteral":
      return true;
    case "unary":
      return e.operator === "*";
    case "generic":
      return isPlaceExpr(cx, selectGeneric(cx, e));
    default:
      return false;
  }
}

/** The place that an expression designates. A struct that an expression produces counts as one, for `.member`. */
export function lowerPlace(cx: Context, e: Expr): Place {
  const place = findPlace(cx, e);
  // The address of a variable is one object for all its uses.
  if (place.kind === "memory" && place.address.kind !== "addressOf") placedAt(place.address, e.range);
  return place;
}

function findPlace(cx: Context, e: Expr): Place {
  switch (e.kind) {
    case "identifier":
      return namedPlace(cx, e.name, e.range);
    case "string":
      return stringPlace(cx.unit, e);
    case "compoundLiteral":
      return lowerCompoundLiteral(cx, e);
    case "subscript":
      return subscriptPlace(cx, e);
    case "member": {
      if (!e.arrow) return memberOf(lowerPlace(cx, e.object), e.field, e.range);
      if (e.object.kind === "unary" && e.object.operator === "&") {
        return memberOf(lowerPlace(cx, e.object.operand), e.field, e.range);
      }
      return memberOf(pointee(lowerScalar(cx, e.object), e.object.range), e.field, e.range);
    }
    case "unary":
      if (e.operator === "*") {
        if (e.operand.kind === "unary" && e.operand.operator === "&") return lowerPlace(cx, e.operand.operand);
        return pointee(lowerScalar(cx, e.operand), e.operand.range);
      }
      break;
    case "comma":
      lowerEffect(cx, e.left);
      return lowerPlace(cx, e.right);
    case "generic":
      return lowerPlace(cx, selectGeneric(cx, e));
    default:
      break;
  }
  const value = lowerExpr(cx, e);
  if (value.kind === "struct") return value.place;
  return inputError("TF158", "this is a value, not an object that can be assigned or has an address", e.range);
}

function namedPlace(cx: Context, name: string, range: SourceRange): Place {
  const entity = lookup(cx.scope, name);
  switch (entity?.kind) {
    case "local":
      return entity.place;
    case "static":
      return placeOfStatic(cx.unit, entity);
    case "function":
      return { kind: "memory", type: entity.type, address: addressOfFunction(entity.linked.id, entity.type) };
    case "enumerator":
    case "typedef":
      return inputError("TF158", `${name} is not an object`, range);
    default:
      if (isFunctionNameIdentifier(name)) return functionName(cx, range);
      return inputError("TF166", `${name} is not declared`, range);
  }
}

/** `*pointer`. */
export function pointee(pointer: Expression, range: SourceRange): Place {
  if (pointer.type.kind !== "pointer") return inputError("TF167", "this is not a pointer", range);
  return { kind: "memory", type: pointer.type.to, address: pointer };
}

function subscriptPlace(cx: Context, e: Expr & { kind: "subscript" }): Place {
  const first = subscriptOperand(cx, e.array);
  const at = mark(cx);
  const second = subscriptOperand(cx, e.index);
  const kept = keepValue(cx, at, first.value, e.array.range);
  const [pointer, index] = kept.type.kind === "pointer" ? [kept, second.value] : [second.value, kept];
  if (pointer.type.kind !== "pointer" || !isInteger(index.type)) {
    return inputError("TF167", "a subscript needs an array or pointer and an integer", e.range);
  }
  const address = offsetPointer(cx, pointer, index, true, e.range, first.bound ?? second.bound);
  return { kind: "memory", type: pointer.type.to, address };
}

/** The array or the index. An array is used at once, not taken the address of. */
function subscriptOperand(cx: Context, e: Expr): { readonly value: Expression; readonly bound: IndexBound | null } {
  if (!isPlaceExpr(cx, e)) return { value: lowerScalar(cx, e), bound: null };
  const place = lowerPlace(cx, e);
  const bound = subobjectBound(cx, e, place);
  if (place.kind === "memory" && place.type.kind === "array") {
    return { value: retype(place.address, pointerTo(place.type.element)), bound };
  }
  return { value: asScalar(readPlace(cx, place), e.range), bound };
}
