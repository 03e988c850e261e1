import { sourceFile } from "../../base/sourceFile.ts";
import { createFrame, readFrame } from "./fileStack.ts";
import { createPacking } from "./packing.ts";
import type { PreprocessedSource, PreprocessNote } from "./preprocessedSource.ts";
import { spliceFile } from "./splicedFile.ts";
import { createTokenList } from "./tokenList.ts";

const DIRECTIVE = /^[ \t]*#[ \t]*([^\n]*)/gm;
const MARKER = /^(?:line[ \t]+)?[0-9]+(?:[ \t]|\r|$)/;
const HARMLESS = /^(?:pragma|ident)\b/;

/**
 * A preprocessor has been here: there are line markers, or the file says so by its name, and there is no directive that
 * still means something.
 */
export function isAlreadyPreprocessed(path: string, text: string): boolean {
  let marked = path.endsWith(".i");
  for (const [, directive] of text.matchAll(DIRECTIVE)) {
    if (MARKER.test(directive!)) marked = true;
    else if (directive!.trim() !== "" && !HARMLESS.test(directive!)) return false;
  }
  return marked;
}

/**
 * A file that is already preprocessed. Line markers are skipped: places are those of the given file itself. `#pragma pack`
 * is the one directive that a preprocessor leaves and that still means something.
 */
export function takeAsGiven(path: string, text: string): PreprocessedSource {
  const notes: PreprocessNote[] = [];
  const packing = createPacking(notes);
  const list = createTokenList(path);
  const frame = createFrame(spliceFile(path, text));
  for (let item = readFrame(frame); item !== null; item = readFrame(frame)) {
    if (!("hash" in item)) packing.add(item, list.add);
    else if (item.tokens[0]?.text === "pragma") packing.pragma(item.tokens.slice(1));
  }
  return { tokens: list.finish(), files: [sourceFile(path, text)], notes, by: "nobody" };
}
