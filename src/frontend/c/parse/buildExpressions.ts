import { TracefoldError } from "../../../base/errors.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import type { BinaryOperatorText, Declarator, Designator, Expr, TypeName, UnaryOperator } from "../ast.ts";
import { decodeCharacter, decodeStrings } from "../preprocess/decodeLiteral.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import {
  type Builder,
  children,
  firstToken,
  lastToken,
  onlyChild,
  rangeOf,
  rangeOfTokens,
  tokenBefore,
  typeOf,
  unexpected,
  word,
} from "./builder.ts";
import { buildInitializerList } from "./buildInitializers.ts";
import { buildBlock } from "./buildStatements.ts";
import { buildTypeName } from "./buildTypes.ts";
import { keywordRole } from "./keywords.ts";

type AssignmentOperator = Extract<Expr, { kind: "assignment" }>["operator"];

export function buildExpression(b: Builder, node: number): Expr {
  switch (typeOf(b, node)) {
    case "identifier":
      return { kind: "identifier", name: word(b, firstToken(b, node)), range: rangeOf(b, node) };
    case "number_literal":
      return buildLiteral(b, node);
    case "parenthesized_expression": {
      const inner = onlyChild(b, node);
      const range = rangeOf(b, node);
      if (typeOf(b, inner) === "compound_statement")
        return { kind: "statementExpression", body: buildBlock(b, inner), range };
      return { ...buildExpression(b, inner), range };
    }
    case "pointer_expression":
      return buildUnary(b, node);
    case "update_expression":
      return buildIncrement(b, node);
    case "binary_expression":
      return buildBinary(b, node);
    case "assignment_expression":
      return buildAssignment(b, node);
    case "conditional_expression":
      return buildConditional(b, node);
    case "comma_expression":
      return buildComma(b, node);
    case "cast_expression": {
      const [type, operand] = children(b, node);
      return {
        kind: "cast",
        type: buildTypeName(b, type!),
        operand: buildExpression(b, operand!),
        range: rangeOf(b, node),
      };
    }
    case "compound_literal_expression": {
      const [type, list] = children(b, node);
      return {
        kind: "compoundLiteral",
        type: buildTypeName(b, type!),
        initializer: buildInitializerList(b, list!),
        range: rangeOf(b, node),
      };
    }
    case "sizeof_expression": {
      const operand = buildTypeName(b, onlyChild(b, node));
      const alignment = keywordRole(word(b, firstToken(b, node)))?.kind === "alignof";
      return { kind: alignment ? "alignof" : "sizeofType", operand, range: rangeOf(b, node) };
    }
    case "subscript_expression": {
      const [array, index] = children(b, node);
      return {
        kind: "subscript",
        array: buildExpression(b, array!),
        index: buildExpression(b, index!),
        range: rangeOf(b, node),
      };
    }
    case "field_expression": {
      const [object, field] = children(b, node);
      return {
        kind: "member",
        object: buildExpression(b, object!),
        field: word(b, firstToken(b, field!)),
        arrow: word(b, tokenBefore(b, field!)) === "->",
        range: rangeOf(b, node),
      };
    }
    case "call_expression":
      return buildCall(b, node);
    default:
      return unexpected(b, node, "an expression");
  }
}

function buildLiteral(b: Builder, node: number): Expr {
  const token = firstToken(b, node);
  const range = rangeOf(b, node);
  switch (b.tokens.kinds[token]) {
    case TokenKind.character:
      return { kind: "character", ...decodeCharacter(word(b, token), range), range };
    case TokenKind.string: {
      const literals = [word(b, token)];
      for (let next = token + 1; b.tokens.kinds[next] === TokenKind.string; next++) literals.push(word(b, next));
      return { kind: "string", ...decodeStrings(literals, range), range };
    }
    default:
      return { kind: "number", text: word(b, token), range };
  }
}

/** In the outline every unary operator is a `*`, and so is the guard in front of a name. */
function buildUnary(b: Builder, node: number): Expr {
  const token = firstToken(b, node);
  const operator = word(b, token);
  const child = onlyChild(b, node);
  const role = b.tokens.kinds[token] === TokenKind.identifier ? keywordRole(operator) : undefined;
  if (b.tokens.kinds[token] === TokenKind.identifier && role === undefined) return buildExpression(b, child);
  const range = rangeOf(b, node);
  if (operator === "&&") return { kind: "labelAddress", label: word(b, firstToken(b, child)), range };
  const operand = buildExpression(b, child);
  if (role?.kind === "sizeof") return { kind: "sizeofExpr", operand, range };
  if (role?.kind === "alignof") return { kind: "alignof", operand: typeOfExpression(operand), range };
  return { kind: "unary", operator: operator as UnaryOperator, operand, range };
}

/** GNU allows `__alignof__ e`: the alignment of `typeof(e)`. */
function typeOfExpression(operand: Expr): TypeName {
  const { range } = operand;
  return {
    kind: "typeName",
    specifiers: {
      storage: null,
      inline: false,
      unsupported: [],
      type: { kind: "typeof", operand, range },
      attributes: [],
      range,
    },
    declarator: { kind: "name", name: null, range },
    range,
  };
}

function buildIncrement(b: Builder, node: number): Expr {
  const child = onlyChild(b, node);
  const prefix = b.tree.starts[node]! < b.tree.starts[child]!;
  return {
    kind: "increment",
    operator: word(b, prefix ? firstToken(b, node) : lastToken(b, node)) as "++" | "--",
    prefix,
    operand: buildExpression(b, child),
    range: rangeOf(b, node),
  };
}

/** A loop down the left operands: sums of ten thousand terms exist. */
function buildBinary(b: Builder, node: number): Expr {
  const spine: number[] = [];
  let left = node;
  while (typeOf(b, left) === "binary_expression") {
    spine.push(left);
    left = onlyChild(b, left);
  }
  let result = buildExpression(b, left);
  for (let index = spine.length - 1; index >= 0; index--) {
    const [, right] = children(b, spine[index]!);
    result = {
      kind: "binary",
      operator: word(b, tokenBefore(b, right!)) as BinaryOperatorText,
      left: result,
      right: buildExpression(b, right!),
      range: rangeOf(b, spine[index]!),
    };
  }
  return result;
}

/** A loop along `a = b = c`, built from the last value. */
function buildAssignment(b: Builder, node: number): Expr {
  const chain: { node: number; left: Expr; operator: string }[] = [];
  let rest = node;
  while (typeOf(b, rest) === "assignment_expression") {
    const [left, right] = children(b, rest);
    chain.push({ node: rest, left: buildExpression(b, left!), operator: word(b, tokenBefore(b, right!)) });
    rest = right!;
  }
  let result = buildExpression(b, rest);
  for (const { node: link, left, operator } of chain.reverse()) {
    result = {
      kind: "assignment",
      operator: operator === "=" ? null : (operator.slice(0, -1) as AssignmentOperator),
      left,
      right: result,
      range: rangeOf(b, link),
    };
  }
  return result;
}

/** A loop along the alternatives, built from the last one. */
function buildConditional(b: Builder, node: number): Expr {
  const chain: { node: number; condition: Expr; then: Expr | null }[] = [];
  let rest = node;
  while (typeOf(b, rest) === "conditional_expression") {
    const parts = children(b, rest);
    const condition = buildExpression(b, parts[0]!);
    const then = parts.length === 3 ? buildExpression(b, parts[1]!) : null;
    chain.push({ node: rest, condition, then });
    rest = parts[parts.length - 1]!;
  }
  let result = buildExpression(b, rest);
  for (const { node: link, condition, then } of chain.reverse()) {
    result = { kind: "conditional", condition, then, else: result, range: rangeOf(b, link) };
  }
  return result;
}

/** The grammar nests commas to the right, C to the left. */
function buildComma(b: Builder, node: number): Expr {
  const operands: number[] = [];
  let rest = node;
  while (typeOf(b, rest) === "comma_expression") {
    const [left, right] = children(b, rest);
    operands.push(left!);
    rest = right!;
  }
  operands.push(rest);
  const first = firstToken(b, node);
  let result = buildExpression(b, operands[0]!);
  for (const operand of operands.slice(1)) {
    result = {
      kind: "comma",
      left: result,
      right: buildExpression(b, operand),
      range: rangeOfTokens(b, first, lastToken(b, operand)),
    };
  }
  return result;
}

function buildCall(b: Builder, node: number): Expr {
  const [callee, list] = children(b, node);
  const range = rangeOf(b, node);
  const operands = children(b, list!);
  if (typeOf(b, callee!) === "identifier") {
    switch (word(b, firstToken(b, callee!))) {
      case "__builtin_va_arg":
        return { kind: "vaArg", list: buildExpression(b, operands[0]!), type: typeArgument(b, operands[1]!), range };
      case "__builtin_offsetof":
        return { kind: "offsetof", type: typeArgument(b, operands[0]!), path: buildMemberPath(b, operands[1]!), range };
      case "__builtin_types_compatible_p":
        return buildTypesCompatible(b, operands[0]!, operands[1]!, range);
      case "_Generic":
        return buildGeneric(b, operands, node);
    }
  }
  return {
    kind: "call",
    callee: buildExpression(b, callee!),
    arguments: operands.map((operand) => buildExpression(b, operand)),
    range,
  };
}

/** A type among arguments is outlined as the cast `(int) 1`. */
function typeArgument(b: Builder, node: number): TypeName {
  return buildTypeName(b, onlyChild(b, node));
}

/**
 * `__builtin_types_compatible_p(S, T)` is `_Generic((S *)0, T *: 1, default: 0)`: behind a pointer nothing decays, and
 * the tree has no qualifiers.
 */
function buildTypesCompatible(b: Builder, left: number, right: number, range: SourceRange): Expr {
  const zero: Expr = { kind: "number", text: "0", range };
  const one: Expr = { kind: "number", text: "1", range };
  const control: Expr = { kind: "cast", type: pointerTo(typeArgument(b, left)), operand: zero, range };
  const associations = [
    { type: pointerTo(typeArgument(b, right)), value: one },
    { type: null, value: zero },
  ];
  return { kind: "generic", control, associations, range };
}

function pointerTo(type: TypeName): TypeName {
  return { ...type, declarator: pointerInside(type.declarator) };
}

/** The pointer goes where the name would be. */
function pointerInside(declarator: Declarator): Declarator {
  if (declarator.kind === "name") return { kind: "pointer", of: declarator, range: declarator.range };
  return { ...declarator, of: pointerInside(declarator.of) };
}

function buildGeneric(b: Builder, operands: readonly number[], node: number): Expr {
  const associations: { type: TypeName | null; value: Expr }[] = [];
  for (let index = 1; index + 1 < operands.length; index += 2) {
    const label = operands[index]!;
    associations.push({
      type: typeOf(b, label) === "cast_expression" ? typeArgument(b, label) : null,
      value: buildExpression(b, operands[index + 1]!),
    });
  }
  return { kind: "generic", control: buildExpression(b, operands[0]!), associations, range: rangeOf(b, node) };
}

/** `a.b[2]` of `offsetof`, from the outside in. */
function buildMemberPath(b: Builder, node: number): Designator[] {
  const path: Designator[] = [];
  for (let rest = node; ; ) {
    switch (typeOf(b, rest)) {
      case "identifier":
        path.push({ kind: "field", name: word(b, firstToken(b, rest)), range: rangeOf(b, rest) });
        return path.reverse();
      case "field_expression": {
        const [object, field] = children(b, rest);
        path.push({ kind: "field", name: word(b, firstToken(b, field!)), range: rangeOf(b, field!) });
        rest = object!;
        break;
      }
      case "subscript_expression": {
        const [array, index] = children(b, rest);
        path.push({ kind: "index", from: buildExpression(b, index!), to: null, range: rangeOf(b, index!) });
        rest = array!;
        break;
      }
      default:
        throw new TracefoldError({ code: "TF103", message: "expected a member in offsetof", range: rangeOf(b, rest) });
    }
  }
}
