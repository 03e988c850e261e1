import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { signatureOf } from "../../ir/calls.ts";
import { alwaysReturnsValue } from "../../ir/dataFlow.ts";
import type { Expression } from "../../ir/expression.ts";
import { loopsOf } from "../../ir/loops.ts";
import type { Call, CallLibrary, Declare, Operation, Return } from "../../ir/operation.ts";
import { type ScalarType, sizeOf } from "../../ir/type.ts";
import { type FunctionContext, newSite, registerName, settleSteps, temporary } from "./context.ts";
import { emitStore } from "./emitAccess.ts";
import { emitSuspended } from "./emitCheckpoints.ts";
import { emitExpression } from "./emitExpression.ts";
import { givesStackBlock, givesStackBlocks, type LocalObjects } from "./emitFunction.ts";
import { emitWatched, variedValue } from "./emitVaried.ts";

export function emitOperation(context: FunctionContext, locals: LocalObjects): void {
  const operation: Operation = context.edge.operation;
  const { lines } = context;
  switch (operation.kind) {
    case "assign": {
      const value = ownValue(context, emitExpression(context, operation.value));
      lines.push(`${registerName(context, operation.target)} = ${value};`);
      return reportRegister(context, operation.target);
    }
    case "store": {
      const { pointer, value } = emitStore(context, operation);
      const size = sizeOf(operation.type, context.program.pointerBytes)!;
      return reportMemory(context, pointer, size, value);
    }
    case "copy": {
      const to = temporary(context);
      lines.push(`${to} = ${emitExpression(context, operation.to)};`);
      const from = emitExpression(context, operation.from);
      const source = context.mode.dependence ? temporary(context) : from;
      if (context.mode.dependence) lines.push(`${source} = ${from};`);
      lines.push(`copyObject(M, ${to}, ${source}, ${operation.size}, ${newSite(context, null)});`);
      if (context.mode.dependence && operation.size > 0) {
        lines.push(`trackCopy(T, M, ${to}, ${source}, ${operation.size});`);
      }
      return reportMemory(context, to, operation.size, "undefined");
    }
    case "declare":
      return emitDeclare(context, operation, locals);
    case "input":
      settleSteps(context);
      lines.push(`${registerName(context, operation.target)} = readInput(X, ${newSite(context, null)});`);
      return reportRegister(context, operation.target);
    case "call":
      return emitCall(context, operation);
    case "callLibrary":
      return emitLibraryCall(context, operation);
    case "return":
      return emitReturn(context, operation, locals);
    case "fail": {
      const code = operation.code === null ? "0" : emitExpression(context, operation.code);
      lines.push(`throw endRun(${newSite(context, null)}, ${code});`);
      return;
    }
    case "assume":
    case "case":
    case "skip":
      return;
    default:
      return assertNever(operation, "operation");
  }
}

/** With `writes`: reports a written register with its step. */
function reportRegister(context: FunctionContext, variable: number, remaining = remainingOf(context)): void {
  if (context.mode.dependence) {
    // For a call, the callee's `return` is the current step.
    context.lines.push(`w${variable} = T.step + 1; trackWritten(T, ${registerName(context, variable)});`);
  }
  if (!context.mode.writes) return;
  settleSteps(context);
  const { fn, edge } = context;
  const name = registerName(context, variable);
  context.lines.push(`wroteRegister(X, ${fn.id}, ${edge.id}, ${variable}, ${name}, ${remaining});`);
}

function reportMemory(context: FunctionContext, pointer: string, size: number, value: string): void {
  if (context.mode.dependence) context.lines.push(`trackWritten(T, ${value});`);
  if (!context.mode.writes) return;
  settleSteps(context);
  const { fn, edge } = context;
  context.lines.push(`wroteMemory(X, ${fn.id}, ${edge.id}, ${pointer}, ${size}, ${value}, ${remainingOf(context)});`);
}

function remainingOf(context: FunctionContext): number {
  return nth(context.blocks.remaining, context.fn.id)[context.edge.id]!;
}

/** The value that the edge assigns, stores or returns. */
function ownValue(context: FunctionContext, text: string): string {
  return variedValue(context, context.varied?.value(context.edge) ?? -1, text);
}

function argumentTexts(context: FunctionContext, passed: readonly Expression[]): string[] {
  return passed.map((argument, i) =>
    variedValue(context, context.varied?.argument(context.edge, i) ?? -1, emitExpression(context, argument)),
  );
}

function emitDeclare(context: FunctionContext, operation: Declare, locals: LocalObjects): void {
  const { lines, fn, edge } = context;
  const id = operation.variable;
  const object = locals.objects.find(({ variable }) => variable.id === id);
  if (object === undefined) {
    if (context.checkedRegisters.has(id)) lines.push(`v${id} = undefined;`);
    if (context.mode.dependence) lines.push(`w${id} = T.step + 1;`);
    return;
  }
  if (object.size === null) {
    const length =
      operation.variableLength === undefined ? "0" : emitExpression(context, operation.variableLength.length);
    const elementSize = operation.variableLength?.elementSize ?? 1;
    if (context.mode.dependence) lines.push(`if (o${id} !== 0) trackDeath(T, o${id});`);
    lines.push(`o${id} = declareArray(M, o${id}, ${length}, ${elementSize}, ${id}, ${newSite(context, null)});`);
    if (context.mode.dependence) lines.push(`trackBirth(T, o${id});`);
    return;
  }
  // Outside of cycles the function's entry has created the object already, and nothing has touched it.
  const forest = loopsOf(fn);
  if (forest.innermost(edge.from) === null && forest.irreducible.length === 0) return;
  if (object.isKept) {
    if (context.mode.dependence) lines.push(`trackDeath(T, o${id});`);
    lines.push(`o${id} = renewLocal(M, o${id}, m${id}, ${object.size}, ${id});`);
    if (context.mode.dependence) lines.push(`trackBirth(T, o${id});`);
  } else lines.push(`forgetBytes(M, m${id}, ${object.size});`);
}

function emitCall(context: FunctionContext, operation: Call): void {
  const { callee, target } = operation;
  const texts = argumentTexts(context, operation.arguments).join(", ");
  let call: string;
  if (callee.kind === "direct") call = `f${callee.function}(${texts})`;
  else {
    const pointer = emitExpression(context, callee.pointer);
    const result = target === null ? null : (nth(context.program.variables, target).type as ScalarType);
    const signature = signatureOf(
      context.signatures,
      operation.arguments.map(({ type }) => type),
      result,
    );
    call = `functions[resolveCallee(X, ${pointer}, ${signature}, ${newSite(context, callee.pointer)})](${texts})`;
  }
  if (context.mode.dependence) context.lines.push("T.calling = T.step + 1;");
  emitSuspended(context, () => emitCalled(context, operation, call));
}

export function emitCalled(context: FunctionContext, operation: Call, call: string): void {
  const { target } = operation;
  if (target === null) {
    context.lines.push(`${call};`);
    return;
  }
  const isChecked = !tracksAssignment(context, target) && !surelyReturns(context, operation);
  const value = isChecked ? `returned(${call}, ${target}, ${newSite(context, null, true)})` : call;
  context.lines.push(`${registerName(context, target)} = ${value};`);
  // The value arrives with the callee's `return`, the latest step.
  reportRegister(context, target, 1);
}

/** Statics and parameters count as assigned everywhere, so a missing result must be detected at once. */
function tracksAssignment(context: FunctionContext, variable: number): boolean {
  const { kind } = nth(context.program.variables, variable);
  return kind === "local" || kind === "temporary";
}

function surelyReturns(context: FunctionContext, { callee }: Call): boolean {
  return callee.kind === "direct" && alwaysReturnsValue(nth(context.program.functions, callee.function));
}

function emitLibraryCall(context: FunctionContext, operation: CallLibrary): void {
  const { name, target } = operation;
  const texts = argumentTexts(context, operation.arguments);
  const site = newSite(context, null);
  if (context.mode.writes) {
    settleSteps(context);
    context.lines.push(`beginLibraryCall(X, ${context.fn.id}, ${context.edge.id}, ${remainingOf(context)});`);
  }
  context.lines.push(`L.site = ${site};`);
  const call = ownValue(context, `c_${name}(${["L", ...texts].join(", ")})`);
  context.lines.push(target === null ? `${call};` : `${registerName(context, target)} = ${call};`);
  if (givesStackBlock(operation) && target !== null) context.lines.push(`(stackObjects ??= []).push(v${target});`);
  if (target !== null) reportRegister(context, target);
}

function emitReturn(context: FunctionContext, operation: Return, locals: LocalObjects): void {
  const { lines } = context;
  const leaving: string[] = [];
  for (const { variable, size } of locals.objects) {
    leaving.push(size === null ? `leaveArray(M, o${variable.id});` : `killObject(M, o${variable.id});`);
  }
  if (givesStackBlocks(context.fn)) leaving.push("if (stackObjects !== undefined) leaveStackObjects(M, stackObjects);");
  if (locals.frameSize > 0) leaving.push("leaveFrame(M, frame);");
  if (context.mode.dependence) {
    for (const { variable } of locals.objects) leaving.push(`trackDeath(T, o${variable.id});`);
    leaving.push("T.open = base;");
  }
  if (context.mode.vary && callsOthers(context)) leaving.push("Q[2]--;");
  if (operation.value === null) {
    emitWatched(context);
    lines.push(...leaving, "return;");
    return;
  }
  const value = ownValue(context, emitExpression(context, operation.value));
  if (leaving.length === 0 && context.varied === null) lines.push(`return ${value};`);
  else {
    const name = temporary(context);
    if (context.mode.dependence) leaving.push(`trackWritten(T, ${name});`);
    lines.push(`${name} = ${value};`);
    emitWatched(context);
    lines.push(...leaving, `return ${name};`);
  }
}

export function callsOthers({ fn }: FunctionContext): boolean {
  return fn.edges.some(({ operation }) => operation.kind === "call");
}
