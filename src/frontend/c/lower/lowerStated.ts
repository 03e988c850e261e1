import type { SourceRange } from "../../../base/sourceRange.ts";
import { emitTo, newLocation, read } from "../../../ir/builder.ts";
import type { VariableId } from "../../../ir/program.ts";
import { statedName, statedText } from "../../../ir/reservedNames.ts";
import type { Stated } from "../ast.ts";
import { type Context, newProgramRegister } from "./context.ts";
import { lowerCondition } from "./lowerCondition.ts";

/**
 * Conditions that someone says to hold here: ways beside the program's own, each of which evaluates one of them and fails where
 * it does not hold. `src/regions/statedProgram.ts` says which ways are open.
 */
export function lowerStated(cx: Context, stated: readonly Stated[], range: SourceRange): void {
  if (stated.length === 0) return;
  const { unit } = cx;
  const from = cx.here;
  const rest = newLocation(cx);
  const selector = read(unit.variables[statedVariable(cx, range)]!);
  const way = (to: number, values: readonly (readonly [bigint, bigint])[] | null) =>
    cx.graph.edges.push({ from, to, operation: { kind: "case", selector, values, others: [] }, range });
  for (const { number, condition } of stated) {
    const [start, violated] = [newLocation(cx), newLocation(cx)];
    // Numbers begin behind what the variable holds.
    way(start, [[BigInt(number) + 1n, BigInt(number) + 1n]]);
    cx.here = start;
    lowerCondition(cx, condition, rest, violated, "branch");
    cx.here = violated;
    emitTo(cx, cx.exit, { kind: "fail", reason: "assertion", text: statedText(number), code: null }, range);
  }
  way(rest, null);
  cx.here = rest;
}

function statedVariable({ unit }: Context, range: SourceRange): VariableId {
  unit.made.statedVariable ??= newProgramRegister(unit, statedName, range).id;
  return unit.made.statedVariable;
}
