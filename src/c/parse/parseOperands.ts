import type { SourceRange } from "../../base/sourceRange.ts";
import type { Declarator, Designator, Expr, TypeName } from "../ast.ts";
import { decodeCharacter, decodeStrings } from "../preprocess/decodeLiteral.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseInitializer } from "./parseDeclarations.ts";
import { parseTypeName } from "./parseDeclarators.ts";
import { parseAssignment, parseExpression, parsePostfix, parseUnary } from "./parseExpressions.ts";
import {
  expect,
  fail,
  isName,
  isPunctuator,
  isTypedefName,
  isTypeStart,
  kindAt,
  type Parser,
  rangeOf,
  refuseUnknownType,
  take,
  wordAt,
} from "./parser.ts";
import { parseBlock } from "./parseStatements.ts";

export function parseLiteral(p: Parser): Expr {
  const first = p.at++;
  const text = wordAt(p, first);
  const kind = kindAt(p, first);
  if (kind === TokenKind.string) {
    const literals = [text];
    while (kindAt(p) === TokenKind.string) literals.push(wordAt(p, p.at++));
    const range = rangeOf(p, first);
    return { kind: "string", ...decodeStrings(literals, range), range };
  }
  const range = rangeOf(p, first);
  if (kind === TokenKind.character) return { kind: "character", ...decodeCharacter(text, range), range };
  return { kind: "number", text, range };
}

/** Parentheses around an expression, a statement expression, a cast or a compound literal. */
export function parseParenthesis(p: Parser): Expr {
  const open = p.at;
  if (isPunctuator(p, "{", open + 1)) {
    p.at++;
    const body = parseBlock(p);
    expect(p, ")", "after a statement expression");
    return parsePostfix(p, { kind: "statementExpression", body, range: rangeOf(p, open) }, open);
  }
  if (isTypeStart(p, open + 1)) {
    const type = parseTypeInParentheses(p);
    if (isPunctuator(p, "{")) return parseCompoundLiteral(p, type, open);
    const operand = parseUnary(p);
    return { kind: "cast", type, operand, range: rangeOf(p, open) };
  }
  if (isName(p, open + 1)) refuseUnknownType(p, open + 1);
  p.at++;
  const inner = parseExpression(p);
  expect(p, ")", "to close the parenthesis");
  p.parenthesis.open = open;
  p.parenthesis.end = p.at;
  return parsePostfix(p, { ...inner, range: rangeOf(p, open) }, open);
}

function parseTypeInParentheses(p: Parser): TypeName {
  p.at++;
  const type = parseTypeName(p);
  expect(p, ")", "after a type name");
  return type;
}

function parseCompoundLiteral(p: Parser, type: TypeName, open: number): Expr {
  const initializer = parseInitializer(p);
  return parsePostfix(p, { kind: "compoundLiteral", type, initializer, range: rangeOf(p, open) }, open);
}

function isTypeInParentheses(p: Parser): boolean {
  return isPunctuator(p, "(") && isTypeStart(p, p.at + 1);
}

export function parseSizeof(p: Parser): Expr {
  const first = p.at++;
  const open = p.at;
  const type = isTypeInParentheses(p) ? parseTypeInParentheses(p) : null;
  if (type !== null && !isPunctuator(p, "{")) return { kind: "sizeofType", operand: type, range: rangeOf(p, first) };
  const operand = type === null ? parseUnary(p) : parseCompoundLiteral(p, type, open);
  return { kind: "sizeofExpr", operand, range: rangeOf(p, first) };
}

/** GNU allows `__alignof__ e`: the alignment of `typeof(e)`. */
export function parseAlignof(p: Parser): Expr {
  const first = p.at++;
  const isType = isTypeInParentheses(p);
  const operand = isType ? parseTypeInParentheses(p) : typeOfExpression(parseUnary(p));
  if (isType && isPunctuator(p, "{")) fail(p, "expected a type name after _Alignof", first);
  return { kind: "alignof", operand, range: rangeOf(p, first) };
}

function typeOfExpression(operand: Expr): TypeName {
  const { range } = operand;
  const type = { kind: "typeof", operand, range } as const;
  return {
    kind: "typeName",
    specifiers: {
      ...{ storage: null, inline: false, isConst: false, isVolatile: false, unsupported: [], type },
      ...{ attributes: [], range },
    },
    declarator: { kind: "name", name: null, range },
    range,
  };
}

/** A name, or a call of a builtin that takes types. */
export function parseName(p: Parser): Expr {
  if (isTypedefName(p)) fail(p, "expected an expression");
  const first = p.at++;
  const name = wordAt(p, first);
  if (!isPunctuator(p, "(") || !TYPE_BUILTINS.has(name)) return { kind: "identifier", name, range: rangeOf(p, first) };
  p.at++;
  const between = () => expect(p, ",", `between the arguments of ${name}`);
  const close = (): SourceRange => {
    expect(p, ")", `after the arguments of ${name}`);
    return rangeOf(p, first);
  };
  if (name === "__builtin_va_arg") {
    const list = parseAssignment(p);
    between();
    return { kind: "vaArg", list, type: parseTypeArgument(p), range: close() };
  }
  const type = parseTypeArgument(p);
  between();
  if (name === "__builtin_offsetof") return { kind: "offsetof", type, path: parseMemberPath(p), range: close() };
  return typesCompatible(type, parseTypeArgument(p), close());
}

const TYPE_BUILTINS: ReadonlySet<string> = new Set([
  "__builtin_va_arg",
  "__builtin_offsetof",
  "__builtin_types_compatible_p",
]);

function parseTypeArgument(p: Parser): TypeName {
  if (!isTypeStart(p)) fail(p, "expected a type name");
  return parseTypeName(p);
}

/** `a.b[2].c` of `offsetof`. */
function parseMemberPath(p: Parser): Designator[] {
  const path: Designator[] = [];
  do {
    if (!(path.length === 0 ? isName(p) : kindAt(p) === TokenKind.identifier)) fail(p, "expected a member name");
    path.push({ kind: "field", name: wordAt(p), range: rangeOf(p, p.at, p.at) });
    p.at++;
    while (take(p, "[")) {
      const from = parseExpression(p);
      path.push({ kind: "index", from, to: null, range: from.range });
      expect(p, "]", "after a subscript");
    }
  } while (take(p, ".") || take(p, "->"));
  return path;
}

/** `__builtin_types_compatible_p(S, T)` is `_Generic((S *)0, T *: 1, default: 0)`: pointees do not decay. */
function typesCompatible(left: TypeName, right: TypeName, range: SourceRange): Expr {
  const zero: Expr = { kind: "number", text: "0", range };
  const one: Expr = { kind: "number", text: "1", range };
  const associations = [
    { type: pointerTo(right), value: one },
    { type: null, value: zero },
  ];
  const control: Expr = { kind: "cast", type: pointerTo(left), operand: zero, range };
  return { kind: "generic", control, associations, range };
}

function pointerTo(type: TypeName): TypeName {
  return { ...type, declarator: pointerInside(type.declarator) };
}

/** Puts the pointer where the name would be. */
function pointerInside(declarator: Declarator): Declarator {
  if (declarator.kind === "name")
    return { kind: "pointer", of: declarator, isConst: false, isVolatile: false, range: declarator.range };
  return { ...declarator, of: pointerInside(declarator.of) };
}

export function parseGeneric(p: Parser): Expr {
  const first = p.at++;
  expect(p, "(", "after _Generic");
  const control = parseAssignment(p);
  const associations: { type: TypeName | null; value: Expr }[] = [];
  while (take(p, ",")) {
    const type = wordAt(p) === "default" ? null : parseTypeArgument(p);
    if (type === null) p.at++;
    expect(p, ":", "in _Generic");
    associations.push({ type, value: parseAssignment(p) });
  }
  expect(p, ")", "after _Generic");
  return { kind: "generic", control, associations, range: rangeOf(p, first) };
}
