import type {
  Block,
  Declaration,
  ExternalItem,
  FunctionDefinition,
  InitDeclarator,
  StaticAssert,
  TranslationUnit,
} from "../ast.ts";
import { buildDeclarator } from "./buildDeclarators.ts";
import {
  type Builder,
  children,
  firstToken,
  lastToken,
  rangeOf,
  rangeOfTokens,
  typeOf,
  unexpected,
} from "./builder.ts";
import { buildInitializer } from "./buildInitializers.ts";
import { buildBlock } from "./buildStatements.ts";
import { buildOperand, buildSpecifiers, draftOf } from "./buildTypes.ts";
import type { OldStyleBody } from "./outliner.ts";

export function buildTranslationUnit(b: Builder): TranslationUnit {
  return { items: b.items.map((item) => buildExternal(b, item)) };
}

function buildExternal(b: Builder, node: number): ExternalItem {
  if (typeOf(b, node) === "function_definition") return buildFunction(b, node);
  const declaration = buildDeclarationItem(b, node);
  return declaration ?? unexpected(b, node, "a translation unit");
}

/** A declaration or static assertion, or null when the node is something else. */
export function buildDeclarationItem(b: Builder, node: number): Declaration | StaticAssert | null {
  switch (typeOf(b, node)) {
    case "declaration":
      return buildDeclaration(b, node);
    case "primitive_type":
    case "struct_specifier":
    case "enum_specifier":
      return buildBareDeclaration(b, node);
    default:
      return null;
  }
}

/** `struct s { ... };` declares a type and nothing else: the grammar's tree has only the type. */
function buildBareDeclaration(b: Builder, node: number): Declaration | StaticAssert {
  const token = firstToken(b, node);
  const operand = b.staticAsserts.get(token);
  if (operand !== undefined) {
    const condition = buildOperand(b, operand);
    if (condition.kind === "typeName") return unexpected(b, node, "a static assertion");
    return { kind: "staticAssert", condition, range: condition.range };
  }
  const specifiers = buildSpecifiers(b, node);
  return { kind: "declaration", specifiers, declarators: [], range: specifiers.range };
}

export function buildDeclaration(b: Builder, node: number): Declaration {
  const [type, ...declarators] = children(b, node);
  return {
    kind: "declaration",
    specifiers: buildSpecifiers(b, type!),
    declarators: declarators.map((declarator) => buildInitDeclarator(b, declarator)),
    range: rangeOfTokens(b, draftOf(b, type!).firstToken, lastToken(b, node)),
  };
}

function buildInitDeclarator(b: Builder, node: number): InitDeclarator {
  if (typeOf(b, node) !== "init_declarator") {
    const declarator = buildDeclarator(b, node);
    return { declarator, initializer: null, bitWidth: null, range: declarator.range };
  }
  const [declarator, value] = children(b, node);
  return {
    declarator: buildDeclarator(b, declarator!),
    initializer: buildInitializer(b, value!),
    bitWidth: null,
    range: rangeOf(b, node),
  };
}

function buildFunction(b: Builder, node: number): FunctionDefinition {
  const [type, declarator, bodyNode] = children(b, node);
  const oldStyle = b.oldStyleBodies.get(firstToken(b, bodyNode!));
  const declarations = children(b, bodyNode!).slice(0, oldStyle?.declarations ?? 0);
  return {
    kind: "functionDefinition",
    specifiers: buildSpecifiers(b, type!),
    declarator: buildDeclarator(b, declarator!),
    parameterDeclarations: declarations.map((declaration) => buildDeclaration(b, declaration)),
    body: buildBody(b, bodyNode!, oldStyle),
    range: rangeOfTokens(b, draftOf(b, type!).firstToken, lastToken(b, node)),
  };
}

function buildBody(b: Builder, node: number, oldStyle: OldStyleBody | undefined): Block {
  const body = buildBlock(b, node);
  if (oldStyle === undefined) return body;
  const range = rangeOfTokens(b, oldStyle.brace, lastToken(b, node));
  return { kind: "block", items: body.items.slice(oldStyle.declarations), range };
}
