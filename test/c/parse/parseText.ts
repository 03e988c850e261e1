import type { BlockItem, Expr, TranslationUnit } from "../../../src/c/ast.ts";
import { parseC } from "../../../src/c/parse/parseC.ts";
import type { PreprocessedSource } from "../../../src/c/preprocess/options.ts";
import { preprocess } from "../../../src/c/preprocess/preprocess.ts";

export function prepare(text: string): PreprocessedSource {
  return preprocess({ path: "test.c", text }, { dataModel: "LP64", mode: "builtin", readFile: () => null });
}

export function parseText(text: string): TranslationUnit {
  return parseC(prepare(text));
}

/** The items of the body of the last function. */
export function bodyOf(unit: TranslationUnit): readonly BlockItem[] {
  const last = unit.items.at(-1);
  if (last?.kind !== "functionDefinition") throw new Error("the last item is not a function");
  return last.body.items;
}

/** The expression of the last statement in a function whose declarations are `context`. */
export function parseExpression(context: string, text: string): Expr {
  const item = bodyOf(parseText(`${context}\nvoid f(void) {\n${text};\n}\n`)).at(-1);
  if (item?.kind !== "expressionStatement") throw new Error(`not an expression statement: ${item?.kind}`);
  return item.expression;
}
