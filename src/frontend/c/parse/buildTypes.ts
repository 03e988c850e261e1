import { Defect } from "../../../base/errors.ts";
import type {
  Attribute,
  Declaration,
  Enumerator,
  Expr,
  InitDeclarator,
  Specifiers,
  TypeName,
  TypeSpecifier,
} from "../ast.ts";
import { buildDeclarator, namelessDeclarator } from "./buildDeclarators.ts";
import { buildExpression } from "./buildExpressions.ts";
import {
  type Builder,
  children,
  firstToken,
  lastToken,
  onlyChild,
  rangeOf,
  rangeOfTokens,
  typeOf,
  unexpected,
  word,
} from "./builder.ts";
import type { AttributeDraft, SpecifierDraft } from "./outliner.ts";

export function buildTypeName(b: Builder, node: number): TypeName {
  const [type, declarator] = children(b, node);
  const specifiers = buildSpecifiers(b, type!);
  const draft = draftOf(b, type!);
  const last = declarator === undefined ? draft.lastToken : lastToken(b, declarator);
  return {
    kind: "typeName",
    specifiers,
    declarator: declarator === undefined ? namelessDeclarator(b, draft.lastToken) : buildDeclarator(b, declarator),
    range: rangeOfTokens(b, draft.firstToken, last),
  };
}

export function draftOf(b: Builder, typeNode: number): SpecifierDraft {
  const draft = b.specifiers.get(firstToken(b, typeNode));
  if (draft === undefined) throw new Defect(`no specifiers for the type '${word(b, firstToken(b, typeNode))}'`);
  return draft;
}

export function buildSpecifiers(b: Builder, typeNode: number): Specifiers {
  const draft = draftOf(b, typeNode);
  return {
    storage: draft.storage,
    inline: draft.inline,
    unsupported: draft.unsupported,
    type: buildTypeSpecifier(b, typeNode, draft),
    attributes: buildAttributes(b, draft.attributes),
    range: rangeOfTokens(b, draft.firstToken, draft.lastToken),
  };
}

function buildTypeSpecifier(b: Builder, node: number, draft: SpecifierDraft): TypeSpecifier {
  const range = rangeOfTokens(b, draft.typeToken, draft.lastTypeToken);
  const name = draft.nameToken === null ? null : word(b, draft.nameToken);
  const body = children(b, node).find((child) => typeOf(b, child).endsWith("_list"));
  switch (draft.type) {
    case "none":
    case "basic":
      return { kind: "basic", words: draft.words.toSorted(), range };
    case "typedefName":
      return { kind: "typedefName", name: name!, range };
    case "typeof":
      return { kind: "typeof", operand: buildOperand(b, draft.operand!), range };
    case "record": {
      const fields = body === undefined ? null : buildFields(b, body);
      const attributes = buildAttributes(b, draft.recordAttributes);
      return { kind: "struct", union: draft.union, tag: name, fields, attributes, range };
    }
    case "enum": {
      const enumerators = body === undefined ? null : children(b, body).map((child) => buildEnumerator(b, child));
      return { kind: "enum", tag: name, enumerators, range };
    }
  }
}

function buildEnumerator(b: Builder, node: number): Enumerator {
  const [name, value] = children(b, node);
  return {
    name: word(b, firstToken(b, name!)),
    value: value === undefined ? null : buildExpression(b, value),
    range: rangeOf(b, node),
  };
}

function buildFields(b: Builder, list: number): Declaration[] {
  return children(b, list)
    .filter((field) => !b.staticAsserts.has(firstToken(b, field)))
    .map((field) => buildField(b, field));
}

function buildField(b: Builder, node: number): Declaration {
  const [type, ...rest] = children(b, node);
  const declarators: InitDeclarator[] = [];
  for (const part of rest) {
    if (typeOf(b, part) !== "bitfield_clause") {
      const declarator = buildDeclarator(b, part);
      declarators.push({ declarator, initializer: null, bitWidth: null, range: declarator.range });
      continue;
    }
    const { declarator } = declarators.pop()!;
    const bitWidth = buildExpression(b, onlyChild(b, part));
    const range = { ...declarator.range, endLine: bitWidth.range.endLine, endColumn: bitWidth.range.endColumn };
    declarators.push({ declarator, initializer: null, bitWidth, range });
  }
  const first = draftOf(b, type!).firstToken;
  return {
    kind: "declaration",
    specifiers: buildSpecifiers(b, type!),
    declarators,
    range: rangeOfTokens(b, first, lastToken(b, node)),
  };
}

function buildAttributes(b: Builder, drafts: readonly AttributeDraft[]): Attribute[] {
  return drafts.map(({ name, operands, range }) => ({
    name,
    arguments: operands.map((operand) => {
      const built = buildOperand(b, operand);
      return built.kind === "typeName" ? ({ kind: "alignof", operand: built, range } as const) : built;
    }),
    range,
  }));
}

/** A deferred operand. A type is outlined as `sizeof(int)` with the token of the type itself. */
export function buildOperand(b: Builder, index: number): Expr | TypeName {
  const statement = b.deferred[index];
  if (statement === undefined) throw new Defect(`there is no deferred operand ${index}`);
  const node = onlyChild(b, statement);
  if (typeOf(b, node) === "sizeof_expression" && isTypeWord(b, firstToken(b, node))) {
    return buildTypeName(b, onlyChild(b, node));
  }
  if (typeOf(b, node) === "initializer_list") return unexpected(b, node, "an operand");
  return buildExpression(b, node);
}

function isTypeWord(b: Builder, token: number): boolean {
  const text = word(b, token);
  return text !== "sizeof" && !text.startsWith("_Alignof") && !text.startsWith("__alignof");
}
