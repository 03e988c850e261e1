import { nth } from "../base/checked.ts";
import type { FailureSignals } from "../frontEnd/frontEnd.ts";
import { isBranch } from "../ir/branches.ts";
import type { Expression } from "../ir/expression.ts";
import { type Operation, operationExpressions } from "../ir/operation.ts";
import type { Edge, Function, Program, ProgramVariable } from "../ir/program.ts";
import type { DependenceGraph } from "./dependenceGraph.ts";
import type { Read } from "./read.ts";

/** More hops are no status that is passed on. */
const mostHops = 1000;

/**
 * How a run that ended with a wrong status signals that a check failed. The walk goes back from the status, through
 * returned values, flags and counters, to the first constant that was written under a test of something else. null if
 * the status is computed in another way.
 */
export function failedCheck(graph: DependenceGraph): FailureSignals | null {
  if (graph.trace.outcome.kind !== "wrong-exit") return null;
  let last: FailureSignals | null = null;
  let step = graph.end - 1;
  for (let hop = 0; hop < mostHops && step >= graph.first; hop++) {
    const source = statusSource(graph, step);
    if (source === "computed") return last;
    if (source !== null) {
      step = source;
      continue;
    }
    const decided = decidingTest(graph, step);
    // What was written without a test is no result of a check: the test before it was one.
    if (decided === null) return last;
    last = signalsOf(graph, step, decided.test, decided.helpers);
    const passedOn = passedOnBy(graph, decided.test);
    if (passedOn === null) return last;
    step = passedOn;
  }
  return last;
}

/** The step that wrote the status that a step passes on; null if the step sets a new status by a constant. */
function statusSource(graph: DependenceGraph, step: number): number | "computed" | null {
  const { operation } = graph.edge(step);
  if (operation.kind === "callLibrary" || operation.kind === "input" || operation.kind === "copy") return "computed";
  const reads = graph.reads(step).filter(({ role }) => role === "value");
  if (reads.length === 0) return null;
  const value = statusOf(operation);
  if (value === null) return "computed";
  const counted = isCounting(graph.trace.program, operation, value);
  // The first failure is the one that counted from 0.
  const nonzero = reads.filter((read) => isNonzero(read) && read.writer !== null);
  const first = nonzero.sort((a, b) => (a.writer ?? 0) - (b.writer ?? 0))[0];
  if (first !== undefined) return isStatusValue(value) || counted ? first.writer : "computed";
  if (counted) return null;
  const [only] = reads;
  return reads.length === 1 && isStatusValue(value) && only?.writer != null ? only.writer : "computed";
}

function isNonzero({ value }: Read): boolean {
  return value !== undefined && Number(value) !== 0;
}

function statusOf(operation: Operation): Expression | null {
  switch (operation.kind) {
    case "assign":
    case "store":
    case "return":
      return operation.value;
    case "fail":
      return operation.code;
    default:
      return null;
  }
}

/** `failures + 1`, for `failures`; also `failures + test()`. */
function isCounting(program: Program, operation: Operation, value: Expression): boolean {
  const sum = withoutConversions(value);
  if (sum.kind !== "binary" || (sum.operator !== "+" && sum.operator !== "|")) return false;
  return writtenVariable(program, operation) !== null || operation.kind === "store";
}

/** A value that is passed on, compared with 0, or negated. */
function isStatusValue(value: Expression): boolean {
  const given = withoutConversions(value);
  if (given.kind === "variable" || given.kind === "load") return true;
  if (given.kind === "unary") return isStatusValue(given.operand);
  if (given.kind !== "comparison") return false;
  const [left, right] = [withoutConversions(given.left), withoutConversions(given.right)];
  const isZero = (side: Expression) => side.kind === "constant" && Number(side.value) === 0;
  if (isZero(right)) return isStatusValue(left);
  return isZero(left) && isStatusValue(right);
}

function withoutConversions(value: Expression): Expression {
  return value.kind === "convert" ? withoutConversions(value.operand) : value;
}

/** The nearest test that decided that a step is executed. Functions between the two always fail when they are called. */
function decidingTest(
  graph: DependenceGraph,
  step: number,
): { readonly test: number; readonly helpers: readonly string[] } | null {
  const helpers: string[] = [];
  for (let at = graph.parent(step); at !== null && at >= graph.first; at = graph.parent(at)) {
    const edge = graph.edge(at);
    if (isBranch(edge)) return { test: at, helpers };
    if (edge.operation.kind === "call" && edge.operation.callee.kind === "direct") {
      helpers.push(nth(graph.trace.program.functions, edge.operation.callee.function).name);
    }
  }
  return null;
}

/** The step with the status that a test passes on (`if (failures > 0)`, `if (message)`); null if it tests something else. */
function passedOnBy(graph: DependenceGraph, test: number): number | null {
  const { operation } = graph.edge(test);
  if (operation.kind !== "assume" || !isStatusValue(operation.condition)) return null;
  const [read, ...others] = graph.reads(test).filter(({ role }) => role === "value");
  if (read?.writer == null || others.length > 0 || read.writer < graph.first) return null;
  const writer = graph.edge(read.writer);
  const fn = graph.function(read.writer);
  if (writer.operation.kind === "return") return isTestLike(graph.trace.program, fn) ? read.writer : null;
  if (!isConstantWrite(graph, read.writer)) return null;
  // A flag that still has its first value was not set by a check.
  if (isNonzero(read)) return read.writer;
  const parent = graph.parent(read.writer);
  return parent !== null && parent >= graph.first && isBranch(graph.edge(parent)) ? read.writer : null;
}

/** True for a constant, or a count that goes on; `failures += test()`, too. */
function isConstantWrite(graph: DependenceGraph, step: number): boolean {
  const { operation } = graph.edge(step);
  const value = statusOf(operation);
  if (value === null || operation.kind === "fail") return false;
  const reads = graph.reads(step).filter(({ role }) => role === "value");
  if (reads.length === 0) return true;
  const sum = withoutConversions(value);
  return sum.kind === "binary" && (sum.operator === "+" || sum.operator === "|");
}

/** Tests and runners of tests: they take nothing, or the tests that they run. Oracles take what they look at. */
function isTestLike(program: Program, { name, parameters }: Function): boolean {
  if (/^_*test|_tests?$|^run_|^suite/i.test(name)) return true;
  return parameters.every((id) => {
    const { type } = nth(program.variables, id);
    return type.kind === "pointer" && type.to.kind === "function";
  });
}

function signalsOf(graph: DependenceGraph, step: number, test: number, always: readonly string[]): FailureSignals {
  const { program } = graph.trace;
  const edge = graph.edge(step);
  const counter = writtenVariable(program, edge.operation);
  const isGlobal = counter !== null && counter.kind === "static";
  const tested = testedParameter(graph, test);
  return {
    counters: isGlobal ? [counter.name] : [],
    helpers: [...always.map((name) => ({ function: name, parameter: null })), ...(tested === null ? [] : [tested])],
    places: isGlobal || always.length > 0 ? [] : [edge.range],
  };
}

function writtenVariable(program: Program, operation: Operation): ProgramVariable | null {
  if (operation.kind === "assign") return nth(program.variables, operation.target);
  if (operation.kind !== "store") return null;
  const { address } = operation;
  if (address.kind !== "addressOf" || address.object.kind !== "variable") return null;
  return nth(program.variables, address.object.variable);
}

/** The function and its parameter, if a test fails because this one argument is 0. */
function testedParameter(
  graph: DependenceGraph,
  test: number,
): { readonly function: string; readonly parameter: number } | null {
  const edge: Edge = graph.edge(test);
  const [condition] = operationExpressions(edge.operation);
  if (condition === undefined || !isStatusValue(condition)) return null;
  const [read, ...others] = graph.reads(test);
  if (read?.expression?.kind !== "variable" || others.length > 0 || isNonzero(read)) return null;
  const fn = graph.function(test);
  const parameter = fn.parameters.indexOf(read.expression.variable);
  return parameter === -1 ? null : { function: fn.name, parameter };
}
