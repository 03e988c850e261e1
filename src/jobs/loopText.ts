import { offsetOf } from "../base/sourceFile.ts";
import type { SourceRange } from "../base/sourceRange.ts";

/**
 * A loop as its source says it: `while (i != n)`, `for (int i = 0; i < n; i++)`, `do … while (h <= size)`, found around its
 * condition. Null where there is no such keyword, as for a loop made of `goto`.
 */
export function loopText(source: string, condition: SourceRange): string | null {
  const open = enclosingParenthesis(source, offsetOf({ text: source }, condition.line, condition.column));
  if (open === null) return null;
  const keyword = /\b(while|for)\s*$/.exec(source.slice(0, open));
  const close = closingParenthesis(source, open);
  if (keyword === null || close === null) return null;
  const text = `${keyword[1]} ${source.slice(open, close + 1).replaceAll(/\s+/g, " ")}`;
  const isDo =
    keyword[1] === "while" && /^\s*;/.test(source.slice(close + 1)) && /\}\s*$/.test(source.slice(0, keyword.index));
  return isDo ? `do … ${text}` : text;
}

function enclosingParenthesis(text: string, offset: number): number | null {
  let depth = 0;
  for (let i = offset - 1; i >= 0; i--) {
    if (text[i] === ")") depth++;
    else if (text[i] === "(" && depth-- === 0) return i;
    else if (text[i] === "{" || text[i] === "}") return null;
  }
  return null;
}

function closingParenthesis(text: string, open: number): number | null {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i;
  }
  return null;
}
