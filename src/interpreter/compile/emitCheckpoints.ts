import { nth } from "../../base/checked.ts";
import { Defect } from "../../base/errors.ts";
import type { Function, LocationId } from "../../ir/program.ts";
import { type CompileContext, type FunctionContext, functionContext, type ResumePoint } from "./context.ts";
import { startEdge } from "./emitControlFlow.ts";
import { emitBody, givesStackBlocks, localObjectsOf, temporaryNames, trackedNames } from "./emitFunction.ts";
import { emitCalled } from "./emitOperation.ts";
import { emitWatched, variedNames } from "./emitVaried.ts";

/** Emits a function of a checkpoint's frames (this one is `i`) that continues where the function was suspended. */
export function emitResume(program: CompileContext, { function: id, kind, at }: ResumePoint): string {
  const fn = nth(program.program.functions, id);
  if (kind === "entry") return `(frames, i) => f${id}(...frames[i].values)`;
  const rest = { ...fn, entry: kind === "call" ? nth(fn.edges, at).to : (at as LocationId) };
  // Assignments were analysed from the true entry.
  const context = { ...functionContext(program, fn), fn: rest };
  if (kind === "call") emitReturned(context, at);
  emitBody(context);
  return [
    "(frames, i) => {",
    ...restoredNames(context, fn),
    ...temporaryNames(context),
    ...variedNames(context),
    ...context.lines,
    "}",
  ].join("\n");
}

/** Resumes the suspended call and returns. */
function emitReturned(context: FunctionContext, at: number): void {
  const edge = nth(context.fn.edges, at);
  const { operation } = edge;
  if (operation.kind !== "call") throw new Defect("no call was under way");
  startEdge(context, edge);
  emitCalled(context, operation, "resumes[frames[i + 1].point](frames, i + 1)");
  emitWatched(context);
}

function restoredNames(context: FunctionContext, fn: Function): string[] {
  const { objects } = localObjectsOf(context.program, fn);
  const values = savedNames(context).map((name, k) =>
    name === "stackObjects" ? `${name} = values[${k}] && [...values[${k}]]` : `${name} = values[${k}]`,
  );
  const places = objects.filter(({ size }) => size !== null);
  return [
    "const { values, activation } = frames[i];",
    ...(values.length === 0 ? [] : [`let ${values.join(", ")};`]),
    ...places.map(({ variable, offset }) => `const m${variable.id} = frame + ${offset};`),
    // Branches since then have their own entries; earlier writers of registers are unknown.
    ...(context.mode.dependence ? ["const base = T.open;", ...trackedNames(context, () => "0")] : []),
  ];
}

/**
 * With `captures`: active functions save their state so that they can be resumed (stack inspection, G. Pettyjohn et
 * al., "Continuations from Generalized Stack Inspection", ICFP 2005). Callers save it before they call, because
 * JavaScript cannot inspect them.
 */

/** At a loop header; `at` is the text of its location. */
export function pollText(context: FunctionContext, at: string): string {
  if (!context.mode.captures) return "if (S[0] > S[1]) poll(X);";
  return `if (S[0] > S[1]) { poll(X); X.captures.keep(${context.fn.id}, "location", ${at}, activation, ${savedList(context)}); }`;
}

/** At the entry of a function: only the parameters exist yet. */
export function entryPollText(context: FunctionContext, parameters: readonly string[]): string {
  if (!context.mode.captures) return "if (S[0] > S[1]) poll(X);";
  const values = `[${parameters.join(", ")}]`;
  return `if (S[0] > S[1]) { poll(X); X.captures.keep(${context.fn.id}, "entry", -1, activation, ${values}); }`;
}

export function emitSuspended(context: FunctionContext, emit: () => void): void {
  const { mode, lines, fn, edge } = context;
  if (mode.captures) lines.push(`K.push(${fn.id}, ${edge.id}, activation, ${savedList(context)});`);
  emit();
  if (mode.captures) lines.push("K.length -= 4;");
}

function savedList(context: FunctionContext): string {
  return `[${savedNames(context).join(", ")}]`;
}

/** The variables that the rest of the function may need, in a fixed order: registers, objects, the frame. */
export function savedNames({ program, fn }: Pick<FunctionContext, "program" | "fn">): readonly string[] {
  const { objects, frameSize } = localObjectsOf(program, fn);
  const isRegister = (id: number) => {
    const { kind, storage } = nth(program.variables, id);
    return storage === "register" && kind !== "static";
  };
  return [
    ...[...fn.parameters, ...fn.locals].filter(isRegister).map((id) => `v${id}`),
    ...objects.map(({ variable }) => `o${variable.id}`),
    ...(frameSize > 0 ? ["frame"] : []),
    ...(givesStackBlocks(fn) ? ["stackObjects"] : []),
  ];
}
