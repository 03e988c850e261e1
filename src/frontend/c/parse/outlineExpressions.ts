import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { outlineInitializer, outlineTypeName } from "./outlineDeclarations.ts";
import {
  copy,
  defer,
  expect,
  fail,
  isName,
  isPunctuator,
  isTypedefName,
  isTypeStart,
  kindAt,
  type Outliner,
  refuseUnknownType,
  show,
  unsupported,
  wordAt,
} from "./outliner.ts";
import { outlineBlock } from "./outlineStatements.ts";

export type ExpressionOptions = {
  readonly comma: boolean;
  /**
   * Where a declaration or a type could also start: a leading name is shown as `*x`, which can only be an
   * expression. The tree builder takes the `*` away again.
   */
  readonly guard: boolean;
};

export const ASSIGNMENT_EXPRESSION: ExpressionOptions = { comma: false, guard: false };
export const ANY_EXPRESSION: ExpressionOptions = { comma: true, guard: true };

const BINARY = new Set("+ - * / % << >> & | ^ == != < <= > >= && ||".split(" "));
const ASSIGNMENT = new Set("= *= /= %= += -= <<= >>= &= ^= |=".split(" "));
const UNARY = new Set("+ - ! ~ * & &&".split(" "));

/** Operators and operands in turn; what binds how is for the grammar to say. */
export function outlineExpression(o: Outliner, options: ExpressionOptions): void {
  while (wordAt(o) === "__extension__") o.at++;
  if (options.guard && isName(o)) show(o, "*");
  // The grammar would read `a * b = c` as `a * (b = c)`. In C only a unary expression stands left of an assignment.
  let assignable = true;
  for (;;) {
    const isUnary = outlineOperand(o);
    assignable = assignable && isUnary;
    const word = kindAt(o) === TokenKind.punctuator ? wordAt(o) : "";
    if (BINARY.has(word)) {
      assignable = false;
      copy(o);
    } else if (ASSIGNMENT.has(word)) {
      if (!assignable) fail(o, "expected something that can be assigned in front of the assignment");
      copy(o);
    } else if (word === "?") {
      assignable = false;
      copy(o);
      if (!isPunctuator(o, ":")) outlineExpression(o, { comma: true, guard: false });
      expect(o, ":", "in a conditional expression");
    } else if (word === "," && options.comma) {
      assignable = true;
      copy(o);
    } else return;
  }
}

/** A cast expression with its postfix operators. Returns whether it is a unary expression: no cast in front. */
function outlineOperand(o: Outliner): boolean {
  const first = o.at;
  let castFirst = false;
  const finish = (): boolean => {
    outlinePostfix(o);
    return !castFirst;
  };
  for (;;) {
    const word = wordAt(o);
    const kind = kindAt(o);
    if (kind === TokenKind.punctuator) {
      if (UNARY.has(word)) {
        if (word === "&&" && !isName(o, o.at + 1)) fail(o, "expected an expression");
        show(o, "*");
        o.at++;
      } else if (word === "++" || word === "--") copy(o);
      else if (word === "(") {
        const start = o.at;
        if (outlineParenthesis(o)) return finish();
        if (start === first) castFirst = true;
      } else fail(o, "expected an expression");
    } else if (kind === TokenKind.identifier) {
      const role = keywordRole(word);
      if (role === undefined) {
        outlineName(o);
        return finish();
      }
      if (word === "__extension__") o.at++;
      else if (role.kind === "sizeof" || role.kind === "alignof") {
        if (outlineSizeof(o)) return !castFirst;
      } else if (role.kind === "complexPart") unsupported(o, "complex numbers are not supported", o.at, o.at);
      else if (role.kind === "generic") {
        outlineGeneric(o);
        return finish();
      } else fail(o, "expected an expression");
    } else if (kind === TokenKind.end) fail(o, "expected an expression");
    else {
      outlineLiteral(o);
      return finish();
    }
  }
}

/** Adjacent string literals are one literal. */
function outlineLiteral(o: Outliner): void {
  show(o, "1");
  if (kindAt(o) === TokenKind.string) {
    while (kindAt(o, o.at + 1) === TokenKind.string) o.at++;
  }
  o.at++;
}

/** Returns whether an operand is complete (a cast is not). */
function outlineParenthesis(o: Outliner): boolean {
  const open = o.at;
  if (isPunctuator(o, "{", open + 1)) {
    copy(o);
    outlineBlock(o);
    expect(o, ")", "after a statement expression");
    return true;
  }
  if (isTypeStart(o, open + 1)) return outlineTypeInParentheses(o);
  if (isName(o, open + 1)) refuseUnknownType(o, open + 1);
  copy(o);
  outlineExpression(o, ANY_EXPRESSION);
  expect(o, ")", "to close the parenthesis");
  return true;
}

/** A cast, or a compound literal: the latter gets parentheses around it, so that everything may follow it. */
function outlineTypeInParentheses(o: Outliner): boolean {
  const outer = o.pieces.texts.length;
  show(o, "");
  copy(o);
  outlineTypeName(o);
  expect(o, ")", "after a type name");
  if (!isPunctuator(o, "{")) return false;
  o.pieces.texts[outer] = "(";
  outlineInitializer(o);
  show(o, ")", o.at - 1);
  return true;
}

/** Returns whether the operand is complete: `sizeof(T)` is, `sizeof` before an expression is a unary operator. */
function outlineSizeof(o: Outliner): boolean {
  const operator = o.at;
  const alignment = keywordRole(wordAt(o))?.kind === "alignof";
  o.at++;
  if (!isPunctuator(o, "(") || !isTypeStart(o, o.at + 1)) {
    show(o, "*", operator);
    return false;
  }
  const piece = o.pieces.texts.length;
  show(o, "sizeof", operator);
  const complete = outlineTypeInParentheses(o);
  if (!complete) return true;
  if (alignment) fail(o, "expected a type name after _Alignof", operator);
  o.pieces.texts[piece] = "*";
  outlinePostfix(o);
  return true;
}

function outlineName(o: Outliner): void {
  const word = wordAt(o);
  const typeArguments = isPunctuator(o, "(", o.at + 1) ? TYPE_ARGUMENTS.get(word) : undefined;
  if (isTypedefName(o)) fail(o, "expected an expression", o.at);
  show(o, "x");
  o.at++;
  if (typeArguments === undefined) return;
  copy(o);
  typeArguments.forEach((argument, index) => {
    if (index > 0) expect(o, ",", `between the arguments of ${word}`);
    if (argument === "type") outlineTypeArgument(o);
    else if (argument === "expression") outlineExpression(o, ASSIGNMENT_EXPRESSION);
    else outlineMemberPath(o);
  });
  expect(o, ")", `after the arguments of ${word}`);
}

/** Builtins that take types: each type is shown as the cast `(int) 1`. */
const TYPE_ARGUMENTS = new Map<string, readonly ("type" | "expression" | "path")[]>([
  ["__builtin_va_arg", ["expression", "type"]],
  ["__builtin_offsetof", ["type", "path"]],
  ["__builtin_types_compatible_p", ["type", "type"]],
]);

function outlineTypeArgument(o: Outliner): void {
  const token = o.at;
  if (!isTypeStart(o)) fail(o, "expected a type name");
  show(o, "(", token);
  outlineTypeName(o);
  show(o, ")", o.at - 1);
  show(o, "1", o.at - 1);
}

/** `a.b[2].c` in `offsetof`, shown as the expression it looks like. */
function outlineMemberPath(o: Outliner): void {
  if (!isName(o)) fail(o, "expected a member name");
  show(o, "x");
  o.at++;
  outlinePostfix(o);
}

/** `_Generic(e, T: a, default: b)` is shown as the call `x(e, (int) 1, a, 1, b)`. */
function outlineGeneric(o: Outliner): void {
  show(o, "x");
  o.at++;
  expect(o, "(", "after _Generic");
  outlineExpression(o, ASSIGNMENT_EXPRESSION);
  while (isPunctuator(o, ",")) {
    copy(o);
    if (wordAt(o) === "default") {
      show(o, "1");
      o.at++;
    } else outlineAssociation(o);
    if (!isPunctuator(o, ":")) fail(o, "expected ':' in _Generic");
    show(o, ",");
    o.at++;
    outlineExpression(o, ASSIGNMENT_EXPRESSION);
  }
  expect(o, ")", "after _Generic");
}

/** The syntax tree has no qualifiers, so it cannot tell `char *` from `const char *`. */
function outlineAssociation(o: Outliner): void {
  const first = o.at;
  outlineTypeArgument(o);
  for (let token = first; token < o.at; token++) {
    if (/^_*(const|volatile)_*$/.test(wordAt(o, token))) {
      unsupported(o, "a qualified type in _Generic is not supported", token, token);
    }
  }
}

function outlinePostfix(o: Outliner): void {
  for (;;) {
    if (kindAt(o) !== TokenKind.punctuator) return;
    switch (wordAt(o)) {
      case "[":
        outlineSubscript(o);
        break;
      case "(":
        outlineArguments(o);
        break;
      case ".":
      case "->":
        copy(o);
        // Fields have their own name space: a typedef name or even a word of another dialect may be one.
        if (kindAt(o) !== TokenKind.identifier) fail(o, "expected a member name");
        show(o, "x");
        o.at++;
        break;
      case "++":
      case "--":
        copy(o);
        break;
      default:
        return;
    }
  }
}

/** The grammar knows no comma expression between brackets: it gets parentheses. */
function outlineSubscript(o: Outliner): void {
  const open = o.pieces.texts.length;
  copy(o);
  outlineExpression(o, ASSIGNMENT_EXPRESSION);
  const comma = isPunctuator(o, ",");
  if (comma) {
    o.pieces.texts[open] = "[(";
    copy(o);
    outlineExpression(o, { comma: true, guard: false });
    show(o, ")", o.at - 1);
  }
  expect(o, "]", "after a subscript");
}

function outlineArguments(o: Outliner): void {
  copy(o);
  if (!isPunctuator(o, ")")) {
    for (;;) {
      outlineExpression(o, ASSIGNMENT_EXPRESSION);
      if (!isPunctuator(o, ",")) break;
      copy(o);
    }
  }
  expect(o, ")", "after the arguments");
}

/** The parenthesised operand of `typeof`, `_Alignas` and some attributes, deferred. */
export function deferOperand(o: Outliner, comma: boolean): number {
  return defer(o, () => {
    if (isTypeStart(o)) {
      show(o, "sizeof");
      show(o, "(");
      outlineTypeName(o);
      show(o, ")", o.at - 1);
    } else outlineExpression(o, { comma, guard: true });
  });
}
