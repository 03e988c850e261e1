import { TracefoldError } from "../../../base/errors.ts";
import type { TranslationUnit } from "../ast.ts";
import type { PreprocessedSource } from "../preprocess/preprocessedSource.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { shorten } from "../preprocess/strayToken.ts";
import { buildTranslationUnit } from "./buildDeclarations.ts";
import { createBuilder } from "./builder.ts";
import type { CGrammar } from "./grammar.ts";
import { joinOutline, type Outline, tokenOfOffset } from "./joinOutline.ts";
import { outlineExternal } from "./outlineDeclarations.ts";
import { createOutliner, kindAt, type Outliner, rangeOfTokens } from "./outliner.ts";
import { parseOutline, type SyntaxErrorPlace } from "./syntaxTree.ts";
import { tokenize } from "./tokens.ts";

/**
 * Preprocessed C to its syntax tree. Names are settled first (which of them are types, scope by scope), the grammar
 * parses the program's outline, and the tree is built from both.
 */
export function parseC(source: PreprocessedSource, grammar: CGrammar): TranslationUnit {
  const outliner = createOutliner(source, tokenize(source));
  try {
    while (kindAt(outliner) !== TokenKind.end) outlineExternal(outliner);
    const outline = joinOutline(outliner);
    const tree = parseOutline(grammar, outline.text);
    if ("missing" in tree) throw syntaxError(outliner, outline, tree);
    return buildTranslationUnit(createBuilder(outliner, outline, tree));
  } catch (error) {
    // The one way to run out of the JavaScript stack is a program that nests deeper than people write.
    if (!(error instanceof RangeError)) throw error;
    throw new TracefoldError({
      code: "TF301",
      message: "the program is nested too deeply to be parsed",
      range:
        kindAt(outliner) === TokenKind.end ? source.rangeOf(0, 0) : rangeOfTokens(outliner, outliner.at, outliner.at),
      help: "Split the statement or expression into smaller ones.",
    });
  }
}

/** What the grammar could not read, in the program's words. */
function syntaxError(outliner: Outliner, outline: Outline, place: SyntaxErrorPlace): TracefoldError {
  const first = tokenOfOffset(outline, place.start);
  const last = Math.max(first, tokenOfOffset(outline, place.end - 1));
  const words = shorten(outliner.tokens.texts.slice(first, last + 1).join(" "));
  return new TracefoldError({
    code: "TF103",
    message: place.missing ? `expected '${place.missing}' near '${words}'` : `cannot read '${words}'`,
    range: rangeOfTokens(outliner, first, last),
  });
}
