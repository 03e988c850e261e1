import type { Type } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { type Context, scratchOf } from "./context.ts";
import { isPlaceExpr, lowerExpr, lowerPlace } from "./lowerExpression.ts";
import { lookup } from "./scope.ts";

/** The type of an expression that is not evaluated: of `sizeof`, `typeof`, `_Generic`. Arrays stay arrays. */
export function typeOfOperand(cx: Context, expr: Expr): Type {
  if (expr.kind === "identifier") {
    const entity = lookup(cx.scope, expr.name);
    if (entity?.kind === "local") return entity.place.type;
    if (entity !== null) return entity.type;
  }
  const scratch = scratchOf(cx);
  if (isPlaceExpr(scratch, expr)) return lowerPlace(scratch, expr).type;
  const value = lowerExpr(scratch, expr);
  if (value.kind === "scalar") return value.expression.type;
  return value.kind === "struct" ? value.type : { kind: "void" };
}
