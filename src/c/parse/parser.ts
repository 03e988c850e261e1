import { nth, present } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { shorten, type Tokens } from "../preprocess/tokens.ts";

/** The state that the parsing functions share, one per translation unit. */
export type Parser = {
  readonly tokens: Tokens;
  readonly scopes: Scopes;
  at: number;
  /** The last expression in parentheses: its opening token, and the token after it. */
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

export function isTypeStart(p: Parser, token = p.at): boolean {
  if (kindAt(p, token) !== TokenKind.identifier) return false;
  const word = wordAt(p, token);
  const role = keywordRole(word);
  if (role === undefined) return p.scopes.isTypedef(word);
  if (word === "__extension__") return isTypeStart(p, token + 1);
  return startsSpecifiers(role);
}

/** Skips the punctuator if it comes next. */
export function take(p: Parser, text: string): boolean {
  const found = isPunctuator(p, text);
  if (found) p.at++;
  return found;
}

export function expect(p: Parser, text: string, where: string): void {
  if (!take(p, text)) fail(p, `expected '${text}' ${where}`);
}

/** Skips a balanced parenthesis. */
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

/** The range of the tokens from `first` to `last`, by default the one before the current token. */
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

/** Refuses `foo_t x` and `(foo_t *)` if `foo_t` is undeclared: a message about `x` would help less. */
export function refuseUnknownType(p: Parser, token = p.at): void {
  if (p.scopes.isDeclared(wordAt(p, token))) return;
  let next = token + 1;
  while (isPunctuator(p, "*", next)) next++;
  // `a * b` may be a product of undeclared names; `a b` and `a *)` may not.
  const isType = next === token + 1 ? isName(p, next) : isPunctuator(p, ")", next);
  if (isType) failUnknownType(p, token);
}

export function failUnknownType(p: Parser, token = p.at): never {
  const help = `Nothing declares '${wordAt(p, token)}' as a type here: include the header that does, or define it with -D.`;
  fail(p, "expected a type name", token, help);
}

/** Which names are typedef names, by scope: C cannot be parsed without this. */
export type Scopes = {
  push: (names?: ReadonlyMap<string, boolean>) => void;
  /** Leaves the innermost scope and returns its declarations: a function's body starts with its parameters. */
  pop: () => ReadonlyMap<string, boolean>;
  declare: (name: string, isTypedef: boolean) => void;
  isTypedef: (name: string) => boolean;
  isDeclared: (name: string) => boolean;
  /** The number of open scopes. */
  depth: () => number;
};

export function createScopes(predefined: readonly string[]): Scopes {
  const stack: Map<string, boolean>[] = [new Map(predefined.map((name) => [name, true]))];
  const find = (name: string): boolean | undefined => {
    for (let depth = stack.length - 1; depth >= 0; depth--) {
      const scope = nth(stack, depth);
      if (scope.size === 0) continue;
      const found = scope.get(name);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    push: (names) => stack.push(new Map(names)),
    pop: () => present(stack.pop()),
    declare: (name, isTypedef) => nth(stack, stack.length - 1).set(name, isTypedef),
    isTypedef: (name) => find(name) === true,
    isDeclared: (name) => find(name) !== undefined,
    depth: () => stack.length,
  };
}

/** The role of each reserved word. A word that is not listed is a name. */
const WORDS = {
  storage: "typedef extern static auto register",
  basic:
    "void char int float double short long unsigned signed __signed __signed__ _Bool __auto_type " +
    "_Complex __complex __complex__ __int128 __int128_t __uint128_t __float128 __int8 __int16 __int32 __int64 " +
    "_Float16 _Float32 _Float64 _Float128 _Float32x _Float64x _Decimal32 _Decimal64",
  // Microsoft's calling conventions and pointer sizes do not change the meaning of a program.
  qualifier:
    "const __const __const__ volatile __volatile __volatile__ restrict __restrict __restrict__ __extension__ " +
    "_Atomic __cdecl _cdecl __stdcall _stdcall __fastcall __w64 __ptr32 __ptr64 _Nonnull _Nullable",
  inline: "inline __inline __inline__ __forceinline",
  noreturn: "_Noreturn",
  threadLocal: "_Thread_local __thread",
  record: "struct union",
  enum: "enum",
  typeof: "typeof __typeof __typeof__",
  attribute: "__attribute__ __attribute",
  declspec: "__declspec",
  alignas: "_Alignas",
  staticAssert: "_Static_assert",
  asm: "asm __asm __asm__",
  sizeof: "sizeof",
  alignof: "_Alignof __alignof __alignof__",
  complexPart: "__real__ __imag__ __real __imag",
  generic: "_Generic",
  localLabel: "__label__",
  statement: "if else while do for switch case default return goto break continue",
} as const;

export type KeywordRole = keyof typeof WORDS;

const ROLES: ReadonlyMap<string, KeywordRole> = new Map(
  (Object.keys(WORDS) as KeywordRole[]).flatMap((role) => WORDS[role].split(" ").map((word) => [word, role] as const)),
);

export function keywordRole(word: string): KeywordRole | undefined {
  return ROLES.get(word);
}

/** The roles of words that may start a declaration. */
const SPECIFIERS: ReadonlySet<KeywordRole> = new Set([
  "storage",
  "basic",
  "qualifier",
  "inline",
  "noreturn",
  "threadLocal",
  "record",
  "enum",
  "typeof",
  "attribute",
  "declspec",
  "alignas",
]);

export function startsSpecifiers(role: KeywordRole): boolean {
  return SPECIFIERS.has(role);
}

/** Other spellings of basic types. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["__signed", ["signed"]],
  ["__signed__", ["signed"]],
  ["__complex", ["_Complex"]],
  ["__complex__", ["_Complex"]],
  ["__int128_t", ["__int128"]],
  ["__uint128_t", ["__int128", "unsigned"]],
  ["__float128", ["_Float128"]],
  ["__int8", ["char"]],
  ["__int16", ["short"]],
  ["__int32", ["int"]],
  ["__int64", ["long", "long"]],
]);

export function basicWords(word: string): readonly string[] {
  return SPELLINGS.get(word) ?? [word];
}
