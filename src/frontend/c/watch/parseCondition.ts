import { TracefoldError } from "../../../base/errors.ts";
import { lineCount, rangeBetweenOffsets } from "../../../base/sourceFile.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { Expr, TranslationUnit } from "../ast.ts";
import { refuseEffects } from "./refuseEffects.ts";

/** The name of the option that conditions come from, in the places of errors. */
const conditionFile = "--target";

/**
 * A condition is read as the result of a function behind the end of the program, where the program's macros and types
 * are known.
 */
export function withCondition(text: string, condition: string): string {
  return `${text}\nint __tracefold_condition(void) { return (\n${condition}\n); }\n`;
}

/** The condition in the tree of such a text, with places in the option, and the tree without it. */
export function takeCondition(
  tree: TranslationUnit,
  text: string,
  condition: string,
): { readonly tree: TranslationUnit; readonly condition: Expr } {
  const last = tree.items[tree.items.length - 1];
  const statement = last?.kind === "functionDefinition" ? last.body.items[0] : undefined;
  if (last?.kind !== "functionDefinition" || last.body.items.length !== 1 || statement?.kind !== "return") {
    throw malformed("this is not one expression", wholeOf(condition));
  }
  if (statement.value === null) throw malformed("this is not an expression", wholeOf(condition));
  const expression = inOption(statement.value, text, condition);
  refuseEffects(expression, malformed);
  return { tree: { ...tree, items: tree.items.slice(0, -1) }, condition: expression };
}

/** Errors of the condition's text say where in the option they are. */
export function explainConditionError(error: unknown, text: string, condition: string): unknown {
  if (!(error instanceof TracefoldError)) return error;
  const range = error.range;
  const isOurs = range === undefined || range.line > lineCount({ text }) || range.file === conditionFile;
  if (!isOurs) return error;
  const at = range === undefined ? wholeOf(condition) : optionRange(range, text, condition);
  return malformed(
    `${error.code === "TF136" ? "" : "the condition cannot be read: "}${error.message.replace("__tracefold_condition", "it")}`,
    at,
  );
}

function optionRange(range: SourceRange, text: string, condition: string): SourceRange {
  if (range.file === conditionFile) return range;
  // The condition's first line follows the line that opens the function.
  const first = lineCount({ text }) + 1;
  const line = range.line - first;
  const whole = wholeOf(condition);
  if (line < 1) return whole;
  const count = lineCount({ text: condition });
  if (line > count) return { ...whole, line: count, column: whole.endColumn };
  return {
    file: conditionFile,
    line,
    column: range.column,
    endLine: Math.min(count, Math.max(line, range.endLine - first)),
    endColumn: range.endColumn,
  };
}

function wholeOf(condition: string): SourceRange {
  return rangeBetweenOffsets({ path: conditionFile, text: condition }, 0, condition.length);
}

/** All places of a tree, moved to the option. */
function inOption<T>(node: T, text: string, condition: string): T {
  if (Array.isArray(node)) return node.map((each) => inOption(each, text, condition)) as T;
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "range" ? optionRange(value as SourceRange, text, condition) : inOption(value, text, condition),
    ]),
  ) as T;
}

function malformed(message: string, range: SourceRange): TracefoldError {
  return new TracefoldError({
    code: "TF136",
    message,
    range,
    help: "A condition is a C expression over what is in scope at the line: --target 'x >= 0 @ file.c:12'",
  });
}
