import { rangeBetweenOffsets } from "../../../base/sourceFile.ts";
import { children, type Node, parseSource } from "../../../js/recorder/syntax.ts";
import type { TraceQuestion } from "../../../js/trace/question.ts";
import type { FailedCondition } from "../result.ts";
import type { TracePlaces } from "./traceGraph.ts";

/** The failed check as it is written, with the received value below the expression that was checked. */
export function failedCondition(question: TraceQuestion, places: TracePlaces): FailedCondition | null {
  const place = places(question.site);
  if (place === null) return null;
  const { file, range, site } = place;
  const whole = { text: place.text, location: range, operands: [] };
  if (question.kind !== "matcher") return whole;
  const parsed = parseSource(file.path, file.text, "module");
  if (parsed.kind === "refused") return whole;
  const call = smallestCall(parsed.program, site.start, site.end);
  const checked = call === null ? null : subjectOf(call);
  const isCompared = question.side !== undefined && checked?.type === "BinaryExpression";
  const subject = isCompared ? checked[question.side] : checked;
  if (call === null || subject === null) return whole;
  const location = rangeBetweenOffsets(file, subject.start, subject.end);
  const text = file.text.slice(subject.start, subject.end).replaceAll(/\s+/g, " ");
  const operand = { text, value: question.received, location };
  return {
    text: file.text.slice(call.start, call.end),
    location: rangeBetweenOffsets(file, call.start, call.end),
    operands: [operand],
  };
}

/** The smallest call that ends at an offset and contains another. */
function smallestCall(node: Node, start: number, end: number): Node | null {
  if (node.start > start || node.end < end) return null;
  for (const child of children(node)) {
    const found = smallestCall(child, start, end);
    if (found !== null) return found;
  }
  return node.type === "CallExpression" && node.end === end ? node : null;
}

/** `x` of `expect(x).not.toBe(y)` and of `assert.equal(x, y)`. */
function subjectOf(call: Node): Node | null {
  let at: Node = call.callee;
  while (at.type === "MemberExpression") at = at.object;
  const inner = at.type === "CallExpression" ? at : call;
  return inner.arguments[0] ?? null;
}
