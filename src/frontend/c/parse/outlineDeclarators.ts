import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { outlineAttributes } from "./outlineAttributes.ts";
import { ASSIGNMENT_EXPRESSION, outlineExpression } from "./outlineExpressions.ts";
import {
  type AttributeDraft,
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
  wordAt,
} from "./outliner.ts";
import { outlineSpecifiers } from "./outlineSpecifiers.ts";

export type OutlinedDeclarator = {
  /** -1 when there is no name. */
  readonly nameToken: number;
  /** The names that the parameters declare, when the named thing is a function. */
  readonly parameters: ReadonlyMap<string, boolean> | null;
  /** `f(a, b)`: K&R. */
  readonly oldStyle: boolean;
};

/** A parameter may have a name or not; a field's name may be any identifier. */
export type DeclaratorPlace = "named" | "field" | "parameter" | "abstract";

type Found = { nameToken: number; parameters: ReadonlyMap<string, boolean> | null; oldStyle: boolean };

/** Attributes anywhere in the declarator go to `attributes`. */
export function outlineDeclarator(
  o: Outliner,
  place: DeclaratorPlace,
  attributes: AttributeDraft[],
): OutlinedDeclarator {
  const found: Found = { nameToken: -1, parameters: null, oldStyle: false };
  outlinePart(o, place, found, attributes);
  if (found.nameToken < 0 && (place === "named" || place === "field")) fail(o, "expected a name");
  return found;
}

function outlinePart(o: Outliner, place: DeclaratorPlace, found: Found, attributes: AttributeDraft[]): void {
  outlineAttributes(o, attributes);
  while (isPunctuator(o, "*")) {
    copy(o);
    while (keywordRole(wordAt(o))?.kind === "unsupportedSpecifier") o.at++;
    outlineAttributes(o, attributes);
  }
  if (place !== "abstract" && isName(o)) {
    found.nameToken = o.at;
    show(o, "x");
    o.at++;
  } else if (isPunctuator(o, "(") && !startsParameters(o, place)) {
    outlineParenthesis(o, place, found, attributes);
  }
  outlineSuffixes(o, found, attributes);
}

/** Parentheses mean something around a pointer only. Around a name the grammar may take them for parameters. */
function outlineParenthesis(o: Outliner, place: DeclaratorPlace, found: Found, attributes: AttributeDraft[]): void {
  const open = o.at++;
  outlineAttributes(o, attributes);
  const shown = isPunctuator(o, "*");
  if (shown) show(o, "(", open);
  outlinePart(o, place, found, attributes);
  if (!isPunctuator(o, ")")) fail(o, "expected ')' in a declarator");
  if (shown) show(o, ")");
  o.at++;
}

/** Behind a type without a name, `(` opens a parameter list when it is empty or a type follows (C11 6.7.6.3 p11). */
function startsParameters(o: Outliner, place: DeclaratorPlace): boolean {
  if (place === "named" || place === "field") return false;
  return isPunctuator(o, ")", o.at + 1) || isPunctuator(o, "...", o.at + 1) || startsType(o, o.at + 1);
}

function startsType(o: Outliner, token: number): boolean {
  // `(__attribute__((x)) *)` and `(const *)` are declarators, not parameters.
  let at = token;
  while (keywordRole(wordAt(o, at))?.kind === "qualifier") at++;
  if (keywordRole(wordAt(o, at))?.kind === "attribute") return false;
  return isTypeStart(o, at);
}

function outlineSuffixes(o: Outliner, found: Found, attributes: AttributeDraft[]): void {
  let direct = found.parameters === null;
  for (;;) {
    if (isPunctuator(o, "[")) {
      outlineArraySuffix(o);
      direct = false;
    } else if (isPunctuator(o, "(")) {
      const names = outlineParameters(o, found);
      if (direct && found.parameters === null) found.parameters = names;
      direct = false;
    } else {
      const before = o.at;
      outlineAttributes(o, attributes);
      if (o.at === before || !(isPunctuator(o, "[") || isPunctuator(o, "("))) return;
    }
  }
}

/** `[static 3]`, `[const]`, `[*]`: only a length is shown. */
function outlineArraySuffix(o: Outliner): void {
  copy(o);
  while (kindAt(o) === TokenKind.identifier) {
    const role = keywordRole(wordAt(o));
    if (role?.kind === "qualifier" || (role?.kind === "storage" && role.word === "static")) o.at++;
    else break;
  }
  if (isPunctuator(o, "*") && isPunctuator(o, "]", o.at + 1)) o.at++;
  if (!isPunctuator(o, "]")) outlineExpression(o, ASSIGNMENT_EXPRESSION);
  expect(o, "]", "after an array's length");
}

function outlineParameters(o: Outliner, found: Found): ReadonlyMap<string, boolean> {
  o.scopes.push();
  copy(o);
  const oldStyle = isName(o) && !isTypeStart(o);
  if (oldStyle) {
    if (found.parameters === null) found.oldStyle = true;
    outlineIdentifiers(o);
  } else if (!isPunctuator(o, ")")) {
    for (;;) {
      if (isPunctuator(o, "...")) copy(o);
      else outlineParameter(o);
      if (!isPunctuator(o, ",")) break;
      copy(o);
    }
  }
  expect(o, ")", "after the parameters");
  return o.scopes.pop();
}

function outlineParameter(o: Outliner): void {
  if (!isTypeStart(o)) {
    if (isName(o)) failUnknownType(o, o.at);
    fail(o, "expected the type of a parameter");
  }
  const draft = outlineSpecifiers(o);
  const declared = outlineDeclarator(o, "parameter", draft.attributes);
  outlineAttributes(o, draft.attributes);
  if (declared.nameToken >= 0) o.scopes.declare(wordAt(o, declared.nameToken), false);
}

function outlineIdentifiers(o: Outliner): void {
  for (let first = o.at; ; ) {
    // `f(foo_t, int)` starts like a K&R list.
    if (isTypeStart(o) && !isName(o)) failUnknownType(o, first);
    if (!isName(o)) fail(o, "expected the name of a parameter");
    o.scopes.declare(wordAt(o), false);
    show(o, "x");
    o.at++;
    if (!isPunctuator(o, ",")) return;
    copy(o);
  }
}
