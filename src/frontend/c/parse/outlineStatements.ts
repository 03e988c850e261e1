import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { skipParentheses } from "./outlineAttributes.ts";
import { outlineDeclaration, outlineStaticAssert } from "./outlineDeclarations.ts";
import { ANY_EXPRESSION, ASSIGNMENT_EXPRESSION, outlineExpression } from "./outlineExpressions.ts";
import {
  copy,
  expect,
  fail,
  isName,
  isPunctuator,
  isTypeStart,
  kindAt,
  type Outliner,
  refuseUnknownType,
  show,
  wordAt,
} from "./outliner.ts";

/** A compound statement, with its braces and its scope. */
export function outlineBlock(o: Outliner, showBrace = true): void {
  o.scopes.push();
  const open = o.at;
  if (showBrace) expect(o, "{", "to open a block");
  else o.at++;
  while (!isPunctuator(o, "}")) {
    if (kindAt(o) === TokenKind.end) fail(o, `expected '}' for the block`, open);
    outlineBlockItem(o);
  }
  copy(o);
  o.scopes.pop();
}

function outlineBlockItem(o: Outliner): void {
  if (startsDeclaration(o)) outlineDeclaration(o, "block");
  else outlineStatement(o);
}

function startsDeclaration(o: Outliner): boolean {
  if (!isTypeStart(o)) return false;
  // A typedef name in front of a colon is a label.
  if (isName(o) && isPunctuator(o, ":", o.at + 1)) return false;
  return !startsWithAttribute(o) || attributesPrecedeType(o);
}

function startsWithAttribute(o: Outliner): boolean {
  return keywordRole(wordAt(o))?.kind === "attribute";
}

/** An attribute of a statement or a label says nothing about what it does. */
function skipAttribute(o: Outliner): void {
  o.at++;
  skipParentheses(o);
}

/** `__attribute__((unused)) int x;` is a declaration, `__attribute__((fallthrough));` a statement. */
function attributesPrecedeType(o: Outliner): boolean {
  const start = o.at;
  while (startsWithAttribute(o)) skipAttribute(o);
  const result = isTypeStart(o);
  o.at = start;
  return result;
}

function outlineStatement(o: Outliner): void {
  for (;;) {
    while (startsWithAttribute(o)) skipAttribute(o);
    if (kindAt(o) !== TokenKind.identifier) {
      if (isPunctuator(o, "{")) return outlineBlock(o);
      if (isPunctuator(o, ";")) return copy(o);
      return outlineExpressionStatement(o);
    }
    if (isName(o)) {
      if (!isPunctuator(o, ":", o.at + 1)) return outlineExpressionStatement(o);
      if (outlineLabel(o, showOne)) return;
      continue;
    }
    switch (wordAt(o)) {
      case "if":
        copy(o);
        outlineCondition(o);
        outlineStatement(o);
        if (wordAt(o) !== "else") return;
        copy(o);
        continue;
      case "while":
      case "switch":
        // To the grammar a switch is a loop, and so are its labels: a head with a statement, of any kind, behind it.
        show(o, "while");
        o.at++;
        outlineCondition(o);
        continue;
      case "case":
        o.at++;
        if (outlineLabel(o, outlineCaseValue)) return;
        continue;
      case "default":
        if (outlineLabel(o, showOne)) return;
        continue;
      case "do":
        return outlineDo(o);
      case "for":
        return outlineFor(o);
      default:
        return outlineSimpleStatement(o);
    }
  }
}

/**
 * A label of any kind, shown as `while (value)`. Before a declaration or the end of its block it stands alone: the
 * grammar gets a `;`, and the statement is complete.
 */
function outlineLabel(o: Outliner, outlineValue: (o: Outliner) => void): boolean {
  const first = wordAt(o, o.at - 1) === "case" ? o.at - 1 : o.at;
  show(o, "while", first);
  show(o, "(", first);
  outlineValue(o);
  if (!isPunctuator(o, ":")) fail(o, "expected ':' after a label");
  show(o, ")");
  o.at++;
  while (startsWithAttribute(o) && !attributesPrecedeType(o)) skipAttribute(o);
  const alone = isPunctuator(o, "}") || startsDeclaration(o);
  if (alone) show(o, ";", o.at - 1);
  return alone;
}

function showOne(o: Outliner): void {
  show(o, "1");
  o.at++;
}

/** GNU's `case 1 ... 5` is shown as the conditional `1 ?: 5`. */
function outlineCaseValue(o: Outliner): void {
  outlineExpression(o, { comma: false, guard: true });
  if (!isPunctuator(o, "...")) return;
  show(o, "?");
  show(o, ":");
  o.at++;
  outlineExpression(o, ASSIGNMENT_EXPRESSION);
}

function outlineCondition(o: Outliner): void {
  expect(o, "(", "before the condition");
  outlineExpression(o, ANY_EXPRESSION);
  expect(o, ")", "after the condition");
}

function outlineExpressionStatement(o: Outliner): void {
  if (isName(o)) refuseUnknownType(o);
  outlineExpression(o, ANY_EXPRESSION);
  expect(o, ";", "after an expression");
}

function outlineDo(o: Outliner): void {
  copy(o);
  outlineStatement(o);
  if (wordAt(o) !== "while") fail(o, "expected 'while' after the body of 'do'");
  copy(o);
  outlineCondition(o);
  expect(o, ";", "after 'do ... while (...)'");
}

function outlineFor(o: Outliner): void {
  o.scopes.push();
  copy(o);
  expect(o, "(", "after 'for'");
  if (isTypeStart(o)) outlineDeclaration(o, "for");
  else {
    if (!isPunctuator(o, ";")) outlineExpression(o, ANY_EXPRESSION);
    expect(o, ";", "in the head of 'for'");
  }
  if (!isPunctuator(o, ";")) outlineExpression(o, ANY_EXPRESSION);
  expect(o, ";", "in the head of 'for'");
  if (!isPunctuator(o, ")")) outlineExpression(o, ANY_EXPRESSION);
  expect(o, ")", "after the head of 'for'");
  outlineStatement(o);
  o.scopes.pop();
}

function outlineSimpleStatement(o: Outliner): void {
  const role = keywordRole(wordAt(o));
  switch (wordAt(o)) {
    case "return":
      copy(o);
      if (!isPunctuator(o, ";")) outlineExpression(o, ANY_EXPRESSION);
      return expect(o, ";", "after 'return'");
    case "break":
    case "continue": {
      const word = wordAt(o);
      copy(o);
      return expect(o, ";", `after '${word}'`);
    }
    case "goto":
      return outlineGoto(o);
  }
  switch (role?.kind) {
    case "asm":
      return outlineAsm(o);
    case "staticAssert":
      return outlineStaticAssert(o);
    case "localLabel":
      while (!isPunctuator(o, ";")) {
        if (kindAt(o) === TokenKind.end) fail(o, "expected ';' after the local labels");
        o.at++;
      }
      return copy(o);
    default:
      return outlineExpressionStatement(o);
  }
}

/** The operand of GNU's `goto *p` is dropped: no such jump is ever followed. */
function outlineGoto(o: Outliner): void {
  copy(o);
  show(o, "x");
  if (isPunctuator(o, "*")) {
    while (!isPunctuator(o, ";") && kindAt(o) !== TokenKind.end) o.at++;
  } else {
    if (!isName(o)) fail(o, "expected the name of a label");
    o.at++;
  }
  expect(o, ";", "after 'goto'");
}

/** Shown as `1;`, with the token `asm`. Microsoft's form is a block without a semicolon. */
function outlineAsm(o: Outliner): void {
  show(o, "1");
  o.at++;
  while (keywordRole(wordAt(o)) !== undefined) o.at++;
  if (isPunctuator(o, "{")) {
    while (!isPunctuator(o, "}")) {
      if (kindAt(o) === TokenKind.end) fail(o, "expected '}' after inline assembly");
      o.at++;
    }
    show(o, ";");
    o.at++;
    return;
  }
  skipParentheses(o);
  expect(o, ";", "after inline assembly");
}
