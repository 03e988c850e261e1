import { nth } from "../../../base/checked.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import type { Read } from "../../../dependence/read.ts";
import { type BranchEdge, isBranch } from "../../../ir/branches.ts";
import { controlFlowOf } from "../../../ir/controlFlow.ts";
import { type Comparison, type Expression, rangeOfExpression } from "../../../ir/expression.ts";
import type { Assume, Call } from "../../../ir/operation.ts";
import { spelledOperator } from "../../../ir/printOperation.ts";
import type { Edge, LocationId } from "../../../ir/program.ts";
import { sourceTextAt } from "../../../ir/source.ts";
import { isScalar, type ScalarType } from "../../../ir/type.ts";
import type { ShownValue, WhyNode } from "../result.ts";
import { unnamed, type WrittenArgument, writtenArguments } from "./memoryAtSteps.ts";
import type { LiteralStyle } from "./printValue.ts";
import { comparedTexts, isAnswer, type RenderContext } from "./wording.ts";

export type DescribedVisit = Pick<WhyNode, "kind" | "values" | "tests">;

/** Describes what one execution of a line read, wrote, tested, passed and returned. */
export function describeVisit(context: RenderContext, visit: number): DescribedVisit {
  const { graph, visits } = context;
  const steps = visits.steps(visit);
  const telltale = steps.filter(context.matters);
  const values = (telltale.length === 0 ? steps : telltale)
    .flatMap((step) => written(context, step))
    .filter(({ text, value }) => value !== unnamed && !isInternal(text, visits.unit(visit).text));
  const tests = describeTests(
    context,
    steps.filter((step) => isBranch(graph.edge(step))),
  );
  const reads = shownReads(context, steps, values, tests.length > 0);
  return { kind: kindOf(context, visit, steps), values: [...reads, ...values], tests };
}

/** True for the list in `va_arg(list, int)` and the buffer in `setjmp(buffer)`, whose content is not a user's value. */
function isInternal(place: string, statement: string): boolean {
  const [, named] = /\b(?:va_\w+|_*(?:sig)?setjmp)\s*\(\s*([^,()]+)/.exec(statement) ?? [];
  return named !== undefined && (place === named || place === `*${named}`);
}

function kindOf({ graph, visits }: RenderContext, visit: number, steps: readonly number[]): WhyNode["kind"] {
  const { kind } = visits.unit(visit);
  if (kind === "loop") return "loop";
  if (steps.some((step) => isBranch(graph.edge(step)) && kind !== "declaration" && kind !== "simple")) {
    return kind === "return" ? "return" : "condition";
  }
  const operations = steps.map((step) => graph.edge(step).operation.kind);
  if (operations.includes("return")) return "return";
  if (operations.includes("call")) return "call";
  if (operations.includes("input")) return "input";
  return operations.includes("callLibrary") ? "library" : "statement";
}

/** The values that a step wrote to named places. */
function written(context: RenderContext, step: number): readonly ShownValue[] {
  const { graph, styles, wording, visits } = context;
  const { program } = graph.trace;
  const edge = graph.edge(step);
  const { operation } = edge;
  switch (operation.kind) {
    case "assign":
    case "input":
      return register(context, step, operation.target, graph.value(step));
    case "store": {
      const style = preferred(styles.ofAddress(operation.address), styles.of(operation.value));
      const value = graph.valueOf(step, operation.value);
      if (value === undefined || !wording.hasWords(operation.address)) return [];
      const text = wording.place(step, operation.address);
      return [result(context, step, text, wording.print(step, value, operation.type, style), operation.type, style)];
    }
    case "call": {
      const passed = argumentsOf(context, step, operation);
      const end = visits.returnOf(step);
      if (operation.target === null || end === null) return passed;
      return [...passed, ...register(context, step, operation.target, graph.value(end))];
    }
    case "callLibrary": {
      const filled = writtenArguments(graph, step);
      const passed = operation.arguments
        .filter((argument) => !filled.some((each) => each.argument === argument))
        .flatMap((argument) => passedValue(context, step, argument, null));
      const left = [...passed, ...filled.flatMap((each) => leftByLibrary(context, step, each))];
      if (operation.target === null) return left;
      return [...left, ...register(context, step, operation.target, graph.value(step))];
    }
    case "return": {
      if (operation.value === null || isPlainConstant(operation.value)) return [];
      const value = wording.valueOf(
        step,
        operation.value,
        preferred(styles.ofResult(graph.function(step).id), styles.of(operation.value)),
      );
      const text =
        sourceTextAt(program, edge.range)
          ?.replace(/^return\s*/, "")
          .replace(/;$/, "") ?? "";
      return value === null || value === text ? [] : [{ role: "returned", text, value }];
    }
    default:
      return [];
  }
}

function register(context: RenderContext, step: number, target: number, value: ReturnType<DependenceGraph["value"]>) {
  const { graph, styles, wording } = context;
  const variable = nth(graph.trace.program.variables, target);
  if (variable.kind === "temporary" || variable.madeUp || value === undefined || !isScalar(variable.type)) return [];
  const { operation } = graph.edge(step);
  const own = styles.ofVariable(target);
  const style = operation.kind === "assign" ? preferred(own, styles.of(operation.value)) : own;
  return [result(context, step, variable.name, wording.print(step, value, variable.type, style), variable.type, style)];
}

function result(
  { memory, wording, graph, visits }: RenderContext,
  step: number,
  text: string,
  value: string,
  type: ScalarType,
  style: LiteralStyle,
): ShownValue {
  const visit = visits.of(step);
  // A new variable has no previous value.
  const isNew = visit !== -1 && visits.unit(visit).kind === "declaration";
  const before = isNew || graph.edge(step).operation.kind === "call" ? undefined : memory.before(step);
  const was = before === undefined || before === 0 ? null : wording.print(step, before, type, style);
  return { role: "written", text, value, ...(was === null || was === value ? {} : { was }) };
}

/** The values that a library call wrote through an argument. */
function leftByLibrary(
  { memory, wording, styles }: RenderContext,
  step: number,
  { argument, pointer, type }: WrittenArgument,
): readonly ShownValue[] {
  const value = memory.after(step, pointer);
  if (value === undefined || !wording.hasWords(argument)) return [];
  const text = wording.text(step, argument).replace(/^&/, "");
  if (typeof value === "string") return [{ role: "written", text, value }];
  return [{ role: "written", text, value: wording.print(step, value, type, styles.ofAddress(argument)) }];
}

function argumentsOf(context: RenderContext, step: number, operation: Call): readonly ShownValue[] {
  const { program } = context.graph.trace;
  const next = step + 1 < context.graph.end ? context.graph.function(step + 1) : null;
  const callee = operation.callee.kind === "direct" ? nth(program.functions, operation.callee.function) : next;
  return operation.arguments.flatMap((argument, i) => {
    const parameter = callee?.parameters[i];
    if (parameter === undefined) return passedValue(context, step, argument, null);
    const { name, madeUp } = nth(program.variables, parameter);
    return madeUp ? [] : passedValue(context, step, argument, name);
  });
}

/** An argument whose value is not obvious from the source. */
function passedValue(
  { graph, wording, styles }: RenderContext,
  step: number,
  argument: Expression,
  parameter: string | null,
): readonly ShownValue[] {
  if (isPlainConstant(argument) || (parameter === null && !wording.hasWords(argument))) return [];
  const value = wording.valueOf(step, argument, styles.of(argument));
  // Addresses are not shown, but strings are.
  if (argument.kind === "addressOf" && !value?.startsWith('"')) return [];
  const range = rangeOfExpression(argument);
  const source = range === null ? null : sourceTextAt(graph.trace.program, range);
  if (value === null || value === source || value === unnamed) return [];
  return [{ role: "argument", text: parameter ?? wording.text(step, argument), value }];
}

/** The values that a line read, apart from those that its written values already show. */
function shownReads(
  context: RenderContext,
  steps: readonly number[],
  values: readonly ShownValue[],
  isTest: boolean,
): readonly ShownValue[] {
  if (isTest) return [];
  const shown = new Map<string, ShownValue>();
  const known = new Set(values.filter(({ role }) => role === "written").map(({ text }) => text));
  for (const step of steps) {
    const edge = context.graph.edge(step);
    if (!computes(edge)) continue;
    for (const read of context.graph.reads(step)) {
      const value = shownRead(context, step, read);
      if (value !== null && !known.has(value.text)) shown.set(value.text, value);
    }
  }
  return [...shown.values()];
}

/** A plain copy shows its read value by its written value. */
function computes({ operation }: Edge): boolean {
  switch (operation.kind) {
    case "assign":
    case "store":
      return !isPlain(operation.value);
    case "return":
      return operation.value !== null && !isPlain(operation.value);
    default:
      return false;
  }
}

function isPlain(expression: Expression): boolean {
  if (expression.kind === "convert") return isPlain(expression.operand);
  return expression.kind === "constant" || expression.kind === "variable" || expression.kind === "load";
}

function isPlainConstant(expression: Expression): boolean {
  return expression.kind === "constant" || (expression.kind === "convert" && isPlainConstant(expression.operand));
}

function shownRead({ wording, styles }: RenderContext, step: number, read: Read): ShownValue | null {
  const { expression, role, value } = read;
  if (expression === null || role === "address" || value === undefined) return null;
  if (!isScalar(expression.type) || expression.type.kind === "pointer") return null;
  // Internal variables of the model have no name in the source.
  if (!wording.hasWords(expression)) return null;
  return {
    role: "read",
    text: wording.text(step, expression),
    value: wording.print(step, value, expression.type, styles.of(expression)),
  };
}

/** The more specific of two styles. */
function preferred(a: LiteralStyle, b: LiteralStyle): LiteralStyle {
  return a.kind === "decimal" ? b : a;
}

type Test = WhyNode["tests"][number];

/** The tests of one condition that decided it, in the order of the run. */
export function describeTests(context: RenderContext, steps: readonly number[]): readonly Test[] {
  const last = steps.at(-1);
  if (last === undefined) return [];
  return steps.flatMap((step) => (step === last || decides(context, step, last) ? describeTest(context, step) : []));
}

/** True if another outcome could have avoided the last test. */
function decides({ graph }: RenderContext, step: number, last: number): boolean {
  const edge = graph.edge(step);
  const end = graph.edge(last);
  const { outgoing } = controlFlowOf(graph.function(step));
  const others = nth(outgoing, edge.from).filter((other) => other !== edge);
  return others.some(({ to }) => to !== end.to && !leadsTo(outgoing, to, end.from));
}

function leadsTo(outgoing: readonly (readonly { to: LocationId }[])[], from: LocationId, goal: LocationId): boolean {
  let at = from;
  // Paths inside one condition are short and branch only at its tests.
  for (let i = 0; i < 8; i++) {
    if (at === goal) return true;
    const ways = nth(outgoing, at);
    if (ways.length !== 1) return ways.some(({ to }) => to === goal);
    at = nth(ways, 0).to;
  }
  return false;
}

/** `8 > 8 is false`. */
function describeTest(context: RenderContext, step: number): readonly Test[] {
  const { graph, wording } = context;
  const edge = graph.edge(step);
  if (!isBranch(edge)) return [];
  const { operation } = edge as BranchEdge;
  if (operation.kind === "assume" && operation.origin === "jump") {
    return isJump(operation) ? [{ text: "left by longjmp", holds: true }] : [];
  }
  if (operation.kind === "case") {
    const value = wording.valueOf(step, operation.selector);
    return value === null ? [] : [{ text: `${wording.text(step, operation.selector)} is ${value}`, holds: true }];
  }
  return [{ text: testText(context, step, operation), holds: !operation.negated }];
}

/** After a call: true if the call jumped. Where a jump arrives, `setjmp` says so by its result. */
function isJump({ condition, negated }: Assume): boolean {
  return negated && condition.kind === "comparison" && isNull(condition.right);
}

function testText(context: RenderContext, step: number, { condition, negated }: Assume): string {
  const { wording, graph } = context;
  const { program } = graph.trace;
  const compared = comparedTexts(graph, wording, { step, expression: condition });
  if (compared !== null) return `${compared.texts}: ${comparisonResult(condition, compared.result)}`;
  if (condition.kind === "comparison" && !isTruthOf(condition)) {
    const style = comparisonStyle(context, condition);
    const [left, right] = [condition.left, condition.right].map((side) => wording.valueOf(step, side, style));
    if (left != null && right != null)
      return `${left} ${spelledOperator(program, condition.operator)} ${right} is ${!negated}`;
  }
  const tested = condition.kind === "comparison" ? condition.left : condition;
  const text = wording.text(step, tested);
  if (tested.type.kind === "pointer" && context.graph.valueOf(step, tested) !== 0) return `${text} is not NULL`;
  if (isAnswer(graph, { step, expression: tested })) return `${text} is ${!negated}`;
  return `${text} is ${wording.valueOf(step, tested) ?? (negated ? "0" : "1")}`;
}

/** What a comparison of texts found, as far as the condition asks. */
function comparisonResult(condition: Expression, result: number): string {
  if (result === 0) return "equal";
  const isOrder = condition.kind === "comparison" && condition.operator !== "==" && condition.operator !== "!=";
  return isOrder ? (result < 0 ? "comes first" : "comes later") : "different";
}

/** True for comparisons of a pointer with null. */
function isTruthOf({ left, right }: Comparison): boolean {
  return left.type.kind === "pointer" && isNull(right);
}

function isNull(expression: Expression): boolean {
  return expression.kind === "constant" && expression.value === 0n;
}

/** The style for both sides of a comparison. */
export function comparisonStyle({ styles }: RenderContext, { left, right }: Comparison): LiteralStyle {
  const own = styles.of(left);
  return own.kind === "decimal" ? styles.of(right) : own;
}
