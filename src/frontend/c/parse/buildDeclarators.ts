import type { Declarator, Parameter } from "../ast.ts";
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
import { buildSpecifiers, draftOf } from "./buildTypes.ts";

/** The declarator of something without a name, placed just behind the token. */
export function namelessDeclarator(b: Builder, token: number): Declarator {
  const end = b.tokens.ends[token]!;
  return { kind: "name", name: null, range: b.source.rangeOf(end, end) };
}

export function buildDeclarator(b: Builder, node: number): Declarator {
  const range = rangeOf(b, node);
  const parts = children(b, node);
  switch (typeOf(b, node)) {
    case "identifier":
    case "field_identifier":
    case "type_identifier": {
      const name = word(b, firstToken(b, node));
      // An anonymous bit-field is outlined with a name that stands for its colon.
      return name === ":" ? { kind: "name", name: null, range } : { kind: "name", name, range };
    }
    case "parenthesized_declarator":
    case "abstract_parenthesized_declarator":
      return buildDeclarator(b, onlyChild(b, node));
    case "pointer_declarator":
    case "abstract_pointer_declarator":
      return { kind: "pointer", of: inner(b, parts[0], node), range };
    case "array_declarator":
      return { kind: "array", of: inner(b, parts[0], node), length: length(b, parts[1]), range };
    case "abstract_array_declarator": {
      const of = parts[0] !== undefined && isAbstract(b, parts[0]) ? parts.shift() : undefined;
      return { kind: "array", of: inner(b, of, node), length: length(b, parts[0]), range };
    }
    case "function_declarator":
    case "abstract_function_declarator": {
      const list = parts.pop()!;
      return { kind: "function", of: inner(b, parts[0], node), ...buildParameters(b, list), range };
    }
    default:
      return unexpected(b, node, "a declarator");
  }
}

function inner(b: Builder, node: number | undefined, outer: number): Declarator {
  if (node !== undefined) return buildDeclarator(b, node);
  const start = b.tokens.starts[firstToken(b, outer)]!;
  return { kind: "name", name: null, range: b.source.rangeOf(start, start) };
}

function isAbstract(b: Builder, node: number): boolean {
  return typeOf(b, node).startsWith("abstract_");
}

function length(b: Builder, node: number | undefined) {
  return node === undefined ? null : buildExpression(b, node);
}

type Parameters = Pick<
  Extract<Declarator, { kind: "function" }>,
  "parameters" | "variadic" | "unprototyped" | "identifiers"
>;

function buildParameters(b: Builder, list: number): Parameters {
  const parameters: Parameter[] = [];
  const identifiers: string[] = [];
  let variadic = false;
  const parts = children(b, list);
  for (const part of parts) {
    if (typeOf(b, part) === "variadic_parameter") variadic = true;
    else if (typeOf(b, part) === "identifier") identifiers.push(word(b, firstToken(b, part)));
    // A K&R list in front of a body looks to the grammar like a list of types.
    else if (typeOf(b, onlyChild(b, part)) === "type_identifier") identifiers.push(word(b, firstToken(b, part)));
    else parameters.push(buildParameter(b, part));
  }
  const only = parameters[0];
  const isVoid = parts.length === 1 && only !== undefined && saysNothing(only);
  return { parameters: isVoid ? [] : parameters, variadic, unprototyped: parts.length === 0, identifiers };
}

/** `(void)`. */
function saysNothing(parameter: Parameter): boolean {
  const { type } = parameter.specifiers;
  const { declarator } = parameter;
  return (
    type.kind === "basic" &&
    type.words.length === 1 &&
    type.words[0] === "void" &&
    declarator.kind === "name" &&
    declarator.name === null
  );
}

function buildParameter(b: Builder, node: number): Parameter {
  const [type, declarator] = children(b, node);
  const draft = draftOf(b, type!);
  const last = declarator === undefined ? draft.lastToken : lastToken(b, declarator);
  return {
    specifiers: buildSpecifiers(b, type!),
    declarator: declarator === undefined ? namelessDeclarator(b, draft.lastToken) : buildDeclarator(b, declarator),
    range: rangeOfTokens(b, draft.firstToken, last),
  };
}
