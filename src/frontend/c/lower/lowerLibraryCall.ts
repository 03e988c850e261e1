import { Defect } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { Fail } from "../../../ir/operation.ts";
import type { ScalarType, Type } from "../../../ir/type.ts";
import { isScalar, sameRepresentation } from "../../../ir/typeFacts.ts";
import { convertTo } from "./accessPlace.ts";
import type { Context } from "./context.ts";
import { convert } from "./convert.ts";
import { zero } from "./expressions.ts";
import { emitTo } from "./graph.ts";
import { libraryAlias, libraryFunctions, libraryType } from "./libraryFunctions.ts";
import { type CallExpr, emitWithResult, lowerArguments, missingArgument, type ResultTarget } from "./lowerCall.ts";
import { asScalar, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { scalar, type Value, voidValue } from "./place.ts";
import type { FunctionEntity } from "./scope.ts";
import { defaultPromotion } from "./variadic.ts";

/** A call of a library function that the program does not define; null for an unknown name. */
export function lowerLibraryCall(
  cx: Context,
  e: CallExpr,
  name: string,
  entity: FunctionEntity | null,
  target: ResultTarget,
): Value | null {
  const ending = lowerEnding(cx, e, name);
  if (ending !== null) return ending;
  if (name === "getenv") {
    for (const argument of e.arguments) lowerEffect(cx, argument);
    return scalar(zero({ kind: "pointer", to: cx.unit.types.char }));
  }
  const alias = libraryAlias(name);
  if (alias === null) return null;
  const known = libraryFunctions.get(alias.name);
  if (known === undefined) throw new Defect(`library function ${alias.name} is not in the table`);
  const values = lowerArguments(cx, e.arguments).filter((_, i) => alias.keep(i));
  const ranges = e.arguments.filter((_, i) => alias.keep(i)).map((argument) => argument.range);
  const args: Expression[] = [];
  values.forEach((value, i) => {
    const parameter = known.parameters[i];
    const range = ranges[i]!;
    if (parameter !== undefined) {
      const type = libraryType(parameter, cx.unit.types) as ScalarType;
      args.push(convertTo(cx, asScalar(value, range), type, range));
    } else if (known.variadic) args.push(defaultPromotion(cx, asScalar(value, range)));
  });
  for (const parameter of known.parameters.slice(values.length)) {
    args.push(missingArgument(cx, libraryType(parameter, cx.unit.types), e));
  }
  const result = libraryType(known.result, cx.unit.types);
  const declared: Type = entity === null ? result : entity.type.result;
  const fits = isScalar(result) && isScalar(declared) && sameRepresentation(result, declared);
  const value = emitWithResult(cx, result, fits || target === "discard" ? target : null, e.range, (id) => ({
    kind: "callLibrary",
    name: known.name,
    arguments: args,
    target: id,
  }));
  if (value.kind !== "scalar" || target === "discard") return value;
  if (declared.kind === "void") return voidValue;
  return scalar(
    convert(value.expression, isScalar(declared) ? declared : value.expression.type, cx.unit.types.pointerBytes),
  );
}

const aborting = new Set(["abort", "__builtin_abort", "__builtin_trap", "__builtin_unreachable"]);
const exiting = new Set(["exit", "_exit", "_Exit", "__builtin_exit", "quick_exit"]);

/** Functions that end the run. */
function lowerEnding(cx: Context, e: CallExpr, name: string): Value | null {
  if (aborting.has(name)) {
    for (const argument of e.arguments) lowerExpr(cx, argument);
    endRun(cx, { kind: "fail", reason: "abort", text: name.replace("__builtin_", ""), code: null }, e.range);
    return voidValue;
  }
  if (!exiting.has(name)) return null;
  const argument = e.arguments[0];
  const code = argument === undefined ? null : convertTo(cx, lowerScalar(cx, argument), cx.unit.types.int, e.range);
  endRun(cx, { kind: "fail", reason: "exit", text: name, code }, e.range);
  return voidValue;
}

/** The edge leads to the exit but never arrives; what follows is unreachable. */
export function endRun(cx: Context, operation: Fail, range: SourceRange): void {
  emitTo(cx, cx.exit, operation, range);
}
