import type { Attribute, Declarator, ParameterDeclaration, Qualifiers, TypeName } from "../ast.ts";
import { parseAssignment } from "./parseExpressions.ts";
import {
  expect,
  fail,
  failUnknownType,
  isName,
  isPunctuator,
  isTypeStart,
  type Parser,
  rangeOf,
  roleAt,
  take,
  wordAt,
} from "./parser.ts";
import { type ParsedSpecifiers, parseAttributes, parseSpecifiers } from "./parseSpecifiers.ts";

/** A parameter may have a name or not; a type name has none. */
export type DeclaratorPlace = "named" | "parameter" | "abstract";

export type ParsedDeclarator = {
  readonly declarator: Declarator;
  /** The tokens that it covers, with its parentheses and without attributes. */
  readonly first: number;
  readonly last: number;
};

type Function = { readonly names: ReadonlyMap<string, boolean>; readonly oldStyle: boolean };

export type NamedDeclarator = ParsedDeclarator & {
  readonly nameToken: number;
  /** The names that the parameters declare, if the declared thing is a function. */
  readonly function: Function | null;
};

type Draft = {
  readonly place: DeclaratorPlace;
  readonly attributes: Attribute[];
  nameToken: number | null;
  function: Function | null;
};

/** A declarator with a name. Attributes anywhere in it go to `attributes`. */
export function parseNamedDeclarator(p: Parser, attributes: Attribute[]): NamedDeclarator {
  const draft: Draft = { place: "named", attributes, nameToken: null, function: null };
  const part = parsePart(p, draft);
  if (part === null || draft.nameToken === null) return fail(p, "expected a name");
  return { ...part, nameToken: draft.nameToken, function: draft.function };
}

export function parseTypeName(p: Parser): TypeName {
  const start = parseSpecifiers(p);
  return { kind: "typeName", ...parseUnnamed(p, start, "abstract") };
}

function parseUnnamed(p: Parser, { specifiers, attributes, first, last }: ParsedSpecifiers, place: DeclaratorPlace) {
  const draft: Draft = { place, attributes, nameToken: null, function: null };
  const part = parsePart(p, draft);
  if (place === "parameter") {
    parseAttributes(p, attributes);
    if (draft.nameToken !== null) p.scopes.declare(wordAt(p, draft.nameToken), false);
  }
  const declarator = part?.declarator ?? namelessBehind(p, last);
  return { specifiers, declarator, range: rangeOf(p, first, part?.last ?? last) };
}

function namelessBefore(p: Parser, token: number): Declarator {
  const { file, line, column } = rangeOf(p, token, token);
  return { kind: "name", name: null, range: { file, line, column, endLine: line, endColumn: column } };
}

function namelessBehind(p: Parser, token: number): Declarator {
  const { file, endLine, endColumn } = rangeOf(p, token, token);
  return { kind: "name", name: null, range: { file, line: endLine, column: endColumn, endLine, endColumn } };
}

/** A declarator or the inside of one in parentheses; null if it is empty. */
function parsePart(p: Parser, draft: Draft): ParsedDeclarator | null {
  parseAttributes(p, draft.attributes);
  const stars: { readonly star: number; readonly qualifiers: Qualifiers }[] = [];
  while (isPunctuator(p, "*")) {
    const star = p.at++;
    while (roleAt(p) === "threadLocal") p.at++;
    stars.push({ star, qualifiers: parseAttributes(p, draft.attributes) });
  }
  let part = parseSuffixes(p, draft, parseDirect(p, draft));
  for (const { star, qualifiers } of stars.reverse()) {
    const of = part?.declarator ?? namelessBefore(p, star);
    const last: number = part?.last ?? star;
    part = { declarator: { kind: "pointer", of, ...qualifiers, range: rangeOf(p, star, last) }, first: star, last };
  }
  return part;
}

/** A name or a parenthesis. Parentheses matter only around a pointer. */
function parseDirect(p: Parser, draft: Draft): ParsedDeclarator | null {
  if (draft.place !== "abstract" && isName(p)) {
    const token = p.at++;
    draft.nameToken = token;
    const declarator: Declarator = { kind: "name", name: wordAt(p, token), range: rangeOf(p, token) };
    return { declarator, first: token, last: token };
  }
  if (!isPunctuator(p, "(") || startsParameters(p, draft.place)) return null;
  const open = p.at++;
  parseAttributes(p, draft.attributes);
  const isPointer = isPunctuator(p, "*");
  const inner = parsePart(p, draft);
  expect(p, ")", "in a declarator");
  return isPointer && inner !== null ? { ...inner, first: open, last: p.at - 1 } : inner;
}

/** After a type without a name, `(` opens a parameter list if it is empty or a type follows (C11 6.7.6.3 p11). */
function startsParameters(p: Parser, place: DeclaratorPlace): boolean {
  if (place === "named") return false;
  if (isPunctuator(p, ")", p.at + 1) || isPunctuator(p, "...", p.at + 1)) return true;
  // `(__attribute__((x)) *)` and `(const *)` are declarators, not parameters.
  let at = p.at + 1;
  while (roleAt(p, at) === "qualifier") at++;
  return roleAt(p, at) !== "attribute" && isTypeStart(p, at);
}

function parseSuffixes(p: Parser, draft: Draft, direct: ParsedDeclarator | null): ParsedDeclarator | null {
  let part = direct;
  for (;;) {
    const open = p.at;
    const of = part?.declarator ?? namelessBefore(p, open);
    const first: number = part?.first ?? open;
    if (take(p, "[")) {
      const length = parseLength(p);
      part = { declarator: { kind: "array", of, length, range: rangeOf(p, first) }, first, last: p.at - 1 };
    } else if (take(p, "(")) {
      const { names, oldStyle, ...list } = parseParameters(p);
      if (part?.declarator.kind === "name") draft.function = { names, oldStyle };
      part = { declarator: { kind: "function", of, ...list, range: rangeOf(p, first) }, first, last: p.at - 1 };
    } else {
      parseAttributes(p, draft.attributes);
      if (p.at === open || !(isPunctuator(p, "[") || isPunctuator(p, "("))) return part;
    }
  }
}

/** The length of an array: `3]`, `static 3]`, `const]`, `*]`. */
function parseLength(p: Parser) {
  while (roleAt(p) === "qualifier" || wordAt(p) === "static") p.at++;
  if (isPunctuator(p, "*") && isPunctuator(p, "]", p.at + 1)) p.at++;
  const length = isPunctuator(p, "]") ? null : parseAssignment(p);
  expect(p, "]", "after an array's length");
  return length;
}

function parseParameters(p: Parser) {
  p.scopes.push();
  const parameters: ParameterDeclaration[] = [];
  const oldStyle = isName(p) && !isTypeStart(p);
  const identifiers = oldStyle ? parseIdentifiers(p) : [];
  const unprototyped = isPunctuator(p, ")") && !oldStyle;
  let variadic = false;
  if (!oldStyle && !unprototyped) {
    do {
      variadic = take(p, "...");
      if (!variadic) parameters.push(parseParameter(p));
    } while (!variadic && take(p, ","));
  }
  expect(p, ")", "after the parameters");
  if (!variadic && parameters.length === 1 && isVoid(parameters[0])) parameters.pop();
  return { parameters, variadic, unprototyped, identifiers, oldStyle, names: p.scopes.pop() };
}

function isVoid(parameter: ParameterDeclaration | undefined): boolean {
  if (parameter?.declarator.kind !== "name" || parameter.declarator.name !== null) return false;
  const { type } = parameter.specifiers;
  return type.kind === "basic" && type.words.length === 1 && type.words[0] === "void";
}

function parseParameter(p: Parser): ParameterDeclaration {
  if (!isTypeStart(p)) {
    if (isName(p)) failUnknownType(p);
    fail(p, "expected the type of a parameter");
  }
  return parseUnnamed(p, parseSpecifiers(p), "parameter");
}

/** The names of a K&R definition: `a, b`. */
function parseIdentifiers(p: Parser): string[] {
  const first = p.at;
  const identifiers: string[] = [];
  do {
    // `f(foo_t, int)` starts like a K&R list.
    if (isTypeStart(p) && !isName(p)) failUnknownType(p, first);
    if (!isName(p)) fail(p, "expected the name of a parameter");
    const name = wordAt(p, p.at++);
    p.scopes.declare(name, false);
    identifiers.push(name);
  } while (take(p, ","));
  return identifiers;
}
