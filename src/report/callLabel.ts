import type { SourceRange } from "../base/sourceRange.ts";
import { distinctEnds } from "../base/text.ts";
import { initializerName } from "../ir/reservedNames.ts";

/** `f:12`, or `util.c f:12` where that is not in the file that everything is about; what no function sets is `global:3`. */
export type CallLabel = (place: { readonly function: string; readonly location: SourceRange }) => string;

export function callLabels(files: readonly { readonly path: string }[], mainFile: string): CallLabel {
  const paths = files.map(({ path }) => path);
  const ends = new Map(distinctEnds(paths).map((end, i) => [paths[i]!, `${end} `]));
  return ({ function: fn, location: { file, line } }) =>
    `${file === mainFile ? "" : (ends.get(file) ?? "")}${fn === initializerName ? "global" : fn}:${line}`;
}
