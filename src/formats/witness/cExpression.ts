import { type CToken, cTokens } from "./cTokens.ts";

const typeWords = new Set(["unsigned", "signed", "char", "short", "int", "long", "_Bool"]);
const binaryArithmetic = new Set(["+", "-", "*"]);
const allowed = new Set("( ) [ ] . -> ! ~ + - * / % << >> < <= > >= == != & ^ | && || ? :".split(" "));

/**
 * A formula of a report as an expression that C evaluates to the same, or null where C cannot say it: quantifiers,
 * functions of the logic, inputs by number. Formulas are about mathematical integers; where they compute, their operands
 * are widened so that the computation does not overflow.
 */
export function toCExpression(formula: string): string | null {
  const tokens = cTokens(formula);
  if (tokens.length === 0 || formula.includes("#")) return null;
  for (const [i, token] of tokens.entries()) if (!isAcceptable(tokens, i, token)) return null;
  const computes = tokens.some((token, i) => binaryArithmetic.has(token.text) && isOperand(tokens[i - 1]));
  const widened = new Set(
    computes ? tokens.flatMap((token, i) => (isVariable(tokens, i, token) ? [castPlace(tokens, i)] : [])) : [],
  );
  let text = "";
  let done = 0;
  for (const [i, token] of tokens.entries()) {
    text += formula.slice(done, token.start);
    if (widened.has(i)) text += "(long long)";
    text += token.text === "true" ? "1" : token.text === "false" ? "0" : token.text;
    done = token.start + token.text.length;
  }
  return text + formula.slice(done);
}

/** The names of the variables in an expression, each once. */
export function variablesOf(expression: string): string[] {
  const tokens = cTokens(expression);
  return [...new Set(tokens.filter((token, i) => isVariable(tokens, i, token)).map((token) => token.text))];
}

function isAcceptable(tokens: readonly CToken[], i: number, { text, isName }: CToken): boolean {
  const previous = tokens[i - 1];
  if (!isName) return /^\d+$/.test(text) ? !isOperand(previous) || isCastEnd(tokens, i - 1) : allowed.has(text);
  if (typeWords.has(text)) return true;
  if (!/^[A-Za-z_]\w*$/.test(text) || tokens[i + 1]?.text === "(") return false;
  return !isOperand(previous) || isCastEnd(tokens, i - 1);
}

/** Ends an operand: `x`, `1`, `)`, `]`. */
function isOperand(token: CToken | undefined): boolean {
  return token !== undefined && (token.isName || /^\d/.test(token.text) || token.text === ")" || token.text === "]");
}

/** The parenthesis at `i` closes a cast: `(unsigned char)`. */
function isCastEnd(tokens: readonly CToken[], i: number): boolean {
  return tokens[i]?.text === ")" && typeWords.has(tokens[i - 1]?.text ?? "");
}

function isVariable(tokens: readonly CToken[], i: number, { text, isName }: CToken): boolean {
  if (!isName || typeWords.has(text) || text === "true" || text === "false") return false;
  return ![".", "->"].includes(tokens[i - 1]?.text ?? "");
}

/** Before the variable and the `*` and `&` that belong to it. */
function castPlace(tokens: readonly CToken[], i: number): number {
  let at = i;
  while ((tokens[at - 1]?.text === "*" || tokens[at - 1]?.text === "&") && !isOperand(tokens[at - 2])) at--;
  return at;
}
