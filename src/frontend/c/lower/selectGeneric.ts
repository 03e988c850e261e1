import type { Expr } from "../ast.ts";
import { compatible } from "../types/compatible.ts";
import { decay } from "../types/cType.ts";
import { type Context, inputError } from "./context.ts";
import { typeOfTypeName } from "./resolveType.ts";
import { typeOfOperand } from "./typeOfOperand.ts";

/** The expression that `_Generic` stands for. */
export function selectGeneric(cx: Context, e: Expr & { kind: "generic" }): Expr {
  const control = decay(typeOfOperand(cx, e.control));
  let fallback: Expr | null = null;
  for (const { type, value } of e.associations) {
    if (type === null) fallback = value;
    else if (compatible(typeOfTypeName(cx, type), control)) return value;
  }
  return fallback ?? inputError("TF170", "no association of _Generic has the type of its operand", e.range);
}
