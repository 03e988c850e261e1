import { nth } from "../../../base/checked.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { DependenceGraph, Event, WrongByte } from "../../../dependence/dependenceGraph.ts";
import { type FailureRoot, failureRoot, headEvents, watchedRoot } from "../../../dependence/failureRoot.ts";
import { placeUse } from "../../../dependence/read.ts";
import { isBranch } from "../../../ir/branches.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../../ir/expression.ts";
import {
  type CallLibrary,
  type Operation,
  operationExpressions,
  type UndefinedBehaviour,
} from "../../../ir/operation.ts";

/** The root of an explanation: the failure, and its parts that have values. */
export type Root = {
  readonly failure: FailureRoot;
  readonly events: readonly Event[];
  readonly operands: readonly Operand[];
  /** For a use after the end of an object: the step that ended it. */
  readonly death: number | null;
  /** For uninitialised bytes: the step that allocated them. */
  readonly birth: number | null;
  /** For a literal text that was printed instead of another: the branch that chose it. */
  readonly choice: number | null;
};

export type Operand = {
  readonly step: number;
  readonly expression: Expression;
  readonly range: SourceRange | null;
  /** The steps that computed its value. */
  readonly writers: ReadonlySet<number>;
};

export function rootOf(graph: DependenceGraph): Root {
  const failure = watchedRoot(graph) ?? failureRoot(graph);
  const events = headEvents(failure);
  const steps = failure.kind === "condition" || failure.kind === "loop" ? failure.deciding : [failure.step];
  const own = steps.flatMap((step) => operandsAt(graph, step, failure));
  const choice = own.length === 0 ? choiceOf(graph) : null;
  const operands = choice === null ? own : operandsAt(graph, choice, failure);
  const first = new Map(operands.map((operand) => [operand.expression, operand]));
  const birth = birthOf(graph, failure, operands);
  const asked = [...first.values()].map((operand) =>
    birth === null ? operand : { ...operand, writers: new Set([...operand.writers, birth]) },
  );
  return { failure, events, operands: asked, death: deathOf(graph, failure, operands), birth, choice };
}

/** The condition that decided to print a text, in the function that printed it. */
function choiceOf(graph: DependenceGraph): number | null {
  const { wrongByte } = graph;
  const parent = wrongByte === null ? null : graph.parent(wrongByte.step);
  if (wrongByte === null || parent === null || parent < graph.first || !isBranch(graph.edge(parent))) return null;
  return graph.activation(parent) === graph.activation(wrongByte.step) ? parent : null;
}

function birthOf(graph: DependenceGraph, { kind }: FailureRoot, operands: readonly Operand[]): number | null {
  if (kind !== "trap" || !isUnwritten(graph)) return null;
  const pointer = pointerOf(graph, operands);
  const birth = pointer === null ? null : graph.birth(pointer);
  const isBlock = birth !== null && birth >= graph.first && graph.edge(birth).operation.kind === "callLibrary";
  return isBlock ? birth : null;
}

function isUnwritten({ trace: { outcome } }: DependenceGraph): boolean {
  return outcome.kind === "undefined-behaviour" && outcome.problem === "uninitialised-read";
}

function deathOf(graph: DependenceGraph, { kind }: FailureRoot, operands: readonly Operand[]): number | null {
  const { outcome } = graph.trace;
  if (kind !== "trap" || outcome.kind !== "undefined-behaviour") return null;
  if (outcome.problem !== "use-after-free" && outcome.problem !== "double-free") return null;
  const pointer = pointerOf(graph, operands);
  const death = pointer === null ? null : graph.death(pointer);
  return death !== null && death >= graph.first ? death : null;
}

/** The first operand that is a non-null pointer; for bytes without a value, their address. */
export function pointerOf(graph: DependenceGraph, operands: readonly Operand[]): number | null {
  const values = operands.map(({ step, expression }) => {
    if (isUnwritten(graph)) return expression.kind === "load" ? graph.valueOf(step, expression.address) : 0;
    return expression.type.kind === "pointer" ? graph.valueOf(step, expression) : 0;
  });
  return values.find((value): value is number => typeof value === "number" && value !== 0) ?? null;
}

function operandsAt(graph: DependenceGraph, step: number, { kind }: FailureRoot): readonly Operand[] {
  const printed = graph.wrongByte?.step === step ? graph.wrongByte : null;
  const reads = printed === null ? graph.reads(step) : printed.reads;
  const operand = (expression: Expression): Operand => {
    const parts = new Set(below(expression));
    const writers = new Set<number>();
    for (const read of reads) {
      // Printed bytes belong to the string that the argument points to.
      const isPart = read.expression === null ? printed !== null : parts.has(read.expression);
      if (isPart && read.writer !== null) writers.add(read.writer);
    }
    return { step, expression, range: rangeOfExpression(expression), writers };
  };
  const { outcome } = graph.trace;
  const parts =
    printed !== null
      ? printedArguments(graph, printed)
      : kind === "trap" && outcome.kind === "undefined-behaviour"
        ? trapOperands(graph, step, outcome.problem)
        : partsOfStep(graph, step);
  // The content of a string matters, not its address.
  const isAsked = (expression: Expression) =>
    printed !== null && expression.type.kind === "pointer"
      ? !isText(graph, expression)
      : !isConstant(expression) && !isArray(graph, expression);
  return parts.filter(isAsked).map(operand);
}

/** The printed arguments of a call; none if the format's own text is wrong. */
function printedArguments(graph: DependenceGraph, printed: WrongByte): readonly Expression[] {
  const { operation } = graph.edge(printed.step);
  if (operation.kind !== "callLibrary") return [];
  return printed.arguments.flatMap((i) => operation.arguments[i] ?? []);
}

function partsOfStep(graph: DependenceGraph, step: number): readonly Expression[] {
  const edge = graph.edge(step);
  const expressions = isBranch(edge)
    ? [edge.operation.kind === "assume" ? edge.operation.condition : edge.operation.selector]
    : operationExpressions(edge.operation);
  return expressions.flatMap((expression) =>
    expression.kind === "comparison" && !isOneMacro(expression) ? expressionOperands(expression) : [expression],
  );
}

/** A comparison from a macro has no sides that could be named. */
function isOneMacro(comparison: Expression): boolean {
  const [whole, left] = [comparison, ...expressionOperands(comparison)].map(rangeOfExpression);
  if (!whole || !left) return false;
  return whole.line === left.line && whole.column === left.column && whole.endColumn === left.endColumn;
}

/** The name of an array says which array it is. */
function isArray(graph: DependenceGraph, expression: Expression): boolean {
  if (expression.kind !== "variable" || expression.type.kind !== "pointer") return false;
  const { outcome } = graph.trace;
  if (outcome.kind !== "undefined-behaviour") return false;
  return outcome.problem === "out-of-bounds-read" || outcome.problem === "out-of-bounds-write";
}

/** The text of a literal is its value. */
function isText(graph: DependenceGraph, expression: Expression): boolean {
  if (expression.kind === "convert") return isText(graph, expression.operand);
  if (expression.kind !== "addressOf" || expression.object.kind !== "variable") return false;
  return nth(graph.trace.program.variables, expression.object.variable).madeUp === true;
}

/** Constants need no explanation. */
function isConstant(expression: Expression): boolean {
  if (expression.kind === "constant" || expression.kind === "addressOf") return true;
  const operands = expressionOperands(expression);
  return operands.length > 0 && expression.kind !== "load" && operands.every(isConstant);
}

function below(expression: Expression): Expression[] {
  return [expression, ...expressionOperands(expression).flatMap(below)];
}

/** The parts of an undefined operation that made it undefined. */
export function trapOperands(graph: DependenceGraph, step: number, problem: UndefinedBehaviour): readonly Expression[] {
  const { operation } = graph.edge(step);
  const culprit = operationExpressions(operation)
    .map((expression) => firstUndefined(graph, step, expression))
    .find((found) => found !== null);
  // An uninitialised variable has no value to show, nor has an expression that uses it.
  if (culprit == null && problem === "uninitialised-read") return [];
  const parts = culprit == null ? partsOfOperation(operation, problem) : partsOf(culprit, problem);
  return parts.length > 0 ? parts : operationExpressions(operation);
}

/** The innermost expression without a value whose parts all have one. */
function firstUndefined(graph: DependenceGraph, step: number, expression: Expression): Expression | null {
  for (const operand of expressionOperands(expression)) {
    const inner = firstUndefined(graph, step, operand);
    if (inner !== null) return inner;
  }
  return graph.valueOf(step, expression) === undefined ? expression : null;
}

function partsOf(culprit: Expression, problem: UndefinedBehaviour): readonly Expression[] {
  switch (culprit.kind) {
    case "load":
      return problem === "uninitialised-read" ? [culprit] : accessParts(culprit.address, problem);
    case "binary":
      if (problem === "division-by-zero") return [culprit.right];
      return problem === "bad-shift" ? [culprit.right, culprit.left] : [culprit.left, culprit.right];
    case "offset":
      return [culprit.index, culprit.pointer];
    case "comparison":
    case "pointerDifference":
      return [culprit.left, culprit.right];
    case "unary":
    case "convert":
      return [culprit.operand];
    default:
      return [culprit];
  }
}

/** All parts had values, so the access, call or copy itself was undefined. */
function partsOfOperation(operation: Operation, problem: UndefinedBehaviour): readonly Expression[] {
  switch (operation.kind) {
    case "store":
      return accessParts(operation.address, problem);
    case "copy":
      return [operation.to, operation.from];
    case "callLibrary":
      return outsideParts(operation, problem);
    case "call":
      return operation.callee.kind === "pointer" ? [operation.callee.pointer] : operation.arguments;
    default:
      return operationExpressions(operation);
  }
}

/** Of a library call that left an object: the pointers to what it read or wrote, and the other arguments. */
function outsideParts(operation: CallLibrary, problem: UndefinedBehaviour): readonly Expression[] {
  const use = { "out-of-bounds-read": "written", "out-of-bounds-write": "read" }[problem as string];
  const isOther = (argument: Expression, i: number) =>
    argument.type.kind === "pointer" && placeUse(operation, [i]) === use;
  return operation.arguments.filter((argument, i) => !isOther(argument, i));
}

function accessParts(address: Expression, problem: UndefinedBehaviour): readonly Expression[] {
  const isOutside = problem === "out-of-bounds-read" || problem === "out-of-bounds-write";
  if (isOutside && address.kind === "offset") return [address.index, address.pointer];
  switch (address.kind) {
    case "offset":
    case "fieldAddress":
      return accessParts(address.pointer, problem);
    case "convert":
      return accessParts(address.operand, problem);
    default:
      return [address];
  }
}
