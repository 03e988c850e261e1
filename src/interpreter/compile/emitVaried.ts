import { nth } from "../../base/checked.ts";
import { isBranch } from "../../ir/branches.ts";
import { type Binary, type Comparison, placedLike, type VariableRead } from "../../ir/expression.ts";
import type { LocationId } from "../../ir/program.ts";
import { type FunctionContext, temporary } from "./context.ts";
import { emitExpression } from "./emitExpression.ts";

/** With `vary`: code that looks up the variations; see `rerun/variation.ts`. Without it, the given code. */

/** Both are constant during a run; a local variable is faster than an array cell. */
export function variedNames({ varied }: FunctionContext): string[] {
  return varied === null ? [] : ["const wanted = Q[1], edited = Q[2];"];
}

export function variedCondition(context: FunctionContext, location: LocationId, text: string): string {
  const place = context.varied?.condition(context.fn, location) ?? -1;
  if (place === -1) return text;
  if (isLogged(context)) return `loggedCondition(X, ${place}, ${text}, 0)`;
  const name = temporary(context);
  const wanted = `++Q[0] === wanted || edited === ${place}`;
  return `((${name} = ${text}), ${wanted}) ? variedCondition(X, ${place}, ${name}) : ${name}`;
}

export function variedValue(context: FunctionContext, place: number, text: string): string {
  if (place === -1) return text;
  if (isLogged(context)) return `loggedValue(X, ${place}, ${text}, ${stepsAhead(context)})`;
  const name = temporary(context);
  const wanted = `++Q[0] === wanted || edited === ${place}`;
  return `(((${name} = ${text}), ${wanted}) ? variedValue(X, ${place}, ${name}) : ${name})`;
}

function isLogged({ mode }: FunctionContext): boolean {
  return mode.dependence === true || mode.captures === true;
}

/** Steps counted already that come later or are this one; a branch is decided before its step is counted. */
function stepsAhead({ fn, edge, blocks }: FunctionContext): number {
  return isBranch(edge) ? 0 : nth(blocks.remaining, fn.id)[edge.id]!;
}

export function variedConstant(place: number, text: string): string {
  return place === -1 ? text : `(edited === ${place} ? X.variation.constant : ${text})`;
}

/** `constant` holds the number of the other variable. */
export function variedRead(
  context: FunctionContext,
  expression: VariableRead,
  read: (expression: VariableRead) => string,
): string {
  const usual = read(expression);
  const number = context.mode.otherVariables === true ? (context.varied?.expression(expression) ?? -1) : -1;
  const place = context.varied?.list[number];
  if (place?.kind !== "variable") return usual;
  const others = place.others.map(({ id }, i) => {
    const other = placedLike({ ...expression, variable: id }, expression);
    return `X.variation.constant === ${i} ? ${read(other)} : `;
  });
  return `(edited === ${number} ? ${others.join("")}${usual} : ${usual})`;
}

/** The operands are evaluated once, for the original operation (`emit`) or another one. */
export function variedOperands(
  context: FunctionContext,
  expression: Binary | Comparison,
  emit: () => string,
  truth = "",
): string {
  const place = context.varied?.expression(expression) ?? -1;
  if (place === -1) return emit();
  const operands = [expression.left, expression.right].map((operand) => ({ operand, name: temporary(context) }));
  const texts = operands.map(({ operand, name }) => `(${name} = ${emitExpression(context, operand)})`);
  for (const { operand, name } of operands) context.substitutes.set(operand, name);
  const usual = emit();
  for (const { operand } of operands) context.substitutes.delete(operand);
  const names = operands.map(({ name }) => name).join(", ");
  return `(${texts.join(", ")}, edited === ${place} ? X.variation.edit(${names})${truth} : ${usual})`;
}

/** Lines that are skipped if a re-run omits the edge's statement. */
export function emitSkippable(context: FunctionContext, emit: () => void): void {
  const place = context.varied?.statement(context.edge) ?? -1;
  if (place === -1) return emit();
  context.lines.push(`if (edited !== ${place}) {`);
  emit();
  context.lines.push("}");
}

export function emitWatched(context: FunctionContext): void {
  const { watch } = context.mode;
  if (watch?.function === context.fn.id && watch.edges.has(context.edge.id)) context.lines.push("S[4]++;");
}
