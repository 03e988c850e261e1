import { Defect } from "../../base/errors.ts";
import type { Function, LocationId } from "../../ir/program.ts";
import { type FunctionContext, functionContext, type ProgramContext } from "./context.ts";
import { startEdge } from "./emitControlFlow.ts";
import { emitBody, temporaryNames, trackedNames } from "./emitFunction.ts";
import { emitCalled } from "./emitOperation.ts";
import { savedNames } from "./emitSuspended.ts";
import { emitWatched, variedNames } from "./emitVaried.ts";
import { localObjectsOf } from "./localObjects.ts";
import type { ResumePoint } from "./mode.ts";

/**
 * A function of the frames of a checkpoint, `i` being the number of this one, that goes on where the function was under way. Its code
 * is that of a function which begins there: of what only comes before there is none, and loops are loops.
 */
export function emitResume(program: ProgramContext, { function: id, kind, at }: ResumePoint): string {
  const fn = program.program.functions[id]!;
  if (kind === "entry") return `(frames, i) => f${id}(...frames[i].values)`;
  const rest = { ...fn, entry: kind === "call" ? fn.edges[at]!.to : (at as LocationId) };
  // What is assigned where was found from the true entry.
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

/** The call that was under way goes on, and returns. */
function emitReturned(context: FunctionContext, at: number): void {
  const edge = context.fn.edges[at]!;
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
    // What is under way since then has its own branches; who wrote a register before is not known.
    ...(context.mode.dependence ? ["const base = T.open;", ...trackedNames(context, () => "0")] : []),
  ];
}
