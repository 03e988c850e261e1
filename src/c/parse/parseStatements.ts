import type { SourceRange } from "../../base/sourceRange.ts";
import type { BlockItem, BlockStatement, Expr, Statement } from "../ast.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseDeclaration, parseStaticAssert } from "./parseDeclarations.ts";
import { parseAssignment, parseExpression } from "./parseExpressions.ts";
import {
  expect,
  fail,
  isName,
  isPunctuator,
  isTypeStart,
  kindAt,
  type Parser,
  rangeOf,
  refuseUnknownType,
  roleAt,
  skipParentheses,
  take,
  wordAt,
} from "./parser.ts";

/** A compound statement, with its braces and its scope. */
export function parseBlock(p: Parser): BlockStatement {
  const open = p.at;
  expect(p, "{", "to open a block");
  p.scopes.push();
  const items: BlockItem[] = [];
  while (!take(p, "}")) {
    if (kindAt(p) === TokenKind.end) fail(p, "expected '}' for the block", open);
    items.push(parseBlockItem(p));
  }
  p.scopes.pop();
  return { kind: "block", items, range: rangeOf(p, open) };
}

function parseBlockItem(p: Parser): BlockItem {
  if (roleAt(p) === "staticAssert") return parseStaticAssert(p);
  return startsDeclaration(p) ? parseDeclaration(p) : parseStatement(p);
}

function startsDeclaration(p: Parser): boolean {
  if (!isTypeStart(p)) return false;
  // A typedef name before a colon is a label.
  if (isName(p) && isPunctuator(p, ":", p.at + 1)) return false;
  return roleAt(p) !== "attribute" || attributesPrecedeType(p);
}

/** `__attribute__((unused)) int x;` is a declaration, `__attribute__((fallthrough));` a statement. */
function attributesPrecedeType(p: Parser): boolean {
  const start = p.at;
  skipAttributes(p);
  const result = isTypeStart(p);
  p.at = start;
  return result;
}

/** An attribute of a statement or label does not change its meaning. */
function skipAttributes(p: Parser): void {
  while (roleAt(p) === "attribute") {
    p.at++;
    skipParentheses(p);
  }
}

/** The part of a statement before its last substatement: a label, `while (e)`, `if (e) s else`. */
type Head = { readonly first: number; readonly complete: (body: Statement, range: SourceRange) => Statement };

/** Iterative: chains of `case` labels and of `else if` are long. */
function parseStatement(p: Parser): Statement {
  const heads: Head[] = [];
  let statement = parseStatementOrHead(p, heads);
  while (statement === null) statement = parseStatementOrHead(p, heads);
  for (const { first, complete } of heads.reverse()) statement = complete(statement, rangeOf(p, first));
  return statement;
}

/** Reads a whole statement, or adds a head and returns null. */
function parseStatementOrHead(p: Parser, heads: Head[]): Statement | null {
  skipAttributes(p);
  const first = p.at;
  if (isPunctuator(p, "{")) return parseBlock(p);
  if (take(p, ";")) return { kind: "empty", range: rangeOf(p, first) };
  if (isName(p) && isPunctuator(p, ":", first + 1)) {
    p.at++;
    const name = wordAt(p, first);
    return parseLabel(p, heads, { first, complete: (body, range) => ({ kind: "label", name, body, range }) });
  }
  switch (roleAt(p)) {
    case "statement":
      return parseKeywordStatement(p, heads);
    case "asm":
      return parseAsm(p);
    case "localLabel":
      while (!isPunctuator(p, ";")) {
        if (kindAt(p) === TokenKind.end) fail(p, "expected ';' after the local labels");
        p.at++;
      }
      p.at++;
      return { kind: "empty", range: rangeOf(p, p.at - 1) };
    default:
      return parseExpressionStatement(p);
  }
}

function parseExpressionStatement(p: Parser): Statement {
  if (isName(p)) refuseUnknownType(p);
  while (wordAt(p) === "__extension__") p.at++;
  const first = p.at;
  const expression = parseExpression(p);
  expect(p, ";", "after an expression");
  return { kind: "expressionStatement", expression, range: rangeOf(p, first) };
}

function parseKeywordStatement(p: Parser, heads: Head[]): Statement | null {
  const first = p.at++;
  const word = wordAt(p, first);
  switch (word) {
    case "if": {
      const condition = parseCondition(p);
      const then = parseStatement(p);
      if (wordAt(p) !== "else") return { kind: "if", condition, then, else: null, range: rangeOf(p, first) };
      p.at++;
      heads.push({ first, complete: (body, range) => ({ kind: "if", condition, then, else: body, range }) });
      return null;
    }
    case "while": {
      const condition = parseCondition(p);
      heads.push({ first, complete: (body, range) => ({ kind: "while", condition, body, range }) });
      return null;
    }
    case "switch": {
      const value = parseCondition(p);
      heads.push({ first, complete: (body, range) => ({ kind: "switch", value, body, range }) });
      return null;
    }
    case "case": {
      const from = parseAssignment(p);
      const to = take(p, "...") ? parseAssignment(p) : null;
      return parseLabel(p, heads, { first, complete: (body, range) => ({ kind: "case", from, to, body, range }) });
    }
    case "default":
      return parseLabel(p, heads, { first, complete: (body, range) => ({ kind: "default", body, range }) });
    case "do":
      return parseDo(p, first);
    case "for":
      return parseFor(p, first);
    case "return": {
      const value = isPunctuator(p, ";") ? null : parseExpression(p);
      expect(p, ";", "after 'return'");
      return { kind: "return", value, range: rangeOf(p, first) };
    }
    case "break":
    case "continue":
      expect(p, ";", `after '${word}'`);
      return { kind: word, range: rangeOf(p, first) };
    case "goto":
      return parseGoto(p, first);
    default:
      return fail(p, "expected an expression", first);
  }
}

/** A label before a declaration or the end of its block labels an empty statement. */
function parseLabel(p: Parser, heads: Head[], head: Head): Statement | null {
  expect(p, ":", "after a label");
  heads.push(head);
  while (roleAt(p) === "attribute" && !attributesPrecedeType(p)) skipAttributes(p);
  const isAlone = isPunctuator(p, "}") || roleAt(p) === "staticAssert" || startsDeclaration(p);
  return isAlone ? { kind: "empty", range: rangeOf(p, p.at - 1) } : null;
}

/** The parentheses around a condition belong to the statement, not to the expression. */
function parseCondition(p: Parser): Expr {
  expect(p, "(", "before the condition");
  const condition = parseExpression(p);
  expect(p, ")", "after the condition");
  return condition;
}

function parseDo(p: Parser, first: number): Statement {
  const body = parseStatement(p);
  if (wordAt(p) !== "while") fail(p, "expected 'while' after the body of 'do'");
  p.at++;
  const condition = parseCondition(p);
  expect(p, ";", "after 'do ... while (...)'");
  return { kind: "doWhile", condition, body, range: rangeOf(p, first) };
}

function parseFor(p: Parser, first: number): Statement {
  p.scopes.push();
  expect(p, "(", "after 'for'");
  const init = isTypeStart(p) ? parseDeclaration(p) : parseForPart(p, ";");
  const condition = parseForPart(p, ";");
  const update = parseForPart(p, ")");
  const body = parseStatement(p);
  p.scopes.pop();
  return { kind: "for", init, condition, update, body, range: rangeOf(p, first) };
}

function parseForPart(p: Parser, end: ";" | ")"): Expr | null {
  const part = isPunctuator(p, end) ? null : parseExpression(p);
  expect(p, end, end === ";" ? "in the head of 'for'" : "after the head of 'for'");
  return part;
}

/** The operand of GNU's `goto *p` is dropped: such jumps are never followed. */
function parseGoto(p: Parser, first: number): Statement {
  const isComputed = isPunctuator(p, "*");
  const label = wordAt(p);
  if (isComputed) while (!isPunctuator(p, ";") && kindAt(p) !== TokenKind.end) p.at++;
  else if (isName(p)) p.at++;
  else fail(p, "expected the name of a label");
  expect(p, ";", "after 'goto'");
  const range = rangeOf(p, first);
  return isComputed ? { kind: "computedGoto", range } : { kind: "goto", label, range };
}

/** Inline assembly. Microsoft's form is a block without a semicolon. */
function parseAsm(p: Parser): Statement {
  const first = p.at++;
  while (roleAt(p) !== undefined) p.at++;
  if (isPunctuator(p, "{")) {
    while (!take(p, "}")) {
      if (kindAt(p) === TokenKind.end) fail(p, "expected '}' after inline assembly");
      p.at++;
    }
  } else {
    skipParentheses(p);
    expect(p, ";", "after inline assembly");
  }
  return { kind: "asm", range: rangeOf(p, first) };
}
