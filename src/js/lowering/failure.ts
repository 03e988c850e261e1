import { nth, present } from "../../base/checked.ts";
import { emit, emitTo, newLocation } from "../../ir/builder.ts";
import { type Expression, placedAt, spelledAs } from "../../ir/expression.ts";
import type { Fail } from "../../ir/operation.ts";
import type { IntType } from "../../ir/type.ts";
import { isFunction, type Node, withoutTypes } from "../recorder/syntax.ts";
import { objectOf } from "../recorder/valueRules.ts";
import { special, type Tag } from "../replay/encoding.ts";
import type { Matcher } from "../replay/makers.ts";
import type { RecordedFunction } from "../replay/recordedFile.ts";
import { callFunction } from "./call.ts";
import type { DifferenceStep, JsContext, ModelValue } from "./context.ts";
import { lower } from "./expression.ts";
import { elementAccess, entryAccess, fieldAccess, followed, lengthAccess, load, type TableAccess } from "./memory.ts";
import { branch, held, madeOf, maybeThrow, rangeAt, readInput, tagsAt } from "./opaque.ts";
import { aligned, asRepr, binary, compare, constantOf, double, int, truthOf } from "./values.ts";
import { read } from "./variables.ts";

export function errorText(cx: JsContext): string {
  const { error } = present(cx.model.evidence.failure);
  const object = objectOf(error);
  return object === null ? String(error) : object.className;
}

export function fail(cx: JsContext, node: Node, text: string): void {
  const operation: Fail = { kind: "fail", reason: "error-location", text, code: null };
  emitTo(cx, cx.exit, operation, rangeAt(cx, node));
}

/** The test ended at this place because of the value of a part of it: what has no properties, what is no function. */
export function failUnless(cx: JsContext, node: Node, part: Node, value: ModelValue): void {
  const tags = tagsAt(cx, part);
  const last = cx.model.evidence.values.get(part)?.at(-1);
  const [good, bad] = [newLocation(cx), newLocation(cx)];
  const { anyType } = cx.model.encoding;
  const isEmpty = last === undefined || last === null;
  const condition: Expression =
    isEmpty && (tags.has("undefined") || tags.has("null")) && value.repr === "any"
      ? compare("!=", value.expr, int(last === null ? special.null : special.undefined, anyType))
      : madeOf(readInput(cx, node, { node, of: "throws", repr: "bool" }), [value]);
  const isRecorded = condition.kind !== "comparison";
  const range = isEmpty ? part : node;
  if (isRecorded) branch(cx, condition, bad, good, "assert", range);
  else branch(cx, condition, good, bad, "assert", range);
  cx.here = bad;
  fail(cx, node, errorText(cx));
  cx.here = good;
}

/** `expect(actual).toBe(expected)`: an assertion, where the model can tell whether it holds. */
export function lowerMatcher(cx: JsContext, node: Node, matcher: Matcher): ModelValue {
  const nothing = constantOf(cx.model, special.undefined);
  const isFailing = cx.model.failing === node;
  if (matcher.name === "toThrow" || matcher.name === "toThrowError") return lowerThrowing(cx, node, matcher, isFailing);
  const actual = matcher.actual === null ? nothing : held(cx, matcher.actual, lower(cx, matcher.actual));
  const expected = matcher.expected.map((each) => held(cx, each, lower(cx, each)));
  const parts = { actual, expected, tags: matcher.actual === null ? new Set<Tag>() : tagsAt(cx, matcher.actual) };
  const condition = cx.model.demoted.has(node) || matcher.settled ? null : conditionOf(cx, node, matcher, parts);
  if (condition === null && !isFailing) {
    maybeThrow(cx, node);
    return nothing;
  }
  const [good, bad] = [newLocation(cx), newLocation(cx)];
  if (condition === null) {
    branch(cx, recordedVerdict(cx, node, [actual, ...expected]), bad, good, "assert", node);
  } else if (matcher.negated) branch(cx, condition, bad, good, "assert", node);
  else branch(cx, condition, good, bad, "assert", node);
  cx.here = bad;
  assertionFails(cx, node);
  cx.here = good;
  if (isFailing) endPassed(cx, node);
  return nothing;
}

/** What the test does behind the failing assertion nobody has seen: a run that gets past it has passed. */
function endPassed(cx: JsContext, node: Node): void {
  if ((cx.model.evidence.throws.get(node) ?? []).length > 1) return;
  emitTo(cx, cx.exit, { kind: "fail", reason: "exit", text: "exit", code: int(0) }, rangeAt(cx, node));
}

function assertionFails(cx: JsContext, node: Node): void {
  const text = cx.function.file.text.slice(node.start, node.end).replace(/\s+/g, " ");
  emitTo(cx, cx.exit, { kind: "fail", reason: "assertion", text, code: null }, rangeAt(cx, node));
}

type Parts = { readonly actual: ModelValue; readonly expected: readonly ModelValue[]; readonly tags: ReadonlySet<Tag> };

function conditionOf(
  cx: JsContext,
  node: Node,
  matcher: Matcher,
  { actual, expected, tags }: Parts,
): Expression | null {
  const [first, second] = expected;
  const { anyType } = cx.model.encoding;
  const ordered = (operator: "<" | "<=" | ">" | ">=") => {
    const [a, b] = aligned(cx.model, actual, first!);
    return a.repr === "any" ? null : compare(operator, a.expr, b.expr);
  };
  const same = (number: number) => compare("==", asRepr(cx.model, actual, "any").expr, int(number, anyType));
  switch (matcher.name) {
    case "toBe":
    case "toEqual":
    case "toStrictEqual":
      return equality(cx, node, matcher, actual, first, tags);
    case "toBeGreaterThan":
      return ordered(">");
    case "toBeGreaterThanOrEqual":
      return ordered(">=");
    case "toBeLessThan":
      return ordered("<");
    case "toBeLessThanOrEqual":
      return ordered("<=");
    case "toBeTruthy":
      return truthOf(cx.model, actual, tags);
    case "toBeFalsy":
      return compare("==", truthOf(cx.model, actual, tags), actual.repr === "double" ? double(0) : int(0));
    case "toBeUndefined":
      return same(special.undefined);
    case "toBeNull":
      return same(special.null);
    case "toBeDefined":
      return compare("!=", asRepr(cx.model, actual, "any").expr, int(special.undefined, anyType));
    case "toBeCloseTo":
      return closeTo(cx, actual, first, second);
    case "toHaveLength": {
      const isArray = matcher.actual !== null && isModelledArray(cx, matcher.actual);
      return isArray && first !== undefined
        ? compare("==", load(cx, lengthAccess(cx, actual), "int").expr, asRepr(cx.model, first, "int").expr)
        : null;
    }
    default:
      return null;
  }
}

function isModelledArray(cx: JsContext, node: Node): boolean {
  return followed(cx.model, cx.model.evidence.values.get(node)?.at(-1)) === "array";
}

function closeTo(
  cx: JsContext,
  actual: ModelValue,
  expected: ModelValue | undefined,
  digits: ModelValue | undefined,
): Expression | null {
  if (expected === undefined || actual.repr === "any" || expected.repr === "any") return null;
  const places = digits?.expr.kind === "constant" ? Number(digits.expr.value) : 2;
  const [a, b] = [asRepr(cx.model, actual, "double"), asRepr(cx.model, expected, "double")];
  const most = double(10 ** -places / 2);
  const below = compare("<", binary("-", a.expr, b.expr), most);
  const above = compare("<", binary("-", b.expr, a.expr), most);
  return compare("==", binary("+", below, above), int(2));
}

/** Compares the first part in which two objects differ. */
function equality(
  cx: JsContext,
  node: Node,
  matcher: Matcher,
  actual: ModelValue,
  expected: ModelValue | undefined,
  tags: ReadonlySet<Tag>,
): Expression | null {
  if (expected === undefined) return null;
  const isDeep = tags.has("object") && matcher.name !== "toBe";
  if (!isDeep) {
    const [a, b] = aligned(cx.model, actual, expected);
    return compare("==", a.expr, b.expr);
  }
  const { difference } = cx.model;
  if (cx.model.failing !== node || difference === null) return null;
  const [left, right] = [actual, expected].map((value) => {
    let at = value;
    for (const step of difference.path) {
      const access = stepAccess(cx, at, step, difference.isLength);
      const repr =
        step === difference.path.at(-1) && access.table.exact !== null && difference.isDouble
          ? "double"
          : access.table.repr;
      at = load(cx, access, repr);
    }
    return at;
  });
  const suffix = difference.path.map(stepText).join("");
  const sides = [
    [left!, present(matcher.actual), "actual"],
    [right!, nth(matcher.expected, 0), "expected"],
  ] as const;
  for (const [value, from, name] of sides) {
    placedAt(value.expr, rangeAt(cx, from));
    spelledAs(value.expr, `${textOf(cx, from) ?? name}${suffix}`);
  }
  const [a, b] = aligned(cx.model, left!, right!);
  return compare("==", a.expr, b.expr);
}

function stepAccess(cx: JsContext, at: ModelValue, step: DifferenceStep, isLength: boolean): TableAccess {
  if (typeof step === "number") return elementAccess(cx, at, { repr: "int", expr: int(step) });
  if (typeof step !== "string") return entryAccess(cx, present(cx.model.tables.entries)[step.of], at, int(step.slot));
  return step === "length" && isLength ? lengthAccess(cx, at) : fieldAccess(cx, at, step);
}

function stepText(step: DifferenceStep): string {
  if (typeof step === "object") return step.text;
  if (typeof step === "number") return `[${step}]`;
  return /^[\w$#]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

/** Text that is short enough to be followed by `.length` on one line. */
const longestText = 32;

function textOf(cx: JsContext, node: Node): string | null {
  const text = cx.function.file.text.slice(node.start, node.end).replace(/\s+/g, " ");
  if (/^[\w$.#()[\]]+$/.test(text)) return text;
  return /^(Call|Member|Array)Expression$/.test(node.type) && text.length <= longestText ? text : null;
}

/** `expect(() => …).toThrow()`: the function is called, and then there is an exception or there is none. */
function lowerThrowing(cx: JsContext, node: Node, matcher: Matcher, isFailing: boolean): ModelValue {
  const nothing = constantOf(cx.model, special.undefined);
  const plan = cx.model.evidence.plans.get(node);
  const callback = matcher.actual === null ? null : withoutTypes(matcher.actual);
  const fn: RecordedFunction | undefined = plan?.kind === "call" ? [...plan.functions][0] : undefined;
  const expected = matcher.expected.filter((each) => !isFunction(each)).map((each) => lower(cx, each));
  if (callback === null || fn === undefined || matcher.settled) {
    if (isFailing) {
      recordedFailure(cx, node, expected);
      endPassed(cx, node);
    } else maybeThrow(cx, node);
    return nothing;
  }
  const { thrown } = cx.model.exception;
  const range = rangeAt(cx, node);
  const caught = newLocation(cx);
  cx.handlers.push(caught);
  callFunction(cx, node, fn, null, [], null);
  cx.handlers.pop();
  emit(cx, { kind: "assign", target: thrown.id, value: int(0) }, range);
  const after = newLocation(cx);
  const threw = cx.model.evidence.threw.has(fn);
  const succeeds = (hasThrown: boolean): void => {
    const isGood = hasThrown !== matcher.negated;
    if (isGood || !isFailing) cx.graph.edges.push({ from: cx.here, to: after, operation: { kind: "skip" }, range });
    else assertionFails(cx, node);
  };
  succeeds(false);
  if (threw) {
    cx.here = caught;
    if (isFailing && !matcher.negated)
      recordedFailure(cx, node, [{ repr: "any", expr: read(cx.model.exception.error) }]);
    succeeds(true);
  }
  cx.here = after;
  if (isFailing) endPassed(cx, node);
  return nothing;
}

/** A value that only the runner knows, as a result of its arguments. */
function recordedVerdict(cx: JsContext, node: Node, operands: readonly ModelValue[]): Expression {
  const verdict = readInput(cx, node, { node, of: "throws", repr: "bool" });
  const named = { ...verdict.expr, type: verdictType } as Expression;
  return placedAt(madeOf({ repr: "bool", expr: named }, operands), rangeAt(cx, node));
}

const verdictType: IntType = {
  kind: "int",
  bits: 64,
  signed: true,
  name: "boolean",
  enumerators: [
    { name: "met", value: 0n },
    { name: "not met", value: 1n },
  ],
};

function recordedFailure(cx: JsContext, node: Node, operands: readonly ModelValue[]): void {
  const [good, bad] = [newLocation(cx), newLocation(cx)];
  branch(cx, recordedVerdict(cx, node, operands), bad, good, "assert", node);
  cx.here = bad;
  assertionFails(cx, node);
  cx.here = good;
}
