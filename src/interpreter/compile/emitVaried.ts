import { nth } from "../../base/checked.ts";
import { isBranch } from "../../ir/branches.ts";
import type { LocationId } from "../../ir/program.ts";
import { type FunctionContext, temporary } from "./context.ts";

/** With `vary`: code that looks up the variations; see `rerun/variation.ts`. Without it, the given code. */

/** It is constant during a run; a local variable is faster than an array cell. */
export function variedNames({ varied }: FunctionContext): string[] {
  return varied === null ? [] : ["const wanted = Q[1];"];
}

export function variedCondition(context: FunctionContext, location: LocationId, text: string): string {
  const place = context.varied?.condition(context.fn, location) ?? -1;
  if (place === -1) return text;
  if (isLogged(context)) return `loggedCondition(X, ${place}, ${text}, 0)`;
  const name = temporary(context);
  const wanted = "++Q[0] === wanted";
  return `((${name} = ${text}), ${wanted}) ? variedCondition(X, ${name}) : ${name}`;
}

export function variedValue(context: FunctionContext, place: number, text: string): string {
  if (place === -1) return text;
  if (isLogged(context)) return `loggedValue(X, ${place}, ${text}, ${stepsAhead(context)})`;
  const name = temporary(context);
  const wanted = "++Q[0] === wanted";
  return `(((${name} = ${text}), ${wanted}) ? variedValue(X, ${name}) : ${name})`;
}

function isLogged({ mode }: FunctionContext): boolean {
  return mode.dependence === true || mode.captures === true;
}

/** Steps counted already that come later or are this one; a branch is decided before its step is counted. */
function stepsAhead({ fn, edge, blocks }: FunctionContext): number {
  return isBranch(edge) ? 0 : nth(blocks.remaining, fn.id)[edge.id]!;
}

export function emitWatched(context: FunctionContext): void {
  const { watch } = context.mode;
  if (watch?.function === context.fn.id && watch.edges.has(context.edge.id)) context.lines.push("S[4]++;");
}
