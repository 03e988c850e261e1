import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { jump, newLocation, read } from "../../ir/builder.ts";
import { type Context, newProgramRegister } from "./context.ts";

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
  try {
    lowerPart();
    return !cx.graph.edges.slice(first).some(({ refused, missing }) => refused !== undefined || missing !== undefined);
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    Object.assign(cx, { scope, breakTo, continueTo, switch: labels });
    return false;
  }
}
