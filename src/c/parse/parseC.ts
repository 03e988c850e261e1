import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { ExternalItem, FunctionDefinition, TranslationUnit } from "../ast.ts";
import type { PreprocessedSource } from "../preprocess/options.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseExternal } from "./parseDeclarations.ts";
import { createParser, kindAt, type Parser, rangeOf } from "./parser.ts";

/** Parses preprocessed C in one pass over the tokens. */
export function parseC(source: PreprocessedSource): TranslationUnit {
  return parseUpTo(createParser(source.tokens), source.tokens.kinds.length);
}

/**
 * Parses a file, and behind it functions whose names begin with `prefix`. Such a function that is no valid C is left
 * out.
 */
export function parseWithFragments(
  source: PreprocessedSource,
  prefix: string,
): { readonly tree: TranslationUnit; readonly fragments: ReadonlyMap<string, FunctionDefinition> } {
  const parser = createParser(source.tokens);
  const { texts, kinds } = source.tokens;
  const starts = texts.flatMap((text, i) => (text.startsWith(prefix) && texts[i - 1] === "void" ? [i - 1] : []));
  const tree = parseUpTo(parser, starts[0] ?? kinds.length);
  const depth = parser.scopes.depth();
  const fragments = new Map<string, FunctionDefinition>();
  for (const [i, start] of starts.entries()) {
    parser.at = start;
    const items: ExternalItem[] = [];
    try {
      parseExternal(parser, items);
    } catch (error) {
      if (!(error instanceof TracefoldError) && !(error instanceof RangeError)) throw error;
      while (parser.scopes.depth() > depth) parser.scopes.pop();
      continue;
    }
    const [item] = items;
    const isWhole = parser.at === (starts[i + 1] ?? kinds.length - 1);
    if (item?.kind === "functionDefinition" && isWhole) fragments.set(nth(texts, start + 1), item);
  }
  return { tree, fragments };
}

function parseUpTo(parser: Parser, end: number): TranslationUnit {
  const items: ExternalItem[] = [];
  try {
    while (parser.at < end && kindAt(parser) !== TokenKind.end) parseExternal(parser, items);
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
