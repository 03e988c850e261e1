import type { Block, BlockItem, Declaration, Expr, Statement } from "../ast.ts";
import { TokenKind } from "../preprocess/scanToken.ts";
import { buildDeclaration, buildDeclarationItem } from "./buildDeclarations.ts";
import { buildExpression } from "./buildExpressions.ts";
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
import { keywordRole } from "./keywords.ts";

export function buildBlock(b: Builder, node: number): Block {
  const items: BlockItem[] = children(b, node).map((item) => buildDeclarationItem(b, item) ?? buildStatement(b, item));
  return { kind: "block", items, range: rangeOf(b, node) };
}

function buildStatement(b: Builder, node: number): Statement {
  const range = rangeOf(b, node);
  switch (typeOf(b, node)) {
    case "compound_statement":
      return buildBlock(b, node);
    case "expression_statement":
      return buildExpressionStatement(b, node);
    case "if_statement":
      return buildIf(b, node);
    case "while_statement":
      return buildHeaded(b, node);
    case "do_statement": {
      const [body, condition] = children(b, node);
      return { kind: "doWhile", body: buildStatement(b, body!), condition: buildCondition(b, condition!), range };
    }
    case "for_statement":
      return buildFor(b, node);
    case "return_statement": {
      const [value] = children(b, node);
      return { kind: "return", value: value === undefined ? null : buildExpression(b, value), range };
    }
    case "break_statement":
      return { kind: "break", range };
    case "continue_statement":
      return { kind: "continue", range };
    case "goto_statement": {
      const label = word(b, firstToken(b, onlyChild(b, node)));
      return label === "*" ? { kind: "computedGoto", range } : { kind: "goto", label, range };
    }
    default:
      return unexpected(b, node, "a block");
  }
}

function buildExpressionStatement(b: Builder, node: number): Statement {
  const range = rangeOf(b, node);
  const [child] = children(b, node);
  if (child === undefined) return { kind: "empty", range };
  const token = firstToken(b, node);
  const isAsm = b.tokens.kinds[token] === TokenKind.identifier && keywordRole(word(b, token))?.kind === "asm";
  if (isAsm) return { kind: "asm", range };
  return { kind: "expressionStatement", expression: buildExpression(b, child), range };
}

/** The parentheses around a condition belong to the statement, not to the expression. */
function buildCondition(b: Builder, node: number): Expr {
  return buildExpression(b, onlyChild(b, node));
}

/** A loop along the chain of `else if`, built from its end. */
function buildIf(b: Builder, node: number): Statement {
  const chain: { node: number; condition: Expr; then: Statement }[] = [];
  let rest: number | undefined = node;
  let last: Statement | null = null;
  while (rest !== undefined) {
    const [head, consequence, alternative]: number[] = children(b, rest);
    const condition = buildCondition(b, head!);
    const then = buildStatement(b, consequence!);
    chain.push({ node: rest, condition, then });
    rest = undefined;
    if (alternative === undefined) break;
    const next = onlyChild(b, alternative);
    if (typeOf(b, next) === "if_statement") rest = next;
    else last = buildStatement(b, next);
  }
  for (const link of chain.reverse()) {
    const { condition, then } = link;
    last = { kind: "if", condition, then, else: last, range: rangeOf(b, link.node) };
  }
  return last!;
}

/** To the grammar a `while`, a `switch` and all labels are one thing: a head and a statement. Chains of them are long. */
function buildHeaded(b: Builder, node: number): Statement {
  const chain: { node: number; head: number }[] = [];
  let rest = node;
  while (typeOf(b, rest) === "while_statement") {
    const [head, statement] = children(b, rest);
    chain.push({ node: rest, head: head! });
    rest = statement!;
  }
  let body = buildStatement(b, rest);
  for (const link of chain.reverse()) body = buildHead(b, link.node, link.head, body);
  return body;
}

function buildHead(b: Builder, node: number, head: number, body: Statement): Statement {
  const range = rangeOf(b, node);
  const keyword = word(b, firstToken(b, node));
  switch (keyword) {
    case "while":
      return { kind: "while", condition: buildCondition(b, head), body, range };
    case "switch":
      return { kind: "switch", value: buildCondition(b, head), body, range };
    case "default":
      return { kind: "default", body, range };
    case "case":
      return { kind: "case", ...buildCaseValue(b, onlyChild(b, head)), body, range };
    default:
      return { kind: "label", name: keyword, body, range };
  }
}

/** `1 ... 5` is outlined as the conditional `1 ?: 5`. */
function buildCaseValue(b: Builder, node: number): { from: Expr; to: Expr | null } {
  if (typeOf(b, node) === "conditional_expression") {
    const [from, to] = children(b, node);
    if (word(b, tokenBefore(b, to!)) === "...") return { from: buildExpression(b, from!), to: buildExpression(b, to!) };
  }
  return { from: buildExpression(b, node), to: null };
}

function buildFor(b: Builder, node: number): Statement {
  let init: Declaration | Expr | null = null;
  let condition: Expr | null = null;
  let update: Expr | null = null;
  let body: Statement | null = null;
  for (const part of children(b, node)) {
    switch (b.tree.fieldNames[b.tree.fields[part]!]) {
      case "initializer":
        init = typeOf(b, part) === "declaration" ? buildDeclaration(b, part) : buildExpression(b, part);
        break;
      case "condition":
        condition = buildExpression(b, part);
        break;
      case "update":
        update = buildExpression(b, part);
        break;
      default:
        body = buildStatement(b, part);
    }
  }
  const range = rangeOfTokens(b, firstToken(b, node), lastToken(b, node));
  return { kind: "for", init, condition, update, body: body ?? unexpected(b, node, "a loop without a body"), range };
}
