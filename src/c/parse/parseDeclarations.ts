import type {
  Declaration,
  Designator,
  ExternalItem,
  FunctionDefinition,
  InitDeclarator,
  Initializer,
  InitializerItem,
  StaticAssert,
} from "../ast.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { type NamedDeclarator, parseNamedDeclarator } from "./parseDeclarators.ts";
import { parseAssignment } from "./parseExpressions.ts";
import {
  expect,
  fail,
  failUnknownType,
  isName,
  isPunctuator,
  isTypeStart,
  kindAt,
  type Parser,
  rangeOf,
  roleAt,
  skipParentheses,
  take,
  unsupported,
  wordAt,
} from "./parser.ts";
import { type ParsedSpecifiers, parseAttributes, parseSpecifiers } from "./parseSpecifiers.ts";
import { parseBlock } from "./parseStatements.ts";

/** One item at file scope, or the items of `extern "C" { ... }`. */
export function parseExternal(p: Parser, into: ExternalItem[]): void {
  if (take(p, ";")) return;
  if (wordAt(p) === "__extension__") {
    p.at++;
    return;
  }
  if (wordAt(p) === "extern" && kindAt(p, p.at + 1) === TokenKind.string) return parseLinkage(p, into);
  const role = roleAt(p);
  if (role === "staticAssert") {
    into.push(parseStaticAssert(p));
    return;
  }
  if (role === "asm") {
    const first = p.at++;
    skipParentheses(p);
    unsupported(p, "inline assembly is not supported", first, p.at - 1);
  }
  const starts = isTypeStart(p) || isName(p) || isPunctuator(p, "*") || isPunctuator(p, "(");
  if (!starts) fail(p, "expected a declaration or a function");
  const start = parseSpecifiers(p);
  if (take(p, ";")) {
    into.push(bareDeclaration(start));
    return;
  }
  const declared = parseDeclared(p, start);
  into.push(startsBody(p, declared) ? parseFunction(p, start, declared) : parseDeclarators(p, start, declared));
}

/** `extern "C"` of headers shared with C++ has no meaning in C. */
function parseLinkage(p: Parser, into: ExternalItem[]): void {
  p.at += 2;
  if (!take(p, "{")) return parseExternal(p, into);
  while (!take(p, "}")) {
    if (kindAt(p) === TokenKind.end) fail(p, "expected '}'");
    parseExternal(p, into);
  }
}

/** A declaration in a block, in the head of a `for`, or of the parameters of a K&R function. */
export function parseDeclaration(p: Parser): Declaration {
  const start = parseSpecifiers(p);
  if (take(p, ";")) return bareDeclaration(start);
  const declared = parseDeclared(p, start);
  if (isPunctuator(p, "{") && declared.function !== null) {
    unsupported(p, "nested functions are not supported", start.first, declared.nameToken);
  }
  return parseDeclarators(p, start, declared);
}

/** `struct s { ... };` declares a type and nothing else. */
function bareDeclaration({ specifiers }: ParsedSpecifiers): Declaration {
  return { kind: "declaration", specifiers, declarators: [], range: specifiers.range };
}

function parseDeclared(p: Parser, { specifiers, attributes }: ParsedSpecifiers): NamedDeclarator {
  const declared = parseNamedDeclarator(p, attributes);
  parseAttributes(p, attributes);
  p.scopes.declare(wordAt(p, declared.nameToken), specifiers.storage === "typedef");
  return declared;
}

function parseDeclarators(p: Parser, start: ParsedSpecifiers, first: NamedDeclarator): Declaration {
  const { specifiers, attributes } = start;
  const declarators: InitDeclarator[] = [];
  for (let declared = first; ; declared = parseDeclared(p, start)) {
    const { declarator } = declared;
    const initializer = take(p, "=") ? parseInitializer(p) : null;
    const range = initializer === null ? declarator.range : rangeOf(p, declared.first);
    declarators.push({ declarator, initializer, bitWidth: null, range });
    parseAttributes(p, attributes);
    if (!take(p, ",")) break;
    parseAttributes(p, attributes);
  }
  expect(p, ";", "after a declaration");
  return { kind: "declaration", specifiers, declarators, range: rangeOf(p, start.first) };
}

function startsBody(p: Parser, { function: signature }: NamedDeclarator): boolean {
  return signature !== null && (isPunctuator(p, "{") || (signature.oldStyle && isTypeStart(p)));
}

function parseFunction(p: Parser, start: ParsedSpecifiers, declared: NamedDeclarator): FunctionDefinition {
  p.scopes.push(declared.function?.names);
  const parameterDeclarations: Declaration[] = [];
  while (!isPunctuator(p, "{")) {
    if (!isTypeStart(p)) fail(p, "expected the body of the function");
    parameterDeclarations.push(parseDeclaration(p));
  }
  const body = parseBlock(p);
  p.scopes.pop();
  const { specifiers, first } = start;
  const { declarator } = declared;
  return { kind: "functionDefinition", specifiers, declarator, parameterDeclarations, body, range: rangeOf(p, first) };
}

export function parseStaticAssert(p: Parser): StaticAssert {
  p.at++;
  expect(p, "(", "after _Static_assert");
  const condition = parseAssignment(p);
  if (take(p, ",")) while (kindAt(p) === TokenKind.string) p.at++;
  expect(p, ")", "after _Static_assert");
  expect(p, ";", "after _Static_assert");
  return { kind: "staticAssert", condition, range: condition.range };
}

/** The members of a struct or union, with the braces. */
export function parseFields(p: Parser): Declaration[] {
  const fields: Declaration[] = [];
  p.at++;
  while (!take(p, "}")) {
    if (take(p, ";")) continue;
    if (roleAt(p) === "staticAssert") parseStaticAssert(p);
    else fields.push(parseField(p));
  }
  return fields;
}

function parseField(p: Parser): Declaration {
  if (!isTypeStart(p)) {
    if (isName(p)) failUnknownType(p);
    fail(p, "expected a member declaration");
  }
  const { specifiers, attributes, first } = parseSpecifiers(p);
  const declarators: InitDeclarator[] = [];
  while (!isPunctuator(p, ";")) {
    declarators.push(parseFieldDeclarator(p, attributes));
    parseAttributes(p, attributes);
    if (!take(p, ",")) break;
    parseAttributes(p, attributes);
    if (isPunctuator(p, ";")) fail(p, "expected a name");
  }
  expect(p, ";", "after a member");
  return { kind: "declaration", specifiers, declarators, range: rangeOf(p, first) };
}

function parseFieldDeclarator(p: Parser, attributes: ParsedSpecifiers["attributes"]): InitDeclarator {
  // An anonymous bit-field has no declarator: its place is the ':'.
  const declarator = isPunctuator(p, ":")
    ? ({ kind: "name", name: null, range: rangeOf(p, p.at, p.at) } as const)
    : parseNamedDeclarator(p, attributes).declarator;
  parseAttributes(p, attributes);
  if (!take(p, ":")) return { declarator, initializer: null, bitWidth: null, range: declarator.range };
  const bitWidth = parseAssignment(p);
  const { endLine, endColumn } = bitWidth.range;
  return { declarator, initializer: null, bitWidth, range: { ...declarator.range, endLine, endColumn } };
}

export function parseInitializer(p: Parser): Initializer {
  const first = p.at;
  if (!take(p, "{")) {
    const value = parseAssignment(p);
    return { kind: "expression", value, range: value.range };
  }
  const items: InitializerItem[] = [];
  while (!isPunctuator(p, "}")) {
    const designators = parseDesignators(p);
    items.push({ designators, value: parseInitializer(p) });
    if (!take(p, ",")) break;
  }
  expect(p, "}", "after the initialiser");
  return { kind: "list", items, range: rangeOf(p, first) };
}

/** `.a[2].b =`, and the two older GNU forms `a:` and `[2]` without a `=`. */
function parseDesignators(p: Parser): Designator[] {
  const designators: Designator[] = [];
  if (isName(p) && isPunctuator(p, ":", p.at + 1)) {
    designators.push({ kind: "field", name: wordAt(p), range: rangeOf(p, p.at, p.at) });
    p.at += 2;
    return designators;
  }
  for (;;) {
    const first = p.at;
    if (take(p, ".")) {
      if (kindAt(p) !== TokenKind.identifier) fail(p, "expected a member name");
      const name = wordAt(p, p.at++);
      designators.push({ kind: "field", name, range: rangeOf(p, first) });
    } else if (take(p, "[")) {
      const from = parseAssignment(p);
      const to = take(p, "...") ? parseAssignment(p) : null;
      expect(p, "]", "after a designator");
      designators.push({ kind: "index", from, to, range: rangeOf(p, first) });
    } else break;
  }
  if (designators.length > 0) take(p, "=");
  return designators;
}
