import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { outlineAttributes } from "./outlineAttributes.ts";
import { outlineFields } from "./outlineDeclarations.ts";
import { ASSIGNMENT_EXPRESSION, deferOperand, outlineExpression } from "./outlineExpressions.ts";
import {
  copy,
  expect,
  fail,
  failUnknownType,
  isName,
  isPunctuator,
  isTypedefName,
  kindAt,
  type Outliner,
  rangeOfTokens,
  type SpecifierDraft,
  show,
  wordAt,
} from "./outliner.ts";

/**
 * Declaration specifiers in any order. The grammar sees only the type: `int`, `struct x { ... }` or `enum x { ... }`.
 * Without a type it is C89's implicit int.
 */
export function outlineSpecifiers(o: Outliner): SpecifierDraft {
  const draft = newDraft(o.at);
  while (outlineSpecifier(o, draft)) draft.lastToken = o.at - 1;
  if (draft.type === "none") {
    rejectUnknownType(o);
    draft.type = "basic";
    setType(o, draft, "int");
    if (o.at === draft.firstToken) draft.lastToken = o.at;
  }
  return draft;
}

function newDraft(at: number): SpecifierDraft {
  return {
    storage: null,
    inline: false,
    unsupported: [],
    type: "none",
    words: [],
    nameToken: null,
    union: false,
    operand: null,
    attributes: [],
    recordAttributes: [],
    typeToken: at,
    lastTypeToken: at,
    firstToken: at,
    lastToken: at,
  };
}

function setType(o: Outliner, draft: SpecifierDraft, text: string): void {
  draft.typeToken = o.at;
  draft.lastTypeToken = o.at;
  o.specifiers.set(o.at, draft);
  show(o, text);
}

/** Takes one specifier, if the current token is one. */
function outlineSpecifier(o: Outliner, draft: SpecifierDraft): boolean {
  if (kindAt(o) !== TokenKind.identifier) return false;
  const word = wordAt(o);
  const role = keywordRole(word);
  if (role === undefined) {
    if (draft.type !== "none" || !isTypedefName(o)) return false;
    draft.type = "typedefName";
    draft.nameToken = o.at;
    setType(o, draft, "int");
    o.at++;
    return true;
  }
  switch (role.kind) {
    case "storage":
      if (draft.storage !== null && draft.storage !== role.word) fail(o, "two storage classes in one declaration");
      draft.storage = role.word;
      o.at++;
      return true;
    case "basic":
      if (draft.type !== "none" && draft.type !== "basic") fail(o, "two types in one declaration");
      if (draft.type === "none") setType(o, draft, "int");
      draft.type = "basic";
      draft.words.push(...role.words);
      draft.lastTypeToken = o.at;
      o.at++;
      return true;
    case "qualifier":
      // `_Atomic(int)` is the type, as `typeof` is.
      if (word === "_Atomic" && isPunctuator(o, "(", o.at + 1)) outlineTypeof(o, draft);
      else o.at++;
      return true;
    case "inline":
      draft.inline = true;
      o.at++;
      return true;
    case "noreturn":
      draft.attributes.push({ name: "noreturn", operands: [], range: rangeOfTokens(o, o.at, o.at) });
      o.at++;
      return true;
    case "unsupportedSpecifier":
      draft.unsupported.push({ word, range: rangeOfTokens(o, o.at, o.at) });
      o.at++;
      return true;
    case "record":
      refuseSecondType(o, draft);
      outlineRecord(o, draft);
      return true;
    case "enum":
      refuseSecondType(o, draft);
      outlineEnum(o, draft);
      return true;
    case "typeof":
      refuseSecondType(o, draft);
      outlineTypeof(o, draft);
      return true;
    case "attribute":
    case "declspec":
      outlineAttributes(o, draft.attributes);
      return true;
    case "alignas": {
      const first = o.at++;
      if (!isPunctuator(o, "(")) fail(o, "expected '(' after _Alignas");
      o.at++;
      const operand = deferOperand(o, false);
      if (!isPunctuator(o, ")")) fail(o, "expected ')' after _Alignas");
      o.at++;
      draft.attributes.push({ name: "aligned", operands: [operand], range: rangeOfTokens(o, first, o.at - 1) });
      return true;
    }
    default:
      return false;
  }
}

function refuseSecondType(o: Outliner, draft: SpecifierDraft): void {
  if (draft.type !== "none") fail(o, "two types in one declaration");
}

function outlineTypeof(o: Outliner, draft: SpecifierDraft): void {
  draft.type = "typeof";
  setType(o, draft, "int");
  o.at++;
  if (!isPunctuator(o, "(")) fail(o, "expected '(' after typeof");
  o.at++;
  draft.operand = deferOperand(o, true);
  if (!isPunctuator(o, ")")) fail(o, "expected ')' after typeof");
  draft.lastTypeToken = o.at;
  o.at++;
}

function outlineRecord(o: Outliner, draft: SpecifierDraft): void {
  draft.type = "record";
  draft.union = wordAt(o) === "union";
  setType(o, draft, "struct");
  o.at++;
  outlineAttributes(o, draft.recordAttributes);
  const tagged = outlineTag(o, draft);
  if (isPunctuator(o, "{")) {
    outlineFields(o);
    draft.lastTypeToken = o.at - 1;
    outlineAttributes(o, draft.recordAttributes);
  } else if (!tagged) fail(o, "expected a tag or '{'");
}

function outlineTag(o: Outliner, draft: SpecifierDraft): boolean {
  if (!isName(o)) return false;
  draft.nameToken = o.at;
  draft.lastTypeToken = o.at;
  show(o, "x");
  o.at++;
  outlineAttributes(o, draft.recordAttributes);
  return true;
}

function outlineEnum(o: Outliner, draft: SpecifierDraft): void {
  draft.type = "enum";
  setType(o, draft, "enum");
  o.at++;
  outlineAttributes(o, draft.attributes);
  const tagged = outlineTag(o, draft);
  if (!isPunctuator(o, "{")) {
    if (!tagged) fail(o, "expected a tag or '{'");
    return;
  }
  copy(o);
  while (!isPunctuator(o, "}")) {
    if (!isName(o)) fail(o, "expected the name of an enumerator");
    const name = wordAt(o);
    show(o, "x");
    o.at++;
    outlineAttributes(o, []);
    if (isPunctuator(o, "=")) {
      copy(o);
      outlineExpression(o, ASSIGNMENT_EXPRESSION);
    }
    o.scopes.declare(name, false);
    if (!isPunctuator(o, ",")) break;
    copy(o);
  }
  expect(o, "}", "after the enumerators");
  draft.lastTypeToken = o.at - 1;
  outlineAttributes(o, draft.attributes);
}

/** At file scope and behind a storage class, `foo_t *x` can only be a declaration. */
function rejectUnknownType(o: Outliner): void {
  if (!isName(o) || o.scopes.isDeclared(wordAt(o))) return;
  let next = o.at + 1;
  while (isPunctuator(o, "*", next)) next++;
  if (isName(o, next)) failUnknownType(o, o.at);
}
