import { nth } from "../base/checked.ts";
import { libraryFunction } from "../c/library/table.ts";
import { edgeAt } from "../interpreter/stepCursor.ts";
import { isBranch, otherSideDoes } from "../ir/branches.ts";
import { rootOfAddress, writesVariable } from "../ir/dataFlow.ts";
import type { Expression } from "../ir/expression.ts";
import { type CallLibrary, expressionsWithin, type Operation, type UndefinedBehaviour } from "../ir/operation.ts";
import { printExpression } from "../ir/printOperation.ts";
import type { Edge, Function, VariableId } from "../ir/program.ts";
import { createTerms } from "../logic/terms.ts";
import type { RecordedPlace } from "../symbolic/library/libraryCall.ts";
import { createSymbols } from "../symbolic/symbols.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import { inScopeAt } from "./executeTrace.ts";
import type { Run, RunEvent, TraceStep } from "./run.ts";

/** The event that made a run's last operation undefined; null where values say it, or nothing was found. */
export function eventOf(run: Run): RunEvent | null {
  const { outcome } = run;
  if (outcome.kind !== "undefined-behaviour") return null;
  const edge = nth(nth(run.program.functions, outcome.at.function).edges, outcome.at.edge);
  switch (outcome.problem) {
    case "uninitialised-read":
      return (
        uninitialisedVariable(run, edge) ??
        blockEvent(run, edge, "uninitialised", givesUninitialised) ??
        uninitialisedObject(run, edge)
      );
    case "use-after-free":
    case "double-free":
      return blockEvent(run, edge, "freed", frees);
    case "out-of-bounds-write":
    case "out-of-bounds-read":
      return edge.operation.kind === "callLibrary" ? overrun(run, edge, edge.operation, outcome.problem) : null;
    default:
      return null;
  }
}

/** The number of reported branches. */
const passedLimit = 6;

/** A local variable of the failing function that has not been written since it was declared. */
function uninitialisedVariable(run: Run, edge: Edge): RunEvent | null {
  const { steps, fn } = stepsOfFrame(run);
  for (const variable of variablesRead(edge.operation)) {
    const { kind, storage, name } = nth(run.program.variables, variable);
    if (kind === "static" || kind === "parameter") continue;
    const last = steps.findLast(
      ({ edge: { operation } }) => declares(operation, variable) || writesVariable(operation, variable),
    );
    if (last !== undefined && !declares(last.edge.operation, variable) && storage === "register") continue;
    // A jump past the declaration leaves it without a value from the start of the function on.
    const declared = steps.findLast(({ edge: { operation } }) => declares(operation, variable)) ?? steps[0];
    if (declared === undefined) continue;
    const passed = new Map<Edge, number>();
    for (const { step, edge: taken } of steps) {
      if (step <= declared.step || !isBranch(taken)) continue;
      if (!otherSideDoes(fn, taken, (operation) => writesVariable(operation, variable))) continue;
      // Keep only the last execution.
      passed.delete(taken);
      passed.set(taken, step);
    }
    const nearest = [...passed.values()].slice(-passedLimit);
    return { name: `uninitialised(${name})`, step: declared.step, passed: new Set(nearest) };
  }
  return null;
}

/** A local object of some function that is read through a pointer: since its declaration nothing was written there. */
function uninitialisedObject(run: Run, edge: Edge): RunEvent | null {
  for (const pointer of pointersIn(edge.operation)) {
    const object = placeBefore(run, run.steps, edge, pointer)?.object;
    if (object?.kind !== "local") continue;
    const variable = object.variable as VariableId;
    const step = stepsThat(run, (operation) => declares(operation, variable)).at(-1);
    if (step === undefined) continue;
    return { name: `uninitialised(${nth(run.program.variables, variable).name})`, step, passed: new Set() };
  }
  return null;
}

/** A library function went past the end of an object: where the object got its size. What is written is its first argument. */
function overrun(run: Run, edge: Edge, call: CallLibrary, problem: UndefinedBehaviour): RunEvent | null {
  const pointers = call.arguments.filter(({ type }) => type.kind === "pointer");
  for (const pointer of problem === "out-of-bounds-write" ? pointers : pointers.toReversed()) {
    const root = rootOfAddress(pointer);
    if (root.kind === "addressOf" && root.object.kind === "variable") {
      const { variable } = root.object;
      const declared = stepsOfFrame(run).steps.findLast(({ edge: { operation } }) => declares(operation, variable));
      if (declared === undefined) return null;
      return { name: `overrun(${nth(run.program.variables, variable).name})`, step: declared.step, passed: new Set() };
    }
    const found = allocationOf(run, edge, pointer);
    if (found !== null)
      return { name: `overrun(${printExpression(run.program, pointer)})`, step: found, passed: new Set() };
  }
  return null;
}

function allocationOf(run: Run, edge: Edge, pointer: Expression): number | null {
  const block = blockAt(run, run.steps, edge, pointer);
  if (block === null) return null;
  return (
    libraryCalls(run, (name) => libraryFunction(name).allocates !== null).findLast(
      (step) => resultBlock(run, step) === block,
    ) ?? null
  );
}

function stepsOfFrame(run: Run): { readonly steps: readonly TraceStep[]; readonly fn: Function } {
  const { steps, stack } = run.between(0, run.steps);
  const end = run.between(run.steps, run.steps + 1).stack;
  const frame = nth(end, end.length - 1);
  const live = [...stack];
  const own: TraceStep[] = [];
  for (const traced of steps) {
    if (live[live.length - 1]?.frame === frame.frame) own.push(traced);
    if (traced.edge.operation.kind === "return") live.pop();
    if (traced.entered !== undefined) live.push(traced.entered);
  }
  return { steps: own, fn: frame.function };
}

/** Registers, and objects whose address is taken to be read from. */
function variablesRead(operation: Operation): VariableId[] {
  const found: VariableId[] = [];
  for (const expression of expressionsWithin(operation)) {
    if (expression.kind === "variable") found.push(expression.variable);
    if (expression.kind !== "load") continue;
    const root = rootOfAddress(expression.address);
    if (root.kind === "addressOf" && root.object.kind === "variable") found.push(root.object.variable);
  }
  return found;
}

function declares(operation: Operation, variable: VariableId): boolean {
  return operation.kind === "declare" && operation.variable === variable;
}

function frees(name: string): boolean {
  return libraryFunction(name).memory.some(({ kind }) => kind === "frees");
}

/** Does the function give blocks whose bytes have no value yet? */
function givesUninitialised(name: string): boolean {
  const { allocates } = libraryFunction(name);
  return allocates !== null && allocates.size.kind === "bytes" && !allocates.zeroed;
}

/** Calls that are looked at, from the last: each costs a run. */
const callLimit = 40;

/** The last call of some library functions that was about the block of the failing access. */
function blockEvent(run: Run, edge: Edge, what: string, isAbout: (name: string) => boolean): RunEvent | null {
  const pointers = pointersIn(edge.operation);
  const accessed = pointers.map((pointer) => blockAt(run, run.steps, edge, pointer));
  const index = accessed.findIndex((block) => block !== null);
  if (index === -1) return null;
  const block = accessed[index]!;
  const step = libraryCalls(run, isAbout).findLast(
    (call) => (what === "freed" ? argumentBlock(run, call) : resultBlock(run, call)) === block,
  );
  if (step === undefined) return null;
  return { name: `${what}(${printExpression(run.program, nth(pointers, index))})`, step, passed: new Set() };
}

/** The steps of the last calls of some library functions. */
function libraryCalls(run: Run, isAbout: (name: string) => boolean): readonly number[] {
  return stepsThat(run, (operation) => operation.kind === "callLibrary" && isAbout(operation.name)).slice(-callLimit);
}

function stepsThat(run: Run, isIt: (operation: Operation) => boolean): readonly number[] {
  const steps: number[] = [];
  const cursor = run.walk();
  while (cursor.next()) if (isIt(edgeAt(run.program, cursor).operation)) steps.push(cursor.step);
  return steps;
}

function pointersIn(operation: Operation): Expression[] {
  const found = expressionsWithin(operation).flatMap((expression) =>
    expression.kind === "load" ? [rootOfAddress(expression.address)] : [],
  );
  if (operation.kind === "store") found.push(rootOfAddress(operation.address));
  if (operation.kind === "callLibrary") {
    found.push(...operation.arguments.filter(({ type }) => type.kind === "pointer"));
  }
  return found.filter((pointer) => pointer.kind !== "addressOf").reverse();
}

function resultBlock(run: Run, step: number): number | null {
  const object = run.libraryCall(step)?.pointsTo?.object;
  return object?.kind === "block" ? object.number : null;
}

function argumentBlock(run: Run, step: number): number | null {
  const { edge } = nth(run.between(step, step + 1).steps, 0);
  const argument = edge.operation.kind === "callLibrary" ? edge.operation.arguments[0] : undefined;
  return argument === undefined ? null : blockAt(run, step, edge, argument);
}

/** The number of the block that a pointer points into before a step of the run. */
function blockAt(run: Run, step: number, edge: Edge, pointer: Expression): number | null {
  const object = placeBefore(run, step, edge, pointer)?.object;
  return object?.kind === "block" ? object.number : null;
}

/** The target of a pointer before a step of the run; null if it has no value or is null. */
function placeBefore(run: Run, step: number, edge: Edge, pointer: Expression): RecordedPlace | null {
  const symbols = createSymbols(run.program, createTerms());
  const { stack } = run.between(step, step + 1);
  const at = { step, location: edge.from, stack };
  return run.placeAt(
    symbols,
    at,
    inScopeAt(symbols, run, at, edge, (scope) => translateExpression(scope, pointer)),
  );
}
