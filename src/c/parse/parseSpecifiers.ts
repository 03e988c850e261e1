import type {
  Attribute,
  Enumerator,
  Expr,
  Qualifiers,
  Specifiers,
  StorageClass,
  TypeName,
  TypeSpecifier,
} from "../ast.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseFields } from "./parseDeclarations.ts";
import { parseTypeName } from "./parseDeclarators.ts";
import { parseAssignment, parseExpression } from "./parseExpressions.ts";
import {
  basicWords,
  expect,
  fail,
  failUnknownType,
  isName,
  isPunctuator,
  isTypedefName,
  isTypeStart,
  kindAt,
  type Parser,
  rangeOf,
  roleAt,
  skipParentheses,
  take,
  wordAt,
} from "./parser.ts";

export type ParsedSpecifiers = {
  readonly specifiers: Specifiers;
  /** Attributes of the specifiers; the declarators' are added. */
  readonly attributes: Attribute[];
  readonly first: number;
  readonly last: number;
};

type Draft = {
  storage: StorageClass | null;
  inline: boolean;
  isConst: boolean;
  isVolatile: boolean;
  readonly unsupported: Specifiers["unsupported"][number][];
  type: TypeSpecifier | null;
  /** The words of a basic type, and the range of tokens that they span. */
  readonly words: string[];
  firstWord: number;
  lastWord: number;
  readonly attributes: Attribute[];
};

/** Declaration specifiers in any order. Without a type the type is C89's implicit int. */
export function parseSpecifiers(p: Parser): ParsedSpecifiers {
  const first = p.at;
  const attributes: Attribute[] = [];
  const draft: Draft = {
    storage: null,
    inline: false,
    isConst: false,
    isVolatile: false,
    unsupported: [],
    type: null,
    words: [],
    firstWord: -1,
    lastWord: -1,
    attributes,
  };
  while (parseSpecifier(p, draft));
  const last = Math.max(first, p.at - 1);
  const { storage, inline, isConst, isVolatile, unsupported } = draft;
  const type = draft.type ?? basicType(p, draft);
  const specifiers = {
    ...{ storage, inline, isConst, isVolatile, unsupported, type, attributes },
    range: rangeOf(p, first, last),
  };
  return { specifiers, attributes, first, last };
}

function basicType(p: Parser, { words, firstWord, lastWord }: Draft): TypeSpecifier {
  if (words.length === 0) refuseUnknownTypeOfDeclaration(p);
  const range = words.length === 0 ? rangeOf(p, p.at, p.at) : rangeOf(p, firstWord, lastWord);
  return { kind: "basic", words: words.toSorted(), range };
}

/** At file scope and after a storage class, `foo_t *x` can only be a declaration. */
function refuseUnknownTypeOfDeclaration(p: Parser): void {
  if (!isName(p) || p.scopes.isDeclared(wordAt(p))) return;
  let next = p.at + 1;
  while (isPunctuator(p, "*", next)) next++;
  if (isName(p, next)) failUnknownType(p);
}

function note(qualifiers: { -readonly [K in keyof Qualifiers]: Qualifiers[K] }, word: string): void {
  if (/^(__)?const(__)?$/.test(word)) qualifiers.isConst = true;
  if (/^(__)?volatile(__)?$/.test(word)) qualifiers.isVolatile = true;
}

/** Reads one specifier, if the current token starts one. */
function parseSpecifier(p: Parser, draft: Draft): boolean {
  if (kindAt(p) !== TokenKind.identifier) return false;
  const first = p.at;
  const word = wordAt(p);
  const role = roleAt(p);
  switch (role) {
    case undefined:
      if (draft.type !== null || draft.words.length > 0 || !isTypedefName(p)) return false;
      p.at++;
      draft.type = { kind: "typedefName", name: word, range: rangeOf(p, first) };
      return true;
    case "storage":
      if (draft.storage !== null && draft.storage !== word) fail(p, "two storage classes in one declaration");
      draft.storage = word as StorageClass;
      p.at++;
      return true;
    case "basic":
      if (draft.type !== null) fail(p, "two types in one declaration");
      if (draft.words.length === 0) draft.firstWord = first;
      draft.words.push(...basicWords(word));
      draft.lastWord = p.at++;
      return true;
    case "qualifier":
      if (word === "_Atomic" && isPunctuator(p, "(", first + 1)) setType(p, draft, parseTypeof);
      else p.at++;
      note(draft, word);
      return true;
    case "inline":
      draft.inline = true;
      p.at++;
      return true;
    case "noreturn":
      p.at++;
      draft.attributes.push({ name: "noreturn", arguments: [], range: rangeOf(p, first) });
      return true;
    case "threadLocal":
      p.at++;
      draft.unsupported.push({ word, range: rangeOf(p, first) });
      return true;
    case "record":
      setType(p, draft, parseRecord);
      return true;
    case "enum":
      setType(p, draft, () => parseEnum(p, draft.attributes));
      return true;
    case "typeof":
      setType(p, draft, parseTypeof);
      return true;
    case "attribute":
    case "declspec":
      parseAttributes(p, draft.attributes);
      return true;
    case "alignas": {
      p.at++;
      const operand = parseOperand(p, "_Alignas", parseAssignment);
      draft.attributes.push(attribute("aligned", operand, rangeOf(p, first)));
      return true;
    }
    default:
      return false;
  }
}

function setType(p: Parser, draft: Draft, parse: (p: Parser) => TypeSpecifier): void {
  if (draft.type !== null || draft.words.length > 0) fail(p, "two types in one declaration");
  draft.type = parse(p);
}

function parseTypeof(p: Parser): TypeSpecifier {
  const first = p.at++;
  const operand = parseOperand(p, "typeof", parseExpression);
  return { kind: "typeof", operand, range: rangeOf(p, first) };
}

/** A type or an expression in parentheses. */
function parseOperand(p: Parser, after: string, parse: (p: Parser) => Expr): Expr | TypeName {
  expect(p, "(", `after ${after}`);
  const operand = isTypeStart(p) ? parseTypeName(p) : parse(p);
  expect(p, ")", `after ${after}`);
  return operand;
}

function parseRecord(p: Parser): TypeSpecifier {
  const first = p.at++;
  const union = wordAt(p, first) === "union";
  const attributes: Attribute[] = [];
  const { tag, last } = parseTag(p, attributes);
  if (!isPunctuator(p, "{")) {
    return { kind: "struct", union, tag, fields: null, attributes, range: rangeOf(p, first, last) };
  }
  const fields = parseFields(p);
  const range = rangeOf(p, first);
  parseAttributes(p, attributes);
  return { kind: "struct", union, tag, fields, attributes, range };
}

/** The tag of a struct, union or enum, and the last token up to it. */
function parseTag(p: Parser, attributes: Attribute[]): { tag: string | null; last: number } {
  parseAttributes(p, attributes);
  if (!isName(p)) {
    if (!isPunctuator(p, "{")) fail(p, "expected a tag or '{'");
    return { tag: null, last: p.at };
  }
  const last = p.at++;
  parseAttributes(p, attributes);
  return { tag: wordAt(p, last), last };
}

function parseEnum(p: Parser, attributes: Attribute[]): TypeSpecifier {
  const first = p.at++;
  const { tag, last } = parseTag(p, attributes);
  if (!take(p, "{")) return { kind: "enum", tag, enumerators: null, range: rangeOf(p, first, last) };
  const enumerators: Enumerator[] = [];
  while (!isPunctuator(p, "}")) {
    enumerators.push(parseEnumerator(p));
    if (!take(p, ",")) break;
  }
  expect(p, "}", "after the enumerators");
  const range = rangeOf(p, first);
  parseAttributes(p, attributes);
  return { kind: "enum", tag, enumerators, range };
}

function parseEnumerator(p: Parser): Enumerator {
  if (!isName(p)) fail(p, "expected the name of an enumerator");
  const first = p.at++;
  const name = wordAt(p, first);
  parseAttributes(p, []);
  const value = take(p, "=") ? parseAssignment(p) : null;
  p.scopes.declare(name, false);
  return { name, value, range: rangeOf(p, first, value === null ? first : p.at - 1) };
}

/** Attributes whose argument changes a type. The arguments of others are dropped. */
const WITH_ARGUMENT: ReadonlySet<string> = new Set(["aligned", "vector_size"]);

/** Reads the attributes, `asm("symbol")` labels and qualifiers between the parts of a declaration. */
export function parseAttributes(p: Parser, into: Attribute[]): Qualifiers {
  const qualifiers = { isConst: false, isVolatile: false };
  for (;;) {
    switch (roleAt(p)) {
      case "attribute":
        p.at++;
        expect(p, "(", "after an attribute");
        parseAttributeList(p, into);
        expect(p, ")", "after an attribute");
        break;
      case "declspec":
        p.at++;
        parseAttributeList(p, into);
        break;
      case "asm":
        p.at++;
        skipParentheses(p);
        break;
      case "qualifier":
        note(qualifiers, wordAt(p));
        p.at++;
        break;
      default:
        return qualifiers;
    }
  }
}

function parseAttributeList(p: Parser, into: Attribute[]): void {
  expect(p, "(", "after an attribute");
  while (!isPunctuator(p, ")")) {
    if (take(p, ",")) continue;
    if (kindAt(p) !== TokenKind.identifier) fail(p, "expected the name of an attribute");
    const first = p.at++;
    const name = wordAt(p, first).replace(/^__(.+)__$/, "$1");
    const hasArgument = WITH_ARGUMENT.has(name) && isPunctuator(p, "(") && !isPunctuator(p, ")", p.at + 1);
    const operand = hasArgument ? parseOperand(p, "an attribute's argument", parseAssignment) : null;
    if (operand === null && isPunctuator(p, "(")) skipParentheses(p);
    into.push(attribute(name, operand, rangeOf(p, first)));
  }
  p.at++;
}

/** A type as argument means its alignment. */
function attribute(name: string, operand: Expr | TypeName | null, range: Attribute["range"]): Attribute {
  if (operand === null) return { name, arguments: [], range };
  return { name, arguments: [operand.kind === "typeName" ? { kind: "alignof", operand, range } : operand], range };
}
