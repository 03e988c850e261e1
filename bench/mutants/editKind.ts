import type { Change } from "../../src/changes/change.ts";
import { type ChangeKind, changeKinds } from "../../src/changes/kinds.ts";
import type { EditKind, ForbiddenEdit } from "./forbiddenEdits.ts";

/** Which of the proposed changes are not to be tried, for a mutant's forbidden edits. */
export function forbidsOf(forbidden: readonly ForbiddenEdit[]): (change: Change) => boolean {
  return (change) => {
    const kind = editKind(change.kind);
    return forbidden.some((each) => each.edit === kind && (each.line === null || change.lines.includes(each.line)));
  };
}

const kinds: Partial<Record<ChangeKind, EditKind>> = {
  boundary: "comparison",
  comparison: "comparison",
  oppositeComparison: "comparison",
  arithmetic: "arithmetic",
  bitwise: "arithmetic",
  regrouped: "arithmetic",
  connective: "connective",
  droppedConjunct: "connective",
  addedCondition: "connective",
  addedRichCondition: "connective",
  otherCondition: "comparison",
  otherRichCondition: "comparison",
  negatedCondition: "negation",
  droppedUnary: "negation",
  assignmentOperator: "direction",
  updateDirection: "direction",
  updateStep: "direction",
  updatePosition: "direction",
  droppedUpdate: "direction",
  character: "constant",
  constantByOne: "constant",
  smallConstant: "constant",
  otherConstant: "constant",
  scaledConstant: "constant",
  largeConstant: "constant",
  initialValue: "constant",
  arraySize: "constant",
  macroConstant: "constant",
  variableForConstant: "constant",
  indexByOne: "index",
  boundByOne: "value",
  valueByOne: "value",
  scaledValue: "value",
  addedTerm: "value",
  droppedOperand: "value",
  absolute: "value",
  negated: "value",
  otherVariable: "variable",
  otherField: "variable",
  elementForVariable: "variable",
  constantForVariable: "variable",
  otherExpression: "variable",
  swappedOperands: "order",
  swappedArguments: "order",
  swappedVariables: "order",
  swappedStatements: "order",
  movedStatement: "order",
};

/** What a kind of change is called here; null for one that undoes no kind of mutation. */
function editKind(kind: ChangeKind): EditKind | null {
  const { how } = changeKinds[kind];
  return kinds[kind] ?? (how === "inserted" ? "insert" : how === "deleted" ? "skip" : null);
}
