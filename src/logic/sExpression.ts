import { TracefoldError } from "../base/errors.ts";

/** A token as it was written (symbols with their bars, strings with their quotes) or a list. */
export type SExpression = string | readonly SExpression[];

const token = /\s+|;[^\n]*|\(|\)|"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+/gy;

/** Reads all S-expressions of a text, without recursion. Unbalanced text is an error. */
export function readSExpressions(text: string): SExpression[] {
  const top: SExpression[] = [];
  const open: SExpression[][] = [];
  let current = top;
  let position = 0;
  token.lastIndex = 0;
  while (position < text.length) {
    token.lastIndex = position;
    const match = token.exec(text);
    if (match === null) throw malformed(text, position);
    const [word] = match;
    position += word.length;
    if (word === "(") {
      const list: SExpression[] = [];
      current.push(list);
      open.push(current);
      current = list;
    } else if (word === ")") {
      const outer = open.pop();
      if (outer === undefined) throw malformed(text, position - 1);
      current = outer;
    } else if (!/^[\s;]/.test(word)) current.push(word);
  }
  if (open.length > 0) throw malformed(text, text.length);
  return top;
}

function malformed(text: string, position: number): TracefoldError {
  const near = text.slice(Math.max(0, position - 40), position + 40).replace(/\s+/g, " ");
  return new TracefoldError({ code: "TF190", message: `not an S-expression near "${near}"` });
}
