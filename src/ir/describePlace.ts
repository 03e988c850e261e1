import type { Expression } from "./expression.ts";
import { printExpression, printPlace } from "./printExpression.ts";
import { printOperation } from "./printOperation.ts";
import type { Function, Program } from "./program.ts";
import { writtenTextAt } from "./sourceText.ts";

/** What an address points at, in source syntax: temporaries of lowering are replaced by what they stand for. */
export function describePlace(program: Program, fn: Function, address: Expression): string {
  return expandTemporaries(program, fn, printPlace(program, address), 3);
}

export function describeExpression(program: Program, fn: Function, expression: Expression): string {
  return expandTemporaries(program, fn, printExpression(program, expression), 3);
}

/** Source text in which temporaries of lowering are replaced by what they stand for. */
export function withoutTemporaries(program: Program, fn: Function, text: string): string {
  return expandTemporaries(program, fn, text, 3);
}

function expandTemporaries(program: Program, fn: Function, text: string, depth: number): string {
  if (depth === 0) return text;
  return text.replaceAll(/\$\w+/g, (name) => {
    const meaning = meaningOf(program, fn, name);
    return meaning === null ? name : expandTemporaries(program, fn, meaning, depth - 1);
  });
}

/** The only operation that gives the temporary its value, or the expression that chooses one of several. */
function meaningOf(program: Program, fn: Function, name: string): string | null {
  const writers = fn.edges.filter(({ operation }) => {
    const target = "target" in operation ? operation.target : null;
    return target !== null && program.variables[target]!.name === name;
  });
  if (writers.length > 1) return choiceText(program, fn, name);
  const operation = writers[0]?.operation;
  if (operation?.kind === "assign") return printExpression(program, operation.value);
  if (operation?.kind === "call" || operation?.kind === "callLibrary") {
    return printOperation(program, { ...operation, target: null });
  }
  return operation?.kind === "input" ? inputText(program, operation.source) : null;
}

/** What a recorded run reads is the expression that had the value, with the number of the place that reads it. */
function inputText({ language }: Program, source: string): string {
  return language === "typescript" ? source.replace(/#\d+$/, "") : `${source}()`;
}

/** Longer choices are not told as one name. */
const choiceLength = 40;

/** `a ? b : c` or `a && b` as the source says it. */
function choiceText(program: Program, fn: Function, name: string): string | null {
  const variable = program.variables.find((each) => each.function === fn.id && each.name === name);
  if (variable === undefined) return null;
  const { line, column, endLine, endColumn } = variable.range;
  const text = writtenTextAt(program, variable.range);
  return text === null || line !== endLine || endColumn - column > choiceLength ? null : `(${text})`;
}
