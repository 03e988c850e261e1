import { rangeBetweenOffsets } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Program } from "./program.ts";

/**
 * Where the program's files say `volatile`: something else than the program may change such a variable, which no model of the
 * program knows. Comments, texts and `asm volatile` are no declarations; the library's own headers declare nothing of the program's.
 */
export function volatileUses({ files }: Program): readonly SourceRange[] {
  return files.flatMap((file) => {
    const { path, text } = file;
    if (path.startsWith("<") || !text.includes("volatile")) return [];
    const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, (part) =>
      part.replace(/[^\n]/g, " "),
    );
    return [...plain.matchAll(/\b(__asm__|asm|__asm)?\s*\b(volatile|__volatile__|__volatile)\b/g)].flatMap(
      (match): SourceRange[] => {
        if (match[1] !== undefined) return [];
        const start = match.index + match[0].length - match[2]!.length;
        return [rangeBetweenOffsets(file, start, start + match[2]!.length)];
      },
    );
  });
}
