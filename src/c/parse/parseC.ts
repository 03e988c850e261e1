import { TracefoldError } from "../../base/errors.ts";
import type { ExternalItem, TranslationUnit } from "../ast.ts";
import type { PreprocessedSource } from "../preprocess/options.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseExternal } from "./parseDeclarations.ts";
import { createParser, kindAt, rangeOf } from "./parser.ts";

/** Parses preprocessed C in one pass over the tokens. */
export function parseC(source: PreprocessedSource): TranslationUnit {
  const parser = createParser(source.tokens);
  const items: ExternalItem[] = [];
  try {
    while (kindAt(parser) !== TokenKind.end) parseExternal(parser, items);
    return { items };
  } catch (error) {
    // Only deep nesting exhausts the stack.
    if (!(error instanceof RangeError)) throw error;
    throw new TracefoldError({
      code: "TF301",
      message: "the program is nested too deeply to be parsed",
      range: rangeOf(parser, parser.at, parser.at),
      help: "Split the statement or expression into smaller ones.",
    });
  }
}
