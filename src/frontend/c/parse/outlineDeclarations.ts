import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { outlineAttributes, skipParentheses } from "./outlineAttributes.ts";
import { outlineDeclarator } from "./outlineDeclarators.ts";
import { ASSIGNMENT_EXPRESSION, deferOperand, outlineExpression } from "./outlineExpressions.ts";
import {
  copy,
  expect,
  fail,
  failUnknownType,
  isName,
  isPunctuator,
  isTypeStart,
  kindAt,
  type Outliner,
  show,
  unsupported,
  wordAt,
} from "./outliner.ts";
import { outlineSpecifiers } from "./outlineSpecifiers.ts";
import { outlineBlock } from "./outlineStatements.ts";

/** One item at file scope. */
export function outlineExternal(o: Outliner): void {
  if (isPunctuator(o, ";")) {
    o.at++;
    return;
  }
  if (wordAt(o) === "extern" && wordAt(o, o.at + 1).startsWith('"')) {
    outlineLinkage(o);
    return;
  }
  if (wordAt(o) === "__extension__") {
    o.at++;
    return;
  }
  const role = kindAt(o) === TokenKind.identifier ? keywordRole(wordAt(o)) : undefined;
  if (role?.kind === "staticAssert") return outlineStaticAssert(o);
  if (role?.kind === "asm") {
    const first = o.at++;
    skipParentheses(o);
    unsupported(o, "inline assembly is not supported", first, o.at - 1);
  }
  const starts = isTypeStart(o) || isName(o) || isPunctuator(o, "*") || isPunctuator(o, "(");
  if (!starts) fail(o, "expected a declaration or a function");
  outlineDeclaration(o, "file");
}

/** `extern "C" { ... }` of headers that are shared with C++: the braces mean nothing in C. */
function outlineLinkage(o: Outliner): void {
  o.at += 2;
  if (!isPunctuator(o, "{")) return outlineExternal(o);
  o.at++;
  while (!isPunctuator(o, "}")) {
    if (kindAt(o) === TokenKind.end) fail(o, "expected '}'");
    outlineExternal(o);
  }
  o.at++;
}

/** Where a declaration stands decides what it may be: only at file scope can it define a function. */
export type DeclarationPlace = "file" | "block" | "for" | "oldStyle";

export function outlineDeclaration(o: Outliner, place: DeclarationPlace): void {
  const first = o.at;
  const draft = outlineSpecifiers(o);
  if (isPunctuator(o, ";")) {
    copy(o);
    return;
  }
  for (let index = 0; ; index++) {
    const declared = outlineDeclarator(o, "named", draft.attributes);
    outlineAttributes(o, draft.attributes);
    o.scopes.declare(wordAt(o, declared.nameToken), draft.storage === "typedef");
    if (index === 0 && place !== "oldStyle" && declared.parameters !== null && startsBody(o, declared.oldStyle)) {
      if (place !== "file") unsupported(o, "nested functions are not supported", first, declared.nameToken);
      return outlineFunctionBody(o, declared.parameters);
    }
    if (isPunctuator(o, "=")) {
      copy(o);
      outlineInitializer(o);
    }
    outlineAttributes(o, draft.attributes);
    if (!isPunctuator(o, ",")) break;
    copy(o);
    outlineAttributes(o, draft.attributes);
  }
  if (!isPunctuator(o, ";")) fail(o, "expected ';' after a declaration");
  copy(o);
}

function startsBody(o: Outliner, oldStyle: boolean): boolean {
  return isPunctuator(o, "{") || (oldStyle && isTypeStart(o));
}

/** K&R's parameter declarations are shown as the first declarations of the body: the grammar misses them elsewhere. */
function outlineFunctionBody(o: Outliner, parameters: ReadonlyMap<string, boolean>): void {
  o.scopes.push(parameters);
  const first = o.at;
  let count = 0;
  while (!isPunctuator(o, "{")) {
    if (!isTypeStart(o)) fail(o, "expected the body of the function");
    if (count === 0) show(o, "{", first);
    outlineDeclaration(o, "oldStyle");
    count++;
  }
  if (count > 0) o.oldStyleBodies.set(first, { declarations: count, brace: o.at });
  outlineBlock(o, count === 0);
  o.scopes.pop();
}

export function outlineStaticAssert(o: Outliner): void {
  const first = o.at;
  show(o, "int", first);
  show(o, ";", first);
  o.at++;
  if (!isPunctuator(o, "(")) fail(o, "expected '(' after _Static_assert");
  o.at++;
  const operand = deferOperand(o, false);
  o.staticAsserts.set(first, operand);
  if (isPunctuator(o, ",")) {
    o.at++;
    while (kindAt(o) === TokenKind.string) o.at++;
  }
  if (!isPunctuator(o, ")")) fail(o, "expected ')' after _Static_assert");
  o.at++;
  if (!isPunctuator(o, ";")) fail(o, "expected ';' after _Static_assert");
  o.at++;
}

/** The members of a struct or union, with the braces. */
export function outlineFields(o: Outliner): void {
  copy(o);
  while (!isPunctuator(o, "}")) {
    if (isPunctuator(o, ";")) o.at++;
    else if (keywordRole(wordAt(o))?.kind === "staticAssert") outlineStaticAssert(o);
    else outlineFieldDeclaration(o);
  }
  copy(o);
}

function outlineFieldDeclaration(o: Outliner): void {
  if (!isTypeStart(o)) {
    if (isName(o)) failUnknownType(o, o.at);
    fail(o, "expected a member declaration");
  }
  const draft = outlineSpecifiers(o);
  if (!isPunctuator(o, ";")) {
    for (;;) {
      // An anonymous bit-field is shown with a name of its own, which stands for the ':' token.
      if (isPunctuator(o, ":")) show(o, "x");
      else outlineDeclarator(o, "field", draft.attributes);
      outlineAttributes(o, draft.attributes);
      if (isPunctuator(o, ":")) {
        copy(o);
        outlineExpression(o, ASSIGNMENT_EXPRESSION);
      }
      outlineAttributes(o, draft.attributes);
      if (!isPunctuator(o, ",")) break;
      copy(o);
      outlineAttributes(o, draft.attributes);
    }
  }
  expect(o, ";", "after a member");
}

/** `int *(*)[3]`: a type without a name. */
export function outlineTypeName(o: Outliner): void {
  const draft = outlineSpecifiers(o);
  outlineDeclarator(o, "abstract", draft.attributes);
}

export function outlineInitializer(o: Outliner): void {
  if (!isPunctuator(o, "{")) return outlineExpression(o, ASSIGNMENT_EXPRESSION);
  copy(o);
  while (!isPunctuator(o, "}")) {
    outlineDesignators(o);
    outlineInitializer(o);
    if (!isPunctuator(o, ",")) break;
    copy(o);
  }
  expect(o, "}", "after the initialiser");
}

/** `.a[2].b =`, and the two older GNU forms `a:` and `[2]` without a `=`. */
function outlineDesignators(o: Outliner): void {
  if (isName(o) && isPunctuator(o, ":", o.at + 1)) {
    show(o, ".");
    show(o, "x");
    show(o, "=", o.at + 1);
    o.at += 2;
    return;
  }
  const first = o.at;
  for (;;) {
    if (isPunctuator(o, ".")) {
      copy(o);
      if (kindAt(o) !== TokenKind.identifier) fail(o, "expected a member name");
      show(o, "x");
      o.at++;
    } else if (isPunctuator(o, "[")) {
      copy(o);
      outlineExpression(o, ASSIGNMENT_EXPRESSION);
      if (isPunctuator(o, "...")) {
        copy(o);
        outlineExpression(o, ASSIGNMENT_EXPRESSION);
      }
      expect(o, "]", "after a designator");
    } else break;
  }
  if (o.at === first) return;
  if (isPunctuator(o, "=")) copy(o);
  else show(o, "=", o.at - 1);
}
