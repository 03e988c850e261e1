import type { FunctionContext } from "./context.ts";
import { givesStackBlocks, localObjectsOf } from "./localObjects.ts";

/**
 * With `captures`: what a function that is under way tells of itself, so that it can be continued later (stack inspection, as in G.
 * Pettyjohn et al., "Continuations from Generalized Stack Inspection", ICFP 2005; callers write themselves down before they call, as
 * JavaScript lets nobody look at them).
 */

/** At a loop's header; `at` is the text of its location. */
export function pollText(context: FunctionContext, at: string): string {
  if (!context.mode.captures) return "if (S[0] > S[1]) poll(X);";
  return `if (S[0] > S[1]) { poll(X); X.captures.keep(${context.fn.id}, "location", ${at}, activation, ${savedList(context)}); }`;
}

/** At the beginning of a function with these parameters: nothing else is there yet. */
export function entryPollText(context: FunctionContext, parameters: readonly string[]): string {
  if (!context.mode.captures) return "if (S[0] > S[1]) poll(X);";
  const values = `[${parameters.join(", ")}]`;
  return `if (S[0] > S[1]) { poll(X); X.captures.keep(${context.fn.id}, "entry", -1, activation, ${values}); }`;
}

/** Around a call. */
export function emitSuspended(context: FunctionContext, emit: () => void): void {
  const { mode, lines, fn, edge } = context;
  if (mode.captures) lines.push(`K.push(${fn.id}, ${edge.id}, activation, ${savedList(context)});`);
  emit();
  if (mode.captures) lines.push("K.length -= 4;");
}

function savedList(context: FunctionContext): string {
  return `[${savedNames(context).join(", ")}]`;
}

/** The variables that the rest of the function may need, in one order: registers, objects, the frame. */
export function savedNames({ program, fn }: Pick<FunctionContext, "program" | "fn">): readonly string[] {
  const { objects, frameSize } = localObjectsOf(program, fn);
  const isRegister = (id: number) => {
    const { kind, storage } = program.variables[id]!;
    return storage === "register" && kind !== "static";
  };
  return [
    ...[...fn.parameters, ...fn.locals].filter(isRegister).map((id) => `v${id}`),
    ...objects.map(({ variable }) => `o${variable.id}`),
    ...(frameSize > 0 ? ["frame"] : []),
    ...(givesStackBlocks(fn) ? ["stackObjects"] : []),
  ];
}
