import { nth, present } from "../../base/checked.ts";
import { assertNever, type TracefoldError } from "../../base/errors.ts";
import { remembered } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { emitTo, fallInto, jump, newLocation, read } from "../../ir/builder.ts";
import type { Case } from "../../ir/operation.ts";
import { type IntType, isScalar, wrapToInt } from "../../ir/type.ts";
import type { BlockItem, BlockStatement, Expr, Statement } from "../ast.ts";
import { lowerDeclaration } from "../declare/lowerDeclaration.ts";
import { constantInteger, nameOf } from "../declare/resolveType.ts";
import { newScope } from "../declare/scope.ts";
import { promote } from "../types/arithmeticConversions.ts";
import { isInteger } from "../types/cType.ts";
import { convert, foldConstant } from "./arithmetic.ts";
import {
  type Context,
  inputError,
  type LoweredValue,
  refuse,
  type SwitchContext,
  unsupported,
  voidValue,
} from "./context.ts";
import { type ConditionOrigin, lowerCondition } from "./lowerCondition.ts";
import { asScalar, isAssertFail, lowerEffect, lowerExpr, lowerScalar } from "./lowerExpression.ts";
import { lowerStated, lowerStatementChoice, lowerWatch } from "./lowerInserted.ts";
import { convertTo, copyStruct } from "./lowerPlace.ts";
import { failOrFlag } from "./lowerVerifierCall.ts";

/** A label of this name is an error location. */
const errorLabel = "ERROR";

export function lowerStatement(cx: Context, s: Statement): void {
  try {
    lower(cx, s);
  } catch (error) {
    refuse(cx, error, s.range);
  }
}

function lower(cx: Context, s: Statement): void {
  switch (s.kind) {
    case "block":
      lowerBlock(cx, s, false);
      return;
    case "expressionStatement":
      return lowerEffect(cx, s.expression);
    case "empty":
      return;
    case "if":
      return lowerIf(cx, s);
    case "while": {
      const head = newLocation(cx);
      const body = newLocation(cx);
      const end = newLocation(cx);
      fallInto(cx, head, s.range);
      lowerStated(cx, s.stated ?? [], s.range);
      lowerCondition(cx, s.condition, body, end, "loop");
      cx.here = body;
      inLoop(cx, end, head, () => lowerStatement(cx, s.body));
      jump(cx, head, s.range);
      cx.here = end;
      return;
    }
    case "doWhile": {
      const [body, test, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
      fallInto(cx, body, s.range);
      inLoop(cx, end, test, () => lowerStatement(cx, s.body));
      fallInto(cx, test, s.range);
      lowerStated(cx, s.stated ?? [], s.range);
      lowerCondition(cx, s.condition, body, end, "loop");
      cx.here = end;
      return;
    }
    case "for":
      return lowerFor(cx, s);
    case "switch":
      return lowerSwitch(cx, s);
    case "case":
    case "default":
    case "label": {
      let at: Statement = s;
      while (at.kind === "case" || at.kind === "default" || at.kind === "label") {
        if (at.kind === "label") lowerLabel(cx, at.name, at.range);
        else lowerCaseLabel(cx, at);
        at = at.body;
      }
      return lowerStatement(cx, at);
    }
    case "goto":
      if (s.label === errorLabel && cx.unit.options.errorFlag === true) {
        return failOrFlag(cx, "error-location", s.label, s.range);
      }
      return jump(cx, labelLocation(cx, s.label, s.range), s.range);
    case "break":
      if (cx.breakTo === null) return inputError("TF175", "break outside of a loop or switch", s.range);
      return jump(cx, cx.breakTo, s.range);
    case "continue":
      if (cx.continueTo === null) return inputError("TF175", "continue outside of a loop", s.range);
      return jump(cx, cx.continueTo, s.range);
    case "return":
      return lowerReturn(cx, s.value, s.range);
    case "computedGoto":
      return unsupported("TF253", "computed goto is not supported", s.range);
    case "asm":
      return unsupported("TF257", "inline assembly is not supported", s.range);
    case "watch":
      return lowerWatch(cx, s);
    case "stated":
      fallInto(cx, newLocation(cx), s.range);
      return lowerStated(cx, s.stated, s.range);
    case "choice":
      return lowerStatementChoice(cx, s, lowerStatement);
    default:
      return assertNever(s, "statement");
  }
}

/** With `wanted`, the last expression statement is the block's value (GNU `({ … })`). */
export function lowerBlock(cx: Context, block: BlockStatement, wanted: boolean): LoweredValue {
  // A loop may begin here: its head must not be a location where an operand's value could be saved.
  if (wanted) fallInto(cx, newLocation(cx), block.range);
  let value: LoweredValue = voidValue;
  inScope(cx, () => {
    block.items.forEach((item, i) => {
      const last = wanted && i === block.items.length - 1 ? lastExpression(cx, item) : null;
      if (last !== null) value = lowerExpr(cx, last);
      else lowerItem(cx, item);
    });
  });
  return value;
}

/** A refused construct throws; the code after it must find its own scope again. */
function inScope(cx: Context, body: () => void): void {
  const outer = cx.scope;
  cx.scope = newScope(outer);
  try {
    body();
  } finally {
    cx.scope = outer;
  }
}

function lastExpression(cx: Context, item: BlockItem): Expr | null {
  if (item.kind === "expressionStatement") return item.expression;
  if (item.kind !== "label") return null;
  let at: Statement = item;
  while (at.kind === "label") at = at.body;
  if (at.kind !== "expressionStatement") return null;
  for (let label: Statement = item; label.kind === "label"; label = label.body) lowerLabel(cx, label.name, label.range);
  return at.expression;
}

function lowerItem(cx: Context, item: BlockItem): void {
  if (item.kind === "declaration") {
    try {
      lowerDeclaration(cx, item);
    } catch (error) {
      refuse(cx, error, item.range);
      for (const { declarator } of item.declarators) {
        const name = nameOf(declarator);
        if (name !== null) cx.scope.names.set(name, { kind: "refused", error: error as TracefoldError });
      }
    }
  } else if (item.kind === "staticAssert") checkStaticAssert(cx, item.condition, item.range);
  else lowerStatement(cx, item);
}

export function checkStaticAssert(cx: Context, condition: Expr, range: SourceRange): void {
  if (constantInteger(cx, condition, "the condition of a static assertion") === 0n) {
    inputError("TF176", "a static assertion fails", range);
  }
}

/** Iterative along `else if`: generated programs have chains of thousands. */
function lowerIf(cx: Context, s: Statement & { kind: "if" }): void {
  const end = newLocation(cx);
  let at: Statement | null = s;
  while (at !== null && at.kind === "if") {
    const [then, other] = [newLocation(cx), newLocation(cx)];
    lowerCondition(cx, at.condition, then, at.else === null ? end : other, originOfIf(at));
    cx.here = then;
    lowerStatement(cx, at.then);
    jump(cx, end, at.then.range);
    cx.here = at.else === null ? end : other;
    at = at.else;
  }
  if (at !== null) {
    lowerStatement(cx, at);
    fallInto(cx, end, at.range);
  }
  cx.here = end;
}

/** `if (c) ; else __assert_fail(…);` is how some headers write an assertion. */
function originOfIf(s: Statement & { kind: "if" }): ConditionOrigin {
  const fails = (branch: Statement | null) => branch?.kind === "expressionStatement" && isAssertFail(branch.expression);
  return fails(s.then) || fails(s.else) ? "assert" : "branch";
}

function lowerFor(cx: Context, s: Statement & { kind: "for" }): void {
  inScope(cx, () => {
    if (s.init !== null) {
      if (s.init.kind === "declaration") lowerDeclaration(cx, s.init);
      else lowerEffect(cx, s.init);
    }
    const [head, body, update, end] = [newLocation(cx), newLocation(cx), newLocation(cx), newLocation(cx)];
    fallInto(cx, head, s.range);
    lowerStated(cx, s.stated ?? [], s.range);
    if (s.condition === null) jump(cx, body, s.range);
    else lowerCondition(cx, s.condition, body, end, "loop");
    cx.here = body;
    inLoop(cx, end, update, () => lowerStatement(cx, s.body));
    fallInto(cx, update, s.range);
    if (s.update !== null) lowerEffect(cx, s.update);
    jump(cx, head, s.range);
    cx.here = end;
  });
}

function inLoop(cx: Context, breakTo: number, continueTo: number, body: () => void): void {
  const outer = { breakTo: cx.breakTo, continueTo: cx.continueTo };
  cx.breakTo = breakTo;
  cx.continueTo = continueTo;
  body();
  Object.assign(cx, outer);
}

function labelLocation(cx: Context, name: string, range: SourceRange): number {
  const label = remembered(cx.labels, name, () => ({ location: newLocation(cx), defined: false, range }));
  return label.location;
}

function lowerLabel(cx: Context, name: string, range: SourceRange): void {
  const location = labelLocation(cx, name, range);
  const label = present(cx.labels.get(name));
  if (label.defined) inputError("TF177", `label ${name} is defined twice`, range);
  label.defined = true;
  fallInto(cx, location, range);
  if (name === errorLabel) failOrFlag(cx, "error-location", name, range);
}

function lowerReturn(cx: Context, value: Expr | null, range: SourceRange): void {
  const result = cx.type?.result;
  if (value === null || result === undefined || result.kind === "void") {
    if (value !== null) lowerEffect(cx, value);
    return emitTo(cx, cx.exit, { kind: "return", value: null }, range);
  }
  if (result.kind === "struct") {
    const struct = lowerExpr(cx, value);
    if (struct.kind !== "struct") return inputError("TF162", "a struct must be returned", value.range);
    const address = read(nth(cx.unit.variables, present(cx.resultPointer)));
    copyStruct(cx, { kind: "memory", type: result, address }, struct.place, range);
    return emitTo(cx, cx.exit, { kind: "return", value: null }, range);
  }
  if (!isScalar(result)) return inputError("TF162", "this cannot be returned", range);
  const returned = convertTo(cx, asScalar(lowerExpr(cx, value), value.range), result, range);
  emitTo(cx, cx.exit, { kind: "return", value: returned }, range);
}

/** Lowers the body first, with the labels inside it; then the cases lead from the head into it. */
export function lowerSwitch(cx: Context, s: Statement & { kind: "switch" }): void {
  const { types } = cx.unit;
  const value = lowerScalar(cx, s.value);
  if (!isInteger(value.type)) return inputError("TF178", "a switch needs an integer", s.value.range);
  const selectorType = promote(value.type, types);
  const selector = convert(value, selectorType, types.pointerBytes);
  const head = cx.here;
  const end = newLocation(cx);
  const outer = { breakTo: cx.breakTo, switch: cx.switch };
  const labels: SwitchContext = { selectorType, cases: [], default: null };
  cx.breakTo = end;
  cx.switch = labels;
  cx.here = newLocation(cx);
  lowerStatement(cx, s.body);
  fallInto(cx, end, s.range);
  Object.assign(cx, outer);

  cx.here = head;
  checkOverlap(labels);
  const known = foldConstant(selector, types.pointerBytes);
  if (typeof known === "bigint") {
    const chosen = labels.cases.find(({ low, high }) => low <= known && known <= high) ?? labels.default;
    jump(cx, chosen?.to ?? end, s.value.range);
  } else {
    const emitCase = (to: number, values: Case["values"], range = s.value.range) =>
      cx.graph.edges.push({ from: head, to, operation: { kind: "case", selector, values, others: [] }, range });
    for (const { low, high, to, range } of labels.cases) emitCase(to, [[low, high]], range);
    emitCase(labels.default?.to ?? end, null, labels.default?.range);
  }
  cx.here = end;
}

/** `case` and `default` belong to the nearest enclosing switch. */
export function lowerCaseLabel(cx: Context, s: Statement & { kind: "case" | "default" }): void {
  const labels = cx.switch;
  if (labels === null) return inputError("TF175", `${s.kind} outside of a switch`, s.range);
  const to = newLocation(cx);
  fallInto(cx, to, s.range);
  if (s.kind === "default") {
    if (labels.default !== null) return inputError("TF179", "a switch has two defaults", s.range);
    labels.default = { to, range: { ...s.range, endLine: s.range.line, endColumn: s.range.column + "default".length } };
    return;
  }
  const low = labelValue(cx, s.from, labels.selectorType);
  const high = s.to === null ? low : labelValue(cx, s.to, labels.selectorType);
  // An empty range matches nothing.
  if (low <= high) labels.cases.push({ low, high, to, range: s.from.range });
}

function labelValue(cx: Context, e: Parameters<typeof constantInteger>[1], type: IntType): bigint {
  return wrapToInt(constantInteger(cx, e, "a case label"), type);
}

function checkOverlap(labels: SwitchContext): void {
  const sorted = [...labels.cases].sort((a, b) => (a.low < b.low ? -1 : a.low > b.low ? 1 : 0));
  for (let i = 1; i < sorted.length; i++) {
    if (nth(sorted, i).low <= nth(sorted, i - 1).high) {
      inputError("TF179", `two cases of a switch have the value ${nth(sorted, i).low}`, nth(sorted, i).range);
    }
  }
}
