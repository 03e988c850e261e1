import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { shorten } from "../preprocess/strayToken.ts";
import type { Tokens } from "../preprocess/tokenList.ts";
import { type KeywordRole, keywordRole, startsSpecifiers } from "./keywords.ts";
import { createScopes, type Scopes } from "./scopes.ts";

/** The state that the parsing functions share. There is one per translation unit. */
export type Parser = {
  readonly tokens: Tokens;
  readonly scopes: Scopes;
  /** The current token. */
  at: number;
  /** The last expression in parentheses: its opening token, and the token behind it. */
  readonly parenthesis: { open: number; end: number };
};

export function createParser(tokens: Tokens): Parser {
  return {
    tokens,
    scopes: createScopes(["__builtin_va_list"]),
    at: 0,
    parenthesis: { open: -1, end: -1 },
  };
}

export function wordAt(p: Parser, token = p.at): string {
  return p.tokens.texts[token] ?? "";
}

export function kindAt(p: Parser, token = p.at): TokenKind {
  return p.tokens.kinds[token] ?? TokenKind.end;
}

/** The role of a reserved word; undefined for every other token. */
export function roleAt(p: Parser, token = p.at): KeywordRole | undefined {
  return kindAt(p, token) === TokenKind.identifier ? keywordRole(wordAt(p, token)) : undefined;
}

export function isPunctuator(p: Parser, text: string, token = p.at): boolean {
  return kindAt(p, token) === TokenKind.punctuator && wordAt(p, token) === text;
}

/** A name: an identifier that is not reserved. */
export function isName(p: Parser, token = p.at): boolean {
  return kindAt(p, token) === TokenKind.identifier && keywordRole(wordAt(p, token)) === undefined;
}

export function isTypedefName(p: Parser, token = p.at): boolean {
  return isName(p, token) && p.scopes.isTypedef(wordAt(p, token));
}

/** Does a type name or a declaration start here? */
export function isTypeStart(p: Parser, token = p.at): boolean {
  if (kindAt(p, token) !== TokenKind.identifier) return false;
  const word = wordAt(p, token);
  const role = keywordRole(word);
  if (role === undefined) return p.scopes.isTypedef(word);
  if (word === "__extension__") return isTypeStart(p, token + 1);
  return startsSpecifiers(role);
}

/** Moves over the punctuator if it comes next. */
export function take(p: Parser, text: string): boolean {
  const found = isPunctuator(p, text);
  if (found) p.at++;
  return found;
}

export function expect(p: Parser, text: string, where: string): void {
  if (!take(p, text)) fail(p, `expected '${text}' ${where}`);
}

/** Moves over a balanced parenthesis. */
export function skipParentheses(p: Parser): void {
  const open = p.at;
  if (!isPunctuator(p, "(")) fail(p, "expected '('");
  let depth = 0;
  do {
    if (kindAt(p) === TokenKind.end) fail(p, "expected ')' for this parenthesis", open);
    if (isPunctuator(p, "(")) depth++;
    else if (isPunctuator(p, ")")) depth--;
    p.at++;
  } while (depth > 0);
}

/** The place of the tokens from `first` to `last`, by default the one before the current token. */
export function rangeOf(p: Parser, first: number, last = p.at - 1): SourceRange {
  return p.tokens.rangeOf(first, last);
}

/** A syntax error at a token, by default the current one. */
export function fail(p: Parser, message: string, token = p.at, help?: string): never {
  const at = Math.min(token, p.tokens.kinds.length - 1);
  const found = kindAt(p, at) === TokenKind.end ? "the end of the file" : `'${shorten(wordAt(p, at))}'`;
  throw new TracefoldError({ code: "TF103", message: `${message}, found ${found}`, range: rangeOf(p, at, at), help });
}

export function unsupported(p: Parser, message: string, first: number, last: number): never {
  throw new TracefoldError({ code: "TF201", message, range: rangeOf(p, first, last) });
}

/** Refuses `foo_t x` and `(foo_t *)` if nothing declares `foo_t`: a message about the `x` would help less. */
export function refuseUnknownType(p: Parser, token = p.at): void {
  if (p.scopes.isDeclared(wordAt(p, token))) return;
  let next = token + 1;
  while (isPunctuator(p, "*", next)) next++;
  // `a * b` may be a product of names that nobody declared; `a b` and `a *)` may not.
  const isType = next === token + 1 ? isName(p, next) : isPunctuator(p, ")", next);
  if (isType) failUnknownType(p, token);
}

export function failUnknownType(p: Parser, token = p.at): never {
  const help = `Nothing declares '${wordAt(p, token)}' as a type here: include the header that does, or define it with -D.`;
  fail(p, "expected a type name", token, help);
}
