import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, emit, emitTo, fallInto, jump, newLocation, read } from "../../ir/builder.ts";
import type { VariableId } from "../../ir/program.ts";
import { statedName, statedText } from "../../ir/reservedNames.ts";
import type { StatedCondition, Statement } from "../ast.ts";
import { type Context, newProgramRegister } from "./context.ts";
import { lowerCondition } from "./lowerCondition.ts";

/**
 * Stated conditions: extra branches beside the program's own, each of which evaluates one condition and fails if it
 * does not hold. A reserved variable selects the branch; see `src/cutpoints/stated.ts`.
 */
export function lowerStated(cx: Context, stated: readonly StatedCondition[], range: SourceRange): void {
  if (stated.length === 0) return;
  const { unit } = cx;
  const from = cx.here;
  const rest = newLocation(cx);
  const selector = read(nth(unit.variables, statedVariable(cx, range)));
  const way = (to: number, values: readonly (readonly [bigint, bigint])[] | null) =>
    cx.graph.edges.push({ from, to, operation: { kind: "case", selector, values, others: [] }, range });
  for (const { number, condition } of stated) {
    const [start, violated] = [newLocation(cx), newLocation(cx)];
    // 0 is the variable's initial value, so numbers start at 1.
    way(start, [[BigInt(number) + 1n, BigInt(number) + 1n]]);
    cx.here = start;
    lowerCondition(cx, condition, rest, violated, "branch");
    cx.here = violated;
    emitTo(
      cx,
      cx.exit,
      { kind: "fail", reason: "assertion", text: statedText(number), stated: number, code: null },
      range,
    );
  }
  way(rest, null);
  cx.here = rest;
}

function statedVariable({ unit }: Context, range: SourceRange): VariableId {
  unit.made.statedVariable ??= newProgramRegister(unit, statedName, range).id;
  return unit.made.statedVariable;
}

/** The watched condition is a branch; a register records its result. */
export function lowerWatch(cx: Context, { condition, range }: Statement & { kind: "watch" }): void {
  const { unit } = cx;
  const [yes, no, end] = [newLocation(cx), newLocation(cx), newLocation(cx)];
  const first = cx.graph.edges.length;
  lowerCondition(cx, condition, yes, no, "branch");
  // The tests belong to the watched line, not to the place where the condition was written.
  for (let i = first; i < cx.graph.edges.length; i++) cx.graph.edges[i] = { ...nth(cx.graph.edges, i), range };
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

type Choice<Part> = {
  readonly site: number;
  readonly alternatives: readonly Part[];
  readonly otherwise: Part;
  readonly range: SourceRange;
};

/**
 * Lowers all versions; a register of the program selects the one to run. An alternative that does not compile is left
 * out. `lowerPart` must leave each version by jumps of its own.
 */
export function lowerChoice<Part>(cx: Context, choice: Choice<Part>, lowerPart: (part: Part) => void): void {
  const { site, alternatives, otherwise, range } = choice;
  const from = cx.here;
  const edges: { readonly to: number; readonly value: bigint | null }[] = [];
  const begin = () => {
    const to = newLocation(cx);
    cx.here = to;
    return to;
  };
  edges.push({ to: begin(), value: null });
  lowerPart(otherwise);
  for (const [i, alternative] of alternatives.entries()) {
    const to = begin();
    if (compiles(cx, () => lowerPart(alternative))) edges.push({ to, value: BigInt(i + 1) });
    else cx.unit.options.onInvalidAlternative?.(site, i);
  }
  const { choiceVariables } = cx.unit.made;
  const variable = choiceVariables.get(site) ?? newProgramRegister(cx.unit, `$choice${site}`, range).id;
  choiceVariables.set(site, variable);
  const selector = read(nth(cx.unit.variables, variable));
  for (const { to, value } of edges.toReversed()) {
    const values = value === null ? null : [[value, value] as const];
    cx.graph.edges.push({ from, to, operation: { kind: "case", selector, values, others: [] }, range });
  }
  cx.here = newLocation(cx);
}

/** Lowers all versions; the code after the choice follows each of them. */
export function lowerStatementChoice<Part>(
  cx: Context,
  choice: Choice<Part>,
  lowerPart: (cx: Context, part: Part) => void,
): void {
  const end = newLocation(cx);
  lowerChoice(cx, choice, (part) => {
    lowerPart(cx, part);
    jump(cx, end, choice.range);
  });
  cx.here = end;
}

/** Code that was emitted before an error is unreachable and will be dropped. */
function compiles(cx: Context, lowerPart: () => void): boolean {
  const { scope, breakTo, continueTo, switch: labels } = cx;
  const first = cx.graph.edges.length;
  cx.unit.made.isAlternative = true;
  try {
    lowerPart();
    return !cx.graph.edges.slice(first).some(({ refused, missing }) => refused !== undefined || missing !== undefined);
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    Object.assign(cx, { scope, breakTo, continueTo, switch: labels });
    return false;
  } finally {
    cx.unit.made.isAlternative = false;
  }
}
