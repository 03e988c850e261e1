import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, type DraftEdge, read } from "../../ir/builder.ts";
import type { Expression } from "../../ir/expression.ts";
import { type FinishedEdge, finishGraph, referencesOf } from "../../ir/finishGraph.ts";
import type { FunctionId, ProgramVariable, VariableId } from "../../ir/program.ts";
import type { IntType } from "../../ir/type.ts";
import { initializerId } from "../declare/statics.ts";
import type { ProgramContext } from "./context.ts";
import type { LoweredFunction } from "./lowerFunction.ts";
import type { JumpRegisters } from "./lowerJump.ts";

/**
 * `longjmp` leaves functions until it comes to the one that called `setjmp`. In the program model each of these functions
 * returns, and after a call that may jump its caller asks whether it did. So every analysis understands jumps, and
 * programs without them stay as they are.
 */
export function passJumps(
  program: ProgramContext,
  jumps: JumpRegisters,
  functions: readonly LoweredFunction[],
  entry: FunctionId,
): readonly LoweredFunction[] {
  const jumping = jumpingFunctions(functions);
  const pass = { program, jumps, jumping, int: program.types.int };
  return functions.map((fn) => {
    if (fn.id === initializerId) return startingAt(fn, [jumps.count, jumps.target], pass);
    return jumping.functions.has(fn.id) ? passing(fn, fn.id === entry, pass) : fn;
  });
}

type Pass = {
  readonly program: ProgramContext;
  readonly jumps: JumpRegisters;
  readonly jumping: Jumping;
  readonly int: IntType;
};

/** The functions that a jump may leave or end in, and whether a call through a pointer may be left. */
type Jumping = { readonly functions: ReadonlySet<FunctionId>; readonly byPointer: boolean };

function jumpingFunctions(functions: readonly LoweredFunction[]): Jumping {
  const found = new Set<FunctionId>();
  const pointed = new Set(
    functions.flatMap(({ graph }) => [
      ...referencesOf(graph.edges.filter(({ operation }) => !isDirectCall(operation))).functions,
    ]),
  );
  let byPointer = false;
  const mayLeave = ({ jump, operation }: FinishedEdge) =>
    jump?.kind === "leaving" ||
    (operation.kind === "call" &&
      (operation.callee.kind === "direct" ? found.has(operation.callee.function) : byPointer));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { id, graph } of functions) if (graph.edges.some(mayLeave)) found.add(id);
    byPointer = [...found].some((id) => pointed.has(id));
  }
  return { functions: found, byPointer };
}

function isDirectCall(operation: FinishedEdge["operation"]): boolean {
  return operation.kind === "call" && operation.callee.kind === "direct";
}

/** After each call that may have jumped, the function goes on, lands at one of its calls of `setjmp`, or returns. */
function passing(fn: LoweredFunction, isEntry: boolean, pass: Pass): LoweredFunction {
  const { graph } = fn;
  const { jumps, int, program } = pass;
  const landings = graph.edges.flatMap(({ jump, to }) => (jump?.kind === "landing" ? [{ ...jump, to }] : []));
  const edges: DraftEdge[] = [];
  let { locations } = graph;
  const newLocation = () => locations++;
  const variable = (id: VariableId) => read(nth(program.variables, id));
  const branch = (from: number, ifTrue: number, ifFalse: number, condition: Expression, range: SourceRange) => {
    for (const [to, negated] of [
      [ifTrue, false],
      [ifFalse, true],
    ] as const)
      edges.push({ from, to, operation: { kind: "assume", condition, negated, origin: "jump" }, range });
  };
  const assign = (from: number, to: number, target: VariableId, value: Expression, range: SourceRange) =>
    edges.push({ from, to, operation: { kind: "assign", target, value }, range });
  const equals = (left: Expression, right: Expression): Expression => ({
    kind: "comparison",
    operator: "==",
    type: int,
    left,
    right,
  });
  /** Where a jump that arrives in this function goes on. */
  const dispatch = (range: SourceRange): number => {
    const start = newLocation();
    let at = start;
    for (const { number, result, to } of landings) {
      const [found, landed, next] = [newLocation(), newLocation(), newLocation()];
      branch(at, found, next, equals(variable(jumps.target), variable(number)), range);
      assign(found, landed, result, variable(jumps.value), range);
      assign(landed, to, jumps.target, constant(int, 0n), range);
      at = next;
    }
    edges.push({
      from: at,
      to: graph.exit,
      operation: isEntry
        ? { kind: "fail", reason: "abort", text: "longjmp", code: null }
        : { kind: "return", value: null },
      range,
    });
    return start;
  };
  for (const edge of graph.edges) {
    const { operation, range, to } = edge;
    if (edge.jump?.kind === "leaving") edges.push({ ...edge, to: dispatch(range) });
    else if (
      operation.kind === "call" &&
      (operation.callee.kind === "direct"
        ? pass.jumping.functions.has(operation.callee.function)
        : pass.jumping.byPointer)
    ) {
      const called = newLocation();
      // A call that is left has no result, so its result is assigned after it has returned.
      const result = operation.target === null ? null : temporaryLike(program, fn.id, operation.target);
      edges.push({ ...edge, to: called, operation: { ...operation, target: result?.id ?? null } });
      const returned = result === null ? to : newLocation();
      if (result !== null && operation.target !== null) assign(returned, to, operation.target, read(result), range);
      branch(called, returned, dispatch(range), equals(variable(jumps.target), constant(int, 0n)), range);
    } else edges.push(edge);
  }
  const draft = { ...fn, graph: finishGraph({ locations, edges }, graph.entry, graph.exit) };
  return startingAt(
    draft,
    landings.map(({ number }) => number),
    pass,
  );
}

function temporaryLike({ variables }: ProgramContext, owner: FunctionId, id: VariableId): ProgramVariable {
  const { type, range } = nth(variables, id);
  const shape = { name: "$returned", madeUp: true, kind: "temporary", storage: "register" } as const;
  const variable = { ...shape, id: variables.length as VariableId, type, function: owner, range };
  variables.push(variable);
  return variable;
}

/** The function first sets these registers to 0. */
function startingAt(fn: LoweredFunction, registers: readonly VariableId[], { int, program }: Pass): LoweredFunction {
  const { graph } = fn;
  const edges: DraftEdge[] = [...graph.edges];
  let [at, locations] = [graph.entry, graph.locations];
  for (const target of registers) {
    const from = locations++;
    const { range } = nth(program.variables, target);
    edges.push({ from, to: at, operation: { kind: "assign", target, value: constant(int, 0n) }, range });
    at = from;
  }
  return { ...fn, graph: finishGraph({ locations, edges }, at, graph.exit) };
}
