import type { CToken } from "./cTokens.ts";

const notTypes = new Set(["return", "goto", "else", "case", "break", "continue", "typedef", "sizeof", "do"]);

/** The variables that a statement declares; none where it is no declaration. The closing `;` is not part of it. */
export function declaredNames(statement: readonly CToken[]): string[] {
  if (!isDeclaration(statement)) return [];
  const names: string[] = [];
  let depth = 0;
  let inInitializer = false;
  for (const [i, token] of statement.entries()) {
    if ("([{".includes(token.text)) depth++;
    else if (")]}".includes(token.text)) depth--;
    else if (depth > 0) continue;
    else if (token.text === "=") inInitializer = true;
    else if (token.text === ",") inInitializer = false;
    const next = statement[i + 1]?.text ?? ";";
    const isDeclarator = i > 0 && token.isName && depth === 0 && !inInitializer && ["=", ",", ";", "["].includes(next);
    if (isDeclarator) names.push(token.text);
  }
  return names;
}

/** `int x`, `T *p`, `struct S s`: a name, then names and stars, before anything else. */
function isDeclaration(statement: readonly CToken[]): boolean {
  const [first, second] = statement;
  if (first === undefined || second === undefined || !first.isName || notTypes.has(first.text)) return false;
  if (second.isName) return true;
  return second.text === "*" && statement[2] !== undefined && (statement[2].isName || statement[2].text === "*");
}

/** The parameters in the list that ends with the parenthesis at `close`. */
export function parameterNames(tokens: readonly CToken[], close: number): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let i = close - 1; i >= 0; i--) {
    const { text, isName } = tokens[i]!;
    if (text === ")" || text === "]") depth++;
    else if (text === "(" || text === "[") {
      if (depth === 0) return names;
      depth--;
    } else if (depth === 0 && isName && [",", ")", "["].includes(tokens[i + 1]!.text)) names.push(text);
  }
  return names;
}
