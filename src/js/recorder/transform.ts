import { isAbsolute, relative, sep } from "node:path";
import type MagicString from "magic-string";
import { instrument } from "./instrument.ts";
import { noteSkipped, numberSource } from "./sources.ts";
import { languageOf, type SourceKind } from "./syntax.ts";

/** Files of the project: below its root, in a language we read, and not somebody else's package. */
export function isRecorded(path: string, root: string): boolean {
  const inside = relative(root, path);
  if (inside === "" || inside.startsWith("..") || isAbsolute(inside)) return false;
  return languageOf(path) !== null && !inside.split(sep).includes("node_modules");
}

/** The instrumented text; null: the file is left as it is, and the recording says why. */
export function transform(directory: string, path: string, text: string, kind: SourceKind): MagicString | null {
  const number = numberSource(directory, path, text, kind);
  if (number === null) return null;
  const result = instrument(path, text, kind, number);
  if (result.kind === "instrumented") return result.text;
  noteSkipped(directory, number, path, text, kind, result.reason);
  return null;
}
