import type { SourceRange } from "../../../base/sourceRange.ts";
import { findEntry, libraryAlias } from "../../../c/library/table.ts";
import { emitTo } from "../../../ir/builder.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { Fail } from "../../../ir/operation.ts";
import { isScalar, type ScalarType, sameRepresentation, type Type } from "../../../ir/type.ts";
import { convertTo } from "./accessPlace.ts";
import { type Context, inputError } from "./context.ts";
import { convert } from "./convert.ts";
import { declareExternal } from "./declareFile.ts";
import { linkDeclared } from "./linkUnits.ts";
import { type CallExpr, emitWithResult, lowerArguments, missingArgument, type ResultTarget } from "./lowerCall.ts";
import { asScalar, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { type LoweredValue, scalar, voidValue } from "./place.ts";
import type { FunctionEntity } from "./scope.ts";
import { placeOfStatic } from "./staticObjects.ts";
import { typeOfLibrary } from "./typeOfLibrary.ts";
import { defaultPromotion } from "./variadic.ts";

/** A call of a library function that the program does not define; null for an unknown name. */
export function lowerLibraryCall(
  cx: Context,
  e: CallExpr,
  name: string,
  entity: FunctionEntity | null,
  target: ResultTarget,
): LoweredValue | null {
  const ending = lowerEnding(cx, e, name);
  if (ending !== null) return ending;
  if (name === errnoLocation) return scalar(addressOfErrno(cx, e.range));
  const alias = libraryAlias(name);
  if (alias === null) return null;
  const known = alias.function;
  const { signature } = known;
  const values = lowerArguments(cx, e.arguments).filter((_, i) => alias.keep(i));
  const ranges = e.arguments.filter((_, i) => alias.keep(i)).map((argument) => argument.range);
  const args: Expression[] = [];
  values.forEach((value, i) => {
    const parameter = signature.parameters[i];
    const range = ranges[i]!;
    if (parameter !== undefined) {
      const type = typeOfLibrary(parameter, cx.unit.types) as ScalarType;
      args.push(convertTo(cx, asScalar(value, range), type, range));
    } else if (signature.variadic) args.push(defaultPromotion(cx, asScalar(value, range)));
  });
  for (const parameter of signature.parameters.slice(values.length)) {
    args.push(missingArgument(cx, typeOfLibrary(parameter, cx.unit.types), e));
  }
  const result = typeOfLibrary(signature.result, cx.unit.types);
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

/** glibc's `errno` is the macro `(*__errno_location())`. */
const errnoLocation = "__errno_location";

function addressOfErrno(cx: Context, range: SourceRange): Expression {
  const object = declareExternal(cx.unit, "errno", cx.unit.types.int, range);
  linkDeclared(cx.unit, object);
  const place = object.kind === "static" ? placeOfStatic(cx.unit, object) : null;
  if (place?.kind !== "memory") return inputError("TF180", "errno is declared as something else", range);
  return place.address;
}

const builtinEndings = new Set(["__builtin_trap", "__builtin_unreachable"]);

/** Functions that end the run. */
function lowerEnding(cx: Context, e: CallExpr, name: string): LoweredValue | null {
  const plain = name.replace(/^__builtin_/, "");
  const entry = findEntry(plain);
  const reason = builtinEndings.has(name) ? "abort" : entry?.kind === "ending" ? entry.reason : null;
  if (reason === null) return null;
  if (reason === "abort") {
    for (const argument of e.arguments) lowerExpr(cx, argument);
    endRun(cx, { kind: "fail", reason, text: plain, code: null }, e.range);
    return voidValue;
  }
  const argument = e.arguments[0];
  const code = argument === undefined ? null : convertTo(cx, lowerScalar(cx, argument), cx.unit.types.int, e.range);
  endRun(cx, { kind: "fail", reason, text: name, code }, e.range);
  return voidValue;
}

/** The edge leads to the exit but never arrives; what follows is unreachable. */
export function endRun(cx: Context, operation: Fail, range: SourceRange): void {
  emitTo(cx, cx.exit, operation, range);
}
