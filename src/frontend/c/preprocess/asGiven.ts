import { createHash } from "node:crypto";
import { createLineMap } from "./lineMap.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";

const DIRECTIVE = /^[ \t]*#[ \t]*([^\n]*)/gm;
const MARKER = /^(?:line[ \t]+)?[0-9]+(?:[ \t]|\r|$)/;
const HARMLESS = /^(?:pragma|ident)\b/;

/** A preprocessor has been here: there are line markers, and no directive that still means something. */
export function isAlreadyPreprocessed(text: string): boolean {
  let markers = 0;
  for (const [, directive] of text.matchAll(DIRECTIVE)) {
    if (MARKER.test(directive!)) markers++;
    else if (!HARMLESS.test(directive!)) return false;
  }
  return markers > 0;
}

/** A file that is already preprocessed. Line markers become spaces: places are those of the given file itself. */
export function takeAsGiven(path: string, text: string): PreprocessedSource {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return {
    text: text.replace(DIRECTIVE, (marker) => marker.replace(/[^\r\n]/g, " ")),
    rangeOf: createLineMap(path, text),
    files: [{ path, text, sha256 }],
    notes: [],
  };
}
