import { createHash } from "node:crypto";
import { createLineMap } from "./lineMap.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";

const LINE_MARKER = /^[ \t]*#[^\n]*/gm;

/** A file that is already preprocessed. Line markers become spaces: places are those of the given file itself. */
export function takeAsGiven(path: string, text: string): PreprocessedSource {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return {
    text: text.replace(LINE_MARKER, (marker) => marker.replace(/[^\r]/g, " ")),
    rangeOf: createLineMap(path, text),
    files: [{ path, text, sha256 }],
    notes: [],
  };
}
