import { nth } from "../../base/checked.ts";
import { remembered } from "../../base/memo.ts";
import { libraryFunction } from "../../c/library/table.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { keptPointersOf } from "../../ir/keptPointers.ts";
import type { Operation } from "../../ir/operation.ts";
import type { Edge, Function, LocationId, Program, ProgramVariable, VariableId } from "../../ir/program.ts";
import { type ScalarType, sizeOf } from "../../ir/type.ts";
import { logChunkSize } from "../machine.ts";
import { roundRoom } from "../memory/memory.ts";
import { leavesOf } from "../track/leaves.ts";
import { type CompileContext, type FunctionContext, functionContext, keepsUndefined, settleSteps } from "./context.ts";
import { entryPollText } from "./emitCheckpoints.ts";
import { emitControlFlow, startEdge } from "./emitControlFlow.ts";
import { callsOthers, emitOperation } from "./emitOperation.ts";
import { emitWatched, variedNames } from "./emitVaried.ts";
import { scalarAccess } from "./scalarAccess.ts";

export function emitFunction(program: CompileContext, fn: Function): string {
  const context = functionContext(program, fn);
  const locals = localObjectsOf(program.program, fn);
  emitBody(context);
  const parameters = fn.parameters.map((id) => (isRegister(program, id) ? `v${id}` : `a${id}`));
  return [
    `function f${fn.id}(${parameters.join(", ")}) {`,
    ...declarations(context),
    ...prologue(context, locals, parameters),
    ...recorded(context),
    "}",
  ].join("\n");
}

export function emitBody(context: FunctionContext): void {
  const locals = localObjectsOf(context.program, context.fn);
  emitControlFlow(context, {
    emitEdge: (edge) => emitEdge(context, edge, locals),
    arrive: (location) => emitArrival(context, location, locals),
  });
}

/** On the end of a run, keeps the current path and steps; the callers' were added before their calls. */
function recorded(context: FunctionContext): string[] {
  const { fn, mode, paths, lines } = context;
  if (!mode.record) return lines;
  return [
    `let path = ${nth(paths.startsAt, fn.id)[fn.entry]}, steps = 0;`,
    "try {",
    ...lines,
    "} catch (error) { S[0] += steps; if (S[3] === 0) S[3] = path; throw error; }",
  ];
}

function isRegister(program: CompileContext, variable: number): boolean {
  return nth(program.program.variables, variable).storage === "register";
}

function declarations(context: FunctionContext): string[] {
  const { mode, checkedRegisters } = context;
  const names: string[] = [];
  for (const id of context.fn.locals) {
    const variable = nth(context.program.variables, id);
    if (variable.storage !== "register" || variable.kind === "static") continue;
    // V8 knows the type of a register that is always a number.
    names.push(keepsUndefined(context) || checkedRegisters.has(id) ? `v${id}` : `v${id} = 0`);
  }
  if (givesStackBlocks(context.fn)) names.push("stackObjects");
  return [
    ...(names.length === 0 ? [] : [`let ${names.join(", ")};`]),
    ...temporaryNames(context),
    ...variedNames(context),
    ...(mode.captures ? ["const activation = X.captures.activations++;"] : []),
    ...trackedDeclarations(context),
  ];
}

export function temporaryNames({ maxTemporaries }: FunctionContext): string[] {
  const names = Array.from({ length: maxTemporaries }, (_, i) => `t${i} = 0`);
  return names.length === 0 ? [] : [`let ${names.join(", ")};`];
}

/** With `dependence`: the writer of each register; the call writes parameters. */
function trackedDeclarations(context: FunctionContext): string[] {
  const { fn, mode } = context;
  if (!mode.dependence) return [];
  return [
    "const base = T.open, activation = trackEntry(T);",
    ...trackedNames(context, (id) => (fn.parameters.includes(id) ? "T.calling" : "0")),
  ];
}

export function trackedNames(context: FunctionContext, writer: (id: VariableId) => string): string[] {
  const { fn, program } = context;
  const isLocal = (id: number) => isRegister(context, id) && nth(program.variables, id).kind !== "static";
  const names = [...fn.parameters, ...fn.locals].filter(isLocal).map((id) => `w${id} = ${writer(id)}`);
  return names.length === 0 ? [] : [`let ${names.join(", ")};`];
}

function prologue(context: FunctionContext, locals: LocalObjects, parameters: readonly string[]): string[] {
  const { fn, program, mode } = context;
  const lines: string[] = [];
  // Endless recursion passes here; endless loops pass their headers.
  if (callsOthers(context)) {
    lines.push(entryPollText(context, parameters));
    if (mode.vary) lines.push("if (++Q[2] > Q[3]) deeper(X);");
  }
  if (locals.frameSize > 0) lines.push(`const frame = enterFrame(M, ${locals.frameSize});`);
  for (const { variable, size, offset } of locals.objects) {
    const { id } = variable;
    if (size === null) lines.push(`let o${id} = 0;`);
    else lines.push(`const m${id} = frame + ${offset}; let o${id} = enterLocal(M, m${id}, ${size}, ${id});`);
    if (mode.dependence && size !== null) lines.push(`trackBirth(T, o${id});`);
    if (variable.kind === "parameter" && size !== null) {
      const { write } = scalarAccess(variable.type as ScalarType, program.pointerBytes);
      lines.push(`${write}(M, o${id}, 0, a${id}, -1);`);
      if (mode.writes) lines.push(`wroteMemory(X, ${fn.id}, -1, o${id}, ${size}, a${id}, 1);`);
      const { length } = fn.parameters;
      if (mode.dependence)
        lines.push(`trackParameter(T, M, ${fn.parameters.indexOf(id)}, ${length}, o${id}, ${size});`);
    }
  }
  if (mode.writes) {
    // Parameters are written by the call, the latest step.
    for (const id of fn.parameters) {
      if (isRegister(context, id)) lines.push(`wroteRegister(X, ${fn.id}, -1, ${id}, v${id}, 1);`);
    }
  }
  return lines;
}

function emitEdge(context: FunctionContext, edge: Edge, locals: LocalObjects): void {
  const { fn, blocks, lines, mode } = context;
  startEdge(context, edge);
  const block = nth(blocks.startedBy, fn.id)[edge.id]!;
  const remaining = nth(blocks.remaining, fn.id)[edge.id]!;
  if (block !== -1) lines.push(context.countsLocally ? `steps += ${remaining};` : `S[0] += ${remaining};`);
  const ends = mode.record && nth(context.paths.ends, fn.id)[edge.id] === 1;
  if (mode.record) {
    const increment = nth(context.paths.increment, fn.id)[edge.id]!;
    if (increment > 0) lines.push(`path += ${increment};`);
    if (ends) {
      settleSteps(context);
      lines.push(`if (S[2] === ${logChunkSize}) keepChunk(X);`, "log[S[2]++] = path;");
    }
  }
  const hooks = mode.hooks?.get(fn.id);
  const before = hooks?.before.get(edge.id);
  if (before !== undefined) emitHook(context, before, remaining, locals);
  if (mode.dependence && isBranch(edge)) {
    lines.push(
      `trackChoice(T, base, ${context.edgeCodes[fn.id]! + edge.id}, ${nth(context.joins, fn.id).after[edge.from]});`,
    );
  }
  emitOperation(context, locals);
  if (edge.operation.kind !== "return") emitWatched(context);
  if (ends && edge.to !== fn.exit) lines.push(`path = ${nth(context.paths.startsAt, fn.id)[edge.to]};`);
  const after = hooks?.after.get(edge.id);
  if (after !== undefined) emitHook(context, after, remaining - 1, locals);
}

function emitArrival(context: FunctionContext, location: LocationId, locals: LocalObjects): void {
  const { fn, blocks } = context;
  if (context.mode.dependence) emitStepStart(context, location);
  const hook = context.mode.hooks?.get(fn.id)?.locations.get(location);
  if (hook === undefined) return;
  const next = nth(controlFlowOf(fn).outgoing, location);
  const inBlock = next.length === 1 && nth(blocks.startedBy, fn.id)[nth(next, 0).id] === -1;
  emitHook(context, hook, inBlock ? nth(blocks.remaining, fn.id)[nth(next, 0).id]! : 0, locals);
}

/** With `dependence`: the step begins on arrival, for a branch before its decision. */
function emitStepStart(context: FunctionContext, location: LocationId): void {
  const { fn, lines, program } = context;
  if (nth(context.joins, fn.id).isJoin[location] === 1) lines.push(`trackJoin(T, base, ${location});`);
  const { id, operation } = nth(nth(controlFlowOf(fn).outgoing, location), 0);
  const leaves = leavesOf(program, operation).length;
  lines.push(`trackStep(T, activation, base, ${context.edgeCodes[fn.id]! + id}, ${leaves});`);
}

/** Copies the frame for the observer, in the order of `frameSlots`. */
function emitHook(context: FunctionContext, hook: number, ahead: number, locals: LocalObjects): void {
  const { lines } = context;
  settleSteps(context);
  const slots = frameSlots(context, context.fn, locals);
  slots.forEach((name, i) => {
    lines.push(`F[${i}] = ${name};`);
  });
  lines.push(`observed(X, ${hook}, ${ahead});`);
}

function frameSlots(context: CompileContext, fn: Function, locals: LocalObjects): string[] {
  const names: string[] = [];
  for (const id of [...fn.parameters, ...fn.locals]) {
    const variable = nth(context.program.variables, id);
    if (variable.kind === "static") continue;
    if (variable.storage === "register") names.push(`v${id}`);
    else if (locals.objects.some((object) => object.variable.id === id)) names.push(`o${id}`);
  }
  return names;
}

/** The variables whose values (registers) or addresses (memory) a hook exposes, in order. */
export function frameVariables(context: CompileContext["program"], fn: Function): number[] {
  return [...fn.parameters, ...fn.locals].filter((id) => nth(context.variables, id).kind !== "static");
}

/** A local variable or parameter in memory. */
export type LocalObject = {
  readonly variable: ProgramVariable;
  /** null for a variable-length array, which is allocated at its declaration. */
  readonly size: number | null;
  readonly offset: number;
  /** True if a pointer to it may be kept; then each declaration creates a new object. */
  readonly isKept: boolean;
};

export type LocalObjects = { readonly objects: readonly LocalObject[]; readonly frameSize: number };

export function localObjectsOf(program: Program, fn: Function): LocalObjects {
  return remembered(localObjects, fn, () => findLocalObjects(program, fn));
}

const localObjects = new WeakMap<Function, LocalObjects>();

function findLocalObjects(program: Program, fn: Function): LocalObjects {
  const objects: LocalObject[] = [];
  const kept = keptPointersOf(program);
  let frameSize = 0;
  for (const id of [...fn.parameters, ...fn.locals]) {
    const variable = nth(program.variables, id);
    if (variable.storage !== "memory" || variable.kind === "static") continue;
    const size = sizeOf(variable.type, program.pointerBytes);
    objects.push({ variable, size, offset: frameSize, isKept: kept.has(id) });
    if (size !== null) frameSize += roundRoom(size);
  }
  return { objects, frameSize };
}

/** `alloca`: the block lives until the function returns. */
export function givesStackBlock(operation: Operation): boolean {
  return operation.kind === "callLibrary" && libraryFunction(operation.name).allocates?.life === "stack";
}

export function givesStackBlocks({ edges }: Function): boolean {
  return edges.some(({ operation }) => givesStackBlock(operation));
}
