import type { PreprocessOptions } from "./options.ts";
import { preprocess } from "./preprocess.ts";
import type { PreprocessedSource } from "./preprocessedSource.ts";

export type FileToRead = {
  readonly file: { readonly path: string; readonly text: string };
  readonly options: PreprocessOptions;
};

export type ReadFile = FileToRead & { readonly source: PreprocessedSource };

/**
 * The files of one program. Where one of them needs the headers of this system, all get them: two kinds of headers do
 * not have the same types.
 */
export function preprocessFiles(files: readonly FileToRead[]): ReadFile[] {
  const first = files.map(readWith);
  if (!first.some(({ source }) => source.by === "gcc")) return first;
  return first.map((each) =>
    each.source.by === "builtin" ? readWith({ ...each, options: { ...each.options, mode: "gcc" } }) : each,
  );
}

function readWith({ file, options }: FileToRead): ReadFile {
  return { file, options, source: preprocess(file, options) };
}
