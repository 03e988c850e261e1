import type { ReadFile } from "../preprocess/preprocess.ts";

/** The program's file that someone means: by its path, by the end of its path, or by its name alone. */
export function fileMeant(asked: string, sources: readonly ReadFile[]): string {
  const paths = sources.flatMap(({ source }) => source.files.map(({ path }) => path));
  const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  return (
    paths.find((path) => path === asked) ??
    paths.find((path) => path.endsWith(`/${asked}`)) ??
    paths.find((path) => baseName(path) === baseName(asked)) ??
    asked
  );
}
