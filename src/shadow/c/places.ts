import { binary, type Expr, element, field, plusInteger, unary } from "../expr.ts";
import type { CValue } from "./value.ts";

/** The place that an address is the address of: `&x` is that of x, a pointer `p` that of `*p`. */
export function placeBehind(address: Expr): Expr {
  return address.kind === "unary" && address.operator === "&" ? address.operand : unary("*", address);
}

export const addressOf = (place: Expr): Expr => unary("&", place);

/** `pointer + index` elements of so many bytes each: `p[i]`, `(a + 1)[i]` is `a[1 + i]`, a row of a matrix has rows. */
export function elementAt(pointer: CValue, index: CValue, scale: number): Expr {
  const { term } = pointer;
  if (term.kind !== "unary" || term.operator !== "&") return element(term, index.term);
  const place = term.operand;
  if (place.kind === "element" && pointer.scale === scale) return element(place.base, sum(place.index, index.term));
  return element(place, index.term);
}

function sum(left: Expr, right: Expr): Expr {
  if (right.kind === "const" && typeof right.value === "number") return plusInteger(left, right.value);
  if (left.kind === "const" && typeof left.value === "number") return plusInteger(right, left.value);
  return binary("+", left, right);
}

export function fieldOf(pointer: Expr, name: string): Expr {
  return field(placeBehind(pointer), name);
}
