import { constant, emit, fallInto, jump, newLocation } from "../../../ir/builder.ts";
import type { VariableId } from "../../../ir/program.ts";
import type { Statement } from "../ast.ts";
import { type Context, newProgramRegister } from "./context.ts";
import { lowerCondition } from "./lowerCondition.ts";

/** The watched condition is a branch of its own; a register says which way the run went. */
export function lowerWatch(cx: Context, { condition, range }: Statement & { kind: "watch" }): void {
  const { unit } = cx;
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  const first = cx.graph.edges.length;
  lowerCondition(cx, condition, yes, no, "branch");
  // The tests stand at the watched line, not where the condition was written.
  for (let i = first; i < cx.graph.edges.length; i++) cx.graph.edges[i] = { ...cx.graph.edges[i]!, range };
  cx.here = yes;
  emit(cx, { kind: "assign", target: watchVariable(cx, range), value: constant(unit.types.int, 1n) }, range);
  jump(cx, end, range);
  cx.here = no;
  emit(cx, { kind: "assign", target: watchVariable(cx, range), value: constant(unit.types.int, 0n) }, range);
  fallInto(cx, end, range);
}

function watchVariable({ unit }: Context, range: Statement["range"]): VariableId {
  unit.made.watchVariable ??= newProgramRegister(unit, "$watched", range).id;
  return unit.made.watchVariable;
}
