import { foldConstant, foldTruth } from "../../src/c/lower/arithmetic.ts";
import type { Trace } from "../../src/interpreter/trace.ts";
import { controlFlowOf } from "../../src/ir/controlFlow.ts";
import type { Constant, Expression } from "../../src/ir/expression.ts";
import { loopsOf } from "../../src/ir/loops.ts";
import type { Edge, Function, FunctionId, Program, VariableId } from "../../src/ir/program.ts";

/**
 * The edges that can be taken once the inputs of a run are written into the program, as the authors did before they had it
 * sliced: a variable that is set at one place only, to a constant or by an input that is read once, is that constant, and a
 * condition over constants has one way. What Frama-C knows of values is more than that.
 */
export function liveWithInputs(trace: Trace): ReadonlySet<Edge> {
  const { program } = trace;
  let live = new Set(program.functions.flatMap(({ edges }) => edges));
  for (let size = -1; size !== live.size; ) {
    size = live.size;
    const known = constantsIn(trace, live);
    live = reachable(program, (edge) => live.has(edge) && !isExcluded(program, edge, known));
  }
  return live;
}

type Constants = Map<VariableId, Constant>;

function isExcluded({ pointerBytes }: Program, { operation }: Edge, known: Constants): boolean {
  if (operation.kind !== "assume") return false;
  const truth = foldTruth(withConstants(operation.condition, known), pointerBytes);
  return truth !== null && truth === operation.negated;
}

function reachable(program: Program, isLive: (edge: Edge) => boolean): Set<Edge> {
  const live = new Set<Edge>();
  const entered = new Set<FunctionId>();
  const enter = (fn: Function) => {
    if (entered.has(fn.id)) return;
    entered.add(fn.id);
    const seen = new Set([fn.entry]);
    for (const location of seen) {
      for (const edge of controlFlowOf(fn).outgoing[location]!) {
        if (!isLive(edge)) continue;
        live.add(edge);
        seen.add(edge.to);
        const { operation } = edge;
        if (operation.kind !== "call") continue;
        if (operation.callee.kind === "direct") enter(program.functions[operation.callee.function]!);
        else program.functions.forEach(enter);
      }
    }
  };
  enter(program.functions[program.initializer]!);
  enter(program.functions[program.entry]!);
  return live;
}

/** What a variable is set to, at each place that sets it; null where that is no expression. */
type Setting = { readonly value: Expression | null; readonly edge: Edge; readonly function: Function };

function settingsIn(program: Program, live: ReadonlySet<Edge>): ReadonlyMap<VariableId, readonly Setting[]> {
  const settings = new Map<VariableId, Setting[]>();
  for (const fn of program.functions) {
    for (const edge of fn.edges.filter((each) => live.has(each))) {
      const set = (variable: VariableId, value: Expression | null) => {
        const known = settings.get(variable) ?? [];
        known.push({ value, edge, function: fn });
        settings.set(variable, known);
      };
      const { operation } = edge;
      if (operation.kind === "assign") set(operation.target, operation.value);
      if (operation.kind === "input") set(operation.target, null);
      if (operation.kind === "callLibrary" && operation.target !== null) set(operation.target, null);
      if (operation.kind !== "call") continue;
      if (operation.target !== null) set(operation.target, null);
      const called = operation.callee.kind === "direct" ? [program.functions[operation.callee.function]!] : [];
      for (const { parameters } of called.length > 0 ? called : program.functions) {
        parameters.forEach((parameter, i) => {
          set(parameter, called.length > 0 ? (operation.arguments[i] ?? null) : null);
        });
      }
    }
  }
  return settings;
}

function constantsIn(trace: Trace, live: ReadonlySet<Edge>): Constants {
  const { program } = trace;
  const settings = settingsIn(program, live);
  const known: Constants = new Map();
  const entry = new Set(program.functions[program.entry]!.parameters);
  for (let size = -1; size !== known.size; ) {
    size = known.size;
    for (const { id, kind, storage, type } of program.variables) {
      if (known.has(id) || storage !== "register" || type.kind !== "int" || entry.has(id)) continue;
      const [only, ...others] = settings.get(id) ?? [];
      if (others.length > 0 || (only === undefined && kind !== "static")) continue;
      // What static variables begin with is there only until something else is written to them.
      if (only !== undefined && kind === "static" && only.function.id !== program.initializer) continue;
      const value = only === undefined ? 0n : settled(trace, only, known, live);
      if (typeof value === "bigint") known.set(id, { kind: "constant", type, value });
    }
  }
  return known;
}

function settled(
  trace: Trace,
  { value, edge, function: fn }: Setting,
  known: Constants,
  live: ReadonlySet<Edge>,
): bigint | number | null {
  const { program } = trace;
  if (value !== null) return foldConstant(withConstants(value, known), program.pointerBytes);
  if (edge.operation.kind !== "input" || !isOnce(program, fn, edge, live)) return null;
  return trace.inputs.find((input) => input.function === fn.id && input.edge === edge.id)?.value ?? null;
}

/** An edge that no run takes twice. */
function isOnce(program: Program, fn: Function, edge: Edge, live: ReadonlySet<Edge>, depth = 0): boolean {
  if (depth > 20 || loopsOf(fn).loops.some(({ body }) => body.has(edge.from))) return false;
  if (fn.id === program.entry || fn.id === program.initializer) return true;
  const calls = program.functions.flatMap((caller) =>
    caller.edges.flatMap((call) => {
      const { operation } = call;
      if (operation.kind !== "call" || !live.has(call)) return [];
      const isCall = operation.callee.kind === "pointer" || operation.callee.function === fn.id;
      return isCall ? [{ caller, call }] : [];
    }),
  );
  return calls.length === 1 && isOnce(program, calls[0]!.caller, calls[0]!.call, live, depth + 1);
}

function withConstants(expression: Expression, known: Constants): Expression {
  const inside = (part: Expression) => withConstants(part, known);
  switch (expression.kind) {
    case "variable":
      return known.get(expression.variable) ?? expression;
    case "unary":
    case "convert":
      return { ...expression, operand: inside(expression.operand) };
    case "binary":
    case "comparison":
    case "pointerDifference":
      return { ...expression, left: inside(expression.left), right: inside(expression.right) };
    default:
      return expression;
  }
}
