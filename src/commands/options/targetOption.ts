import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { usageError } from "./option.ts";

export type RequestedTarget = { readonly condition: string; readonly file: string; readonly line: number };

/** The last `@` separates the location, because literals in the condition may contain one. */
export function requestedTarget(text: string, files: readonly string[]): RequestedTarget {
  const match = /^(.*\S)\s*@\s*(?:(.+):)?(\d+)\s*$/s.exec(text);
  if (match === null || Number(match[3]) === 0) {
    const hasPlace = text.includes("@");
    const column = hasPlace ? text.lastIndexOf("@") + 2 : text.length + 1;
    throw new TracefoldError({
      code: "TF136",
      message: hasPlace ? "expected a file and line behind the @" : "expected @ and a line behind the condition",
      range: { file: "--target", line: 1, column, endLine: 1, endColumn: text.length + 1 },
      help: "For example: --target 'x >= 0 @ file.c:12'",
    });
  }
  const file = match[2]?.trim() ?? (files.length === 1 ? files[0] : undefined);
  if (file === undefined)
    throw usageError("--target: the program has several files: name one, as in 'x >= 0 @ file.c:12'");
  return { condition: nth(match, 1), file, line: Number(match[3]) };
}
