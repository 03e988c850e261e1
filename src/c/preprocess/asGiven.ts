import { rangeBetweenOffsets, sourceFile } from "../../base/sourceFile.ts";
import { createFrame, readFrame } from "./fileStack.ts";
import { createOutputText } from "./outputText.ts";
import { createPacking } from "./packing.ts";
import type { PreprocessedSource, PreprocessNote } from "./preprocessedSource.ts";
import { spliceFile } from "./splicedFile.ts";

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

/** A file that is already preprocessed. Line markers become spaces: places are those of the given file itself. */
export function takeAsGiven(path: string, text: string): PreprocessedSource {
  const file = sourceFile(path, text);
  const files = [file];
  if (/^[ \t]*#[ \t]*pragma[ \t]+pack\b/m.test(text)) return { ...takeWithPacking(path, text), files, by: "nobody" };
  return {
    text: text.replace(DIRECTIVE, (marker) => marker.replace(/[^\r\n]/g, " ")),
    rangeOf: (start, end) => rangeBetweenOffsets(file, start, end),
    files,
    notes: [],
    by: "nobody",
  };
}

/** `#pragma pack` is the one directive that a preprocessor leaves and that still means something. */
function takeWithPacking(path: string, text: string): Pick<PreprocessedSource, "text" | "rangeOf" | "notes"> {
  const notes: PreprocessNote[] = [];
  const packing = createPacking(notes);
  const output = createOutputText(path);
  const frame = createFrame(spliceFile(path, text));
  for (let item = readFrame(frame); item !== null; item = readFrame(frame)) {
    if (!("hash" in item)) packing.add(item, output.add);
    else if (item.tokens[0]?.text === "pragma") packing.pragma(item.tokens.slice(1));
  }
  return { ...output.finish(), notes };
}
