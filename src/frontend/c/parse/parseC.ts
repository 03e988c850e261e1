import { TracefoldError } from "../../../base/errors.ts";
import type { TranslationUnit } from "../ast.ts";
import type { PreprocessedSource } from "../preprocess/preprocessedSource.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { buildTranslationUnit } from "./buildDeclarations.ts";
import { createBuilder } from "./builder.ts";
import type { CGrammar } from "./grammar.ts";
import { joinOutline, tokenOfOffset } from "./joinOutline.ts";
import { outlineExternal } from "./outlineDeclarations.ts";
import { createOutliner, kindAt } from "./outliner.ts";
import { parseOutline } from "./syntaxTree.ts";
import { shorten, tokenize } from "./tokens.ts";

/**
 * Preprocessed C to its syntax tree. Names are settled first (which of them are types, scope by scope), the grammar
 * parses the program's outline, and the tree is built from both.
 */
export function parseC(source: PreprocessedSource, grammar: CGrammar): TranslationUnit {
  try {
    return parse(source, grammar);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new TracefoldError({
      code: "TF301",
      message: "the program is nested too deeply to be parsed",
      range: source.rangeOf(0, 0),
      help: "A larger stack may help: node --stack-size=8000.",
    });
  }
}

function parse(source: PreprocessedSource, grammar: CGrammar): TranslationUnit {
  const tokens = tokenize(source);
  const outliner = createOutliner(source, tokens);
  while (kindAt(outliner) !== TokenKind.end) outlineExternal(outliner);
  const outline = joinOutline(outliner);
  const tree = parseOutline(grammar, outline.text);
  if ("missing" in tree) {
    const first = tokenOfOffset(outline, tree.start);
    const last = tokenOfOffset(outline, tree.end - 1);
    const words = tokens.texts.slice(first, Math.max(first, last) + 1).join(" ");
    const place = source.rangeOf(tokens.starts[first]!, tokens.ends[Math.max(first, last)]!);
    throw new TracefoldError({
      code: "TF103",
      message: tree.missing ? `expected '${tree.missing}' near '${shorten(words)}'` : `cannot read '${shorten(words)}'`,
      range: place,
    });
  }
  return buildTranslationUnit(createBuilder(outliner, outline, tree));
}
