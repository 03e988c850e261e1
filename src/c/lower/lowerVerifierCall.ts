import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, emit, jump, newLocation } from "../../ir/builder.ts";
import type { Fail } from "../../ir/operation.ts";
import { writtenTextAt } from "../../ir/source.ts";
import { isScalar, type Type } from "../../ir/type.ts";
import type { Expr, Statement } from "../ast.ts";
import type { FunctionEntity } from "../declare/scope.ts";
import { isInteger, pointerTo, voidType } from "../types/cType.ts";
import { convert } from "./arithmetic.ts";
import { addVariable, type Context, type LoweredValue, type UnitContext, voidValue } from "./context.ts";
import { declaredName, functionDeclarator } from "./findAddressTaken.ts";
import { type CallExpr, emitWithResult, endRun, type NamedCall } from "./lowerCall.ts";
import { branch, type ConditionOrigin, lowerCondition } from "./lowerCondition.ts";
import { asScalar, lowerEffect, lowerExpr } from "./lowerExpression.ts";
import { inputOfType } from "./lowerUndefinedCall.ts";

const nondetPrefix = "__VERIFIER_nondet_";
const assertions = new Set(["__VERIFIER_assert", "assert"]);
const assumptions = new Set(["__VERIFIER_assume", "assume_abort_if_not"]);
const errors = new Set(["reach_error", "__VERIFIER_error"]);
const failures = new Set([
  "__assert_fail",
  "__assert_perror_fail",
  "__assert",
  "__assert_func",
  "__assert_rtn",
  "__tf_check_failed",
  "__tf_check_status",
]);

/** The calls of failed checks that are no `assert`. */
const checks: Readonly<Record<string, "framework" | "status">> = {
  __tf_check_failed: "framework",
  __tf_check_status: "status",
};

/** Intrinsics of verification tasks, and `assert` unless the program defines it. null for any other function. */
export function lowerVerifierCall(cx: Context, call: NamedCall): LoweredValue | null {
  const { e, name, entity } = call;
  const [first] = e.arguments;
  if (name.startsWith(nondetPrefix)) return lowerNondet(cx, call);
  if (errors.has(name)) {
    for (const argument of e.arguments) lowerEffect(cx, argument);
    failOrFlag(cx, "error-location", name, e.range);
    return voidValue;
  }
  if (assertions.has(name) && first !== undefined && isUsualAssertion(name, entity)) {
    lowerGuard(cx, first, parameterOf(name, entity), "assert", e);
    return voidValue;
  }
  if (assumptions.has(name) && first !== undefined) {
    lowerGuard(cx, first, parameterOf(name, entity), "assumption", e);
    return voidValue;
  }
  if (failures.has(name) && entity?.linked.definition == null) {
    const text = first?.kind === "string" ? Buffer.from(first.units).toString("utf8") : name;
    failOrFlag(cx, "assertion", text, e.range, checks[name]);
    return voidValue;
  }
  return null;
}

/**
 * A program's own `assert` is a function like others. Verification tasks define `__VERIFIER_assert` to fail if its
 * argument is 0; with any other body it is the program's own, too.
 */
function isUsualAssertion(name: string, entity: FunctionEntity | null): boolean {
  const definition = entity?.linked.definition ?? null;
  if (definition === null) return true;
  if (name === "assert") return false;
  const parameter = functionDeclarator(definition.declarator)?.parameters[0];
  const argument = parameter === undefined ? null : declaredName(parameter.declarator);
  const [test] = definition.body.items;
  return argument !== null && test?.kind === "if" && failsForZero(test, argument);
}

/** `if (!cond) { ERROR: reach_error(); }`; also `cond == 0`, `cond != 1`, and `if (cond) {} else …`. */
function failsForZero({ condition, then, else: other }: Statement & { kind: "if" }, argument: string): boolean {
  const isArgument = (e: Expr): boolean =>
    e.kind === "identifier" ? e.name === argument : e.kind === "cast" && isArgument(e.operand);
  if (isArgument(condition)) return other !== null && alwaysFails(other) && !alwaysFails(then);
  const isNegated =
    (condition.kind === "unary" && condition.operator === "!" && isArgument(condition.operand)) ||
    (condition.kind === "binary" &&
      condition.operator === "==" &&
      isArgument(condition.left) &&
      condition.right.kind === "number" &&
      Number(condition.right.text) === 0);
  return isNegated && alwaysFails(then) && (other === null || !alwaysFails(other));
}

/** True for a statement that first of all reaches an error. */
function alwaysFails(s: Statement): boolean {
  switch (s.kind) {
    case "label":
      return s.name === "ERROR" || alwaysFails(s.body);
    case "block": {
      const [first] = s.items;
      return first !== undefined && first.kind !== "declaration" && first.kind !== "staticAssert" && alwaysFails(first);
    }
    case "goto":
      return s.label === "ERROR";
    case "expressionStatement":
      return (
        s.expression.kind === "call" &&
        s.expression.callee.kind === "identifier" &&
        (errors.has(s.expression.callee.name) || failures.has(s.expression.callee.name))
      );
    default:
      return false;
  }
}

/** `assert` tests any scalar; the verifier's functions first convert their argument to the declared parameter type. */
function parameterOf(name: string, entity: FunctionEntity | null): Type | null {
  return name === "assert" ? null : (entity?.type.parameters[0] ?? null);
}

function lowerGuard(cx: Context, condition: Expr, parameter: Type | null, origin: ConditionOrigin, e: CallExpr): void {
  const holds = newLocation(cx);
  const fails = newLocation(cx);
  if (isTruthValued(condition) || parameter === null) lowerCondition(cx, condition, holds, fails, origin);
  else {
    const value = asScalar(lowerExpr(cx, condition), condition.range);
    const narrowed =
      isInteger(parameter) && value.type.kind !== "pointer"
        ? convert(value, parameter, cx.unit.types.pointerBytes)
        : value;
    branch(cx, narrowed, holds, fails, origin, condition.range);
  }
  cx.here = fails;
  const text = (writtenTextAt(cx.unit.options, condition.range) ?? "").replaceAll(/[^\S\n]*\n[^\S\n]*/g, " ").trim();
  if (origin === "assert") failOrFlag(cx, "assertion", text, e.range);
  else endRun(cx, { kind: "fail", reason: "assumption", text, code: null }, e.range);
  jump(cx, holds, e.range);
  cx.here = holds;
}

/** True if the value is 0 or 1 in any type. */
function isTruthValued(e: Expr): boolean {
  if (e.kind === "unary") return e.operator === "!";
  return e.kind === "binary" && ["&&", "||", "==", "!=", "<", "<=", ">", ">="].includes(e.operator);
}

/** The run ends with an error, or, with an error flag, records it and continues. */
export function failOrFlag(
  cx: Context,
  reason: "assertion" | "error-location",
  text: string,
  range: SourceRange,
  check?: Fail["check"],
): void {
  if (cx.unit.options.errorFlag !== true) {
    return endRun(cx, { kind: "fail", reason, text, code: null, ...(check === undefined ? {} : { check }) }, range);
  }
  emit(cx, { kind: "assign", target: errorVariable(cx.unit, range), value: constant(cx.unit.types.int, 1n) }, range);
}

function errorVariable(unit: UnitContext, range: SourceRange) {
  unit.made.errorVariable ??= addVariable(unit, {
    name: unit.units.every(({ fileScope }) => !fileScope.names.has("err")) ? "err" : "__tf_err",
    type: unit.types.int,
    kind: "static",
    storage: "register",
    function: null,
    range,
  }).id;
  return unit.made.errorVariable;
}

function lowerNondet(cx: Context, { e, name, entity, target }: NamedCall): LoweredValue {
  for (const argument of e.arguments) lowerEffect(cx, argument);
  const suffix = name.slice(nondetPrefix.length);
  const type = entity === null ? nondetType(cx.unit, suffix) : entity.type.result;
  if (type.kind === "void") return voidValue;
  const truth = (suffix === "bool" || suffix === "_Bool") && type.kind === "int";
  if (!truth || !isScalar(type)) return inputOfType(cx, type, name, target, e.range);
  return emitWithResult(cx, type, target === "discard" ? null : target, e.range, (id) => ({
    kind: "input",
    target: id!,
    type,
    source: name,
    within: [0n, 1n],
  }));
}

/** The type in the name of an undeclared `__VERIFIER_nondet_…`. */
function nondetType(unit: UnitContext, suffix: string): Type {
  const { types } = unit;
  const byName: Readonly<Record<string, Type>> = {
    bool: types.bool,
    _Bool: types.bool,
    char: types.char,
    schar: types.signedChar,
    uchar: types.unsignedChar,
    u8: types.unsignedChar,
    short: types.short,
    ushort: types.unsignedShort,
    u16: types.unsignedShort,
    int: types.int,
    uint: types.unsignedInt,
    unsigned: types.unsignedInt,
    u32: types.unsignedInt,
    long: types.long,
    ulong: types.unsignedLong,
    longlong: types.longLong,
    ulonglong: types.unsignedLongLong,
    size_t: types.size,
    loff_t: types.longLong,
    sector_t: types.unsignedLong,
    float: types.float,
    double: types.double,
    pointer: pointerTo(voidType),
    pchar: pointerTo(types.char),
    charp: pointerTo(types.char),
  };
  return byName[suffix] ?? types.int;
}
