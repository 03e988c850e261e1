import { fallInto, jump, newLocation } from "../../../ir/builder.ts";
import type { Case } from "../../../ir/operation.ts";
import { type IntType, wrapToInt } from "../../../ir/type.ts";
import type { Statement } from "../ast.ts";
import { promote } from "../types/arithmeticConversions.ts";
import { isInteger } from "../types/cType.ts";
import { type Context, inputError, type SwitchContext } from "./context.ts";
import { convert } from "./convert.ts";
import { foldConstant } from "./foldConstant.ts";
import { lowerScalar } from "./lowerExpression.ts";
import { lowerStatement } from "./lowerStatement.ts";
import { constantInteger } from "./resolveType.ts";

/** The body is lowered first, with its labels anywhere below it; then the cases lead from the head into it. */
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

/** `case` and `default`: a place in the nearest switch around them. */
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
    if (sorted[i]!.low <= sorted[i - 1]!.high) {
      inputError("TF179", `two cases of a switch have the value ${sorted[i]!.low}`, sorted[i]!.range);
    }
  }
}
