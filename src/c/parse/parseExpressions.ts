import { operatorLevels } from "../../ir/operators.ts";
import type { BinaryOperatorText, Expr, UnaryOperator } from "../ast.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { parseAlignof, parseGeneric, parseLiteral, parseName, parseParenthesis, parseSizeof } from "./parseOperands.ts";
import {
  expect,
  fail,
  isName,
  isPunctuator,
  kindAt,
  type Parser,
  rangeOf,
  roleAt,
  take,
  unsupported,
  wordAt,
} from "./parser.ts";

type AssignmentOperator = Extract<Expr, { kind: "assignment" }>["operator"];

const BINARY: ReadonlyMap<string, { readonly operator: BinaryOperatorText; readonly level: number }> = new Map(
  operatorLevels.flatMap((operators, level) => operators.map((operator) => [operator, { operator, level }] as const)),
);

const COMPOUND = ["*", "/", "%", "+", "-", "<<", ">>", "&", "^", "|"] as const;

const ASSIGNMENTS: ReadonlyMap<string, AssignmentOperator> = new Map([
  ["=", null],
  ...COMPOUND.map((operator) => [`${operator}=`, operator] as const),
]);

const UNARY: ReadonlyMap<string, UnaryOperator> = new Map(
  (["+", "-", "!", "~", "*", "&"] as const).map((operator) => [operator, operator]),
);

export function parseExpression(p: Parser): Expr {
  const first = startOfExpression(p);
  let left = parseAssignment(p);
  while (take(p, ",")) {
    const right = parseAssignment(p);
    left = { kind: "comma", left, right, range: rangeOf(p, first) };
  }
  return left;
}

/** An expression without commas outside parentheses. Iterative for `a = b = c`: such chains are long. */
export function parseAssignment(p: Parser): Expr {
  const chain: { first: number; left: Expr; operator: AssignmentOperator }[] = [];
  for (;;) {
    const first = startOfExpression(p);
    let value = parseConditional(p, first);
    const operator = kindAt(p) === TokenKind.punctuator ? ASSIGNMENTS.get(wordAt(p)) : undefined;
    if (operator === undefined) {
      for (const link of chain.reverse()) {
        const { left } = link;
        value = { kind: "assignment", operator: link.operator, left, right: value, range: rangeOf(p, link.first) };
      }
      return value;
    }
    if (!isAssignable(p, value, first)) fail(p, "the left side of the assignment cannot be assigned");
    p.at++;
    chain.push({ first, left: value, operator });
  }
}

/** `__extension__` before an expression has no meaning. */
function startOfExpression(p: Parser): number {
  while (wordAt(p) === "__extension__") p.at++;
  return p.at;
}

/** C's grammar allows only unary expressions here. Lowering refuses those without an address. */
function isAssignable(p: Parser, e: Expr, first: number): boolean {
  switch (e.kind) {
    case "number":
    case "character":
    case "string":
    case "increment":
    case "cast":
    case "sizeofType":
    case "binary":
    case "conditional":
    case "comma":
    case "assignment":
      return p.parenthesis.open === first && p.parenthesis.end === p.at;
    default:
      return true;
  }
}

/** Iterative: chains of `a ? b : c ? d : e` are long. */
function parseConditional(p: Parser, first: number): Expr {
  let value = parseBinary(p, 0);
  if (!isPunctuator(p, "?")) return value;
  const chain: { first: number; condition: Expr; then: Expr | null }[] = [];
  let start = first;
  while (take(p, "?")) {
    const then = isPunctuator(p, ":") ? null : parseExpression(p);
    expect(p, ":", "in a conditional expression");
    chain.push({ first: start, condition: value, then });
    start = startOfExpression(p);
    value = parseBinary(p, 0);
  }
  for (const { first: from, condition, then } of chain.reverse()) {
    value = { kind: "conditional", condition, then, else: value, range: rangeOf(p, from) };
  }
  return value;
}

/** Precedence climbing: reads operators of this level and of tighter ones. */
function parseBinary(p: Parser, level: number): Expr {
  const first = startOfExpression(p);
  let left = parseUnary(p);
  for (;;) {
    const found = kindAt(p) === TokenKind.punctuator ? BINARY.get(wordAt(p)) : undefined;
    if (found === undefined || found.level < level) return left;
    p.at++;
    const right = parseBinary(p, found.level + 1);
    left = { kind: "binary", operator: found.operator, left, right, range: rangeOf(p, first) };
  }
}

/** A cast expression of C's grammar. */
export function parseUnary(p: Parser): Expr {
  const first = startOfExpression(p);
  const word = wordAt(p);
  switch (kindAt(p)) {
    case TokenKind.punctuator: {
      if (word === "(") return parseParenthesis(p);
      if (word === "&&") return parseLabelAddress(p);
      if (word === "++" || word === "--") {
        p.at++;
        const operand = parseUnary(p);
        return { kind: "increment", operator: word, prefix: true, operand, range: rangeOf(p, first) };
      }
      const operator = UNARY.get(word);
      if (operator === undefined) return fail(p, "expected an expression");
      p.at++;
      const operand = parseUnary(p);
      return { kind: "unary", operator, operand, range: rangeOf(p, first) };
    }
    case TokenKind.identifier:
      switch (roleAt(p)) {
        case undefined:
          return parsePostfix(p, parseName(p), first);
        case "sizeof":
          return parseSizeof(p);
        case "alignof":
          return parseAlignof(p);
        case "generic":
          return parsePostfix(p, parseGeneric(p), first);
        case "complexPart":
          return unsupported(p, "complex numbers are not supported", first, first);
        default:
          return fail(p, "expected an expression");
      }
    case TokenKind.end:
      return fail(p, "expected an expression");
    default:
      return parsePostfix(p, parseLiteral(p), first);
  }
}

function parseLabelAddress(p: Parser): Expr {
  const first = p.at;
  if (!isName(p, first + 1)) fail(p, "expected an expression");
  p.at += 2;
  return { kind: "labelAddress", label: wordAt(p, first + 1), range: rangeOf(p, first) };
}

/** Reads the postfix operators of an operand that starts at `first`. */
export function parsePostfix(p: Parser, operand: Expr, first: number): Expr {
  let result = operand;
  while (kindAt(p) === TokenKind.punctuator) {
    const word = wordAt(p);
    switch (word) {
      case "[": {
        p.at++;
        const index = parseExpression(p);
        expect(p, "]", "after a subscript");
        result = { kind: "subscript", array: result, index, range: rangeOf(p, first) };
        break;
      }
      case "(":
        result = { kind: "call", callee: result, arguments: parseArguments(p), range: rangeOf(p, first) };
        break;
      case ".":
      case "->": {
        // Members have their own name space: a typedef name or a word of another dialect may be one.
        const field = wordAt(p, ++p.at);
        if (kindAt(p) !== TokenKind.identifier) fail(p, "expected a member name");
        p.at++;
        result = { kind: "member", object: result, field, arrow: word === "->", range: rangeOf(p, first) };
        break;
      }
      case "++":
      case "--":
        p.at++;
        result = { kind: "increment", operator: word, prefix: false, operand: result, range: rangeOf(p, first) };
        break;
      default:
        return result;
    }
  }
  return result;
}

function parseArguments(p: Parser): Expr[] {
  const list: Expr[] = [];
  p.at++;
  if (!isPunctuator(p, ")")) {
    do list.push(parseAssignment(p));
    while (take(p, ","));
  }
  expect(p, ")", "after the arguments");
  return list;
}
