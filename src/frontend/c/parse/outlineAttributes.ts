import { TokenKind } from "../preprocess/scanToken.ts";
import { keywordRole } from "./keywords.ts";
import { deferOperand } from "./outlineExpressions.ts";
import { type AttributeDraft, fail, isPunctuator, kindAt, type Outliner, rangeOfTokens, wordAt } from "./outliner.ts";

/** Attributes whose argument changes what a type is. The arguments of the others are not kept. */
const WITH_OPERANDS = new Set(["aligned", "vector_size"]);

/**
 * Takes the attributes, `asm("symbol")` labels and qualifiers that may stand between the parts of a declaration. The
 * grammar does not see them.
 */
export function outlineAttributes(o: Outliner, into: AttributeDraft[]): void {
  for (;;) {
    const role = kindAt(o) === TokenKind.identifier ? keywordRole(wordAt(o)) : undefined;
    switch (role?.kind) {
      case "attribute":
        o.at++;
        outlineAttributeList(o, into, 2);
        break;
      case "declspec":
        o.at++;
        outlineAttributeList(o, into, 1);
        break;
      case "asm":
        o.at++;
        skipParentheses(o);
        break;
      case "qualifier":
        o.at++;
        break;
      default:
        return;
    }
  }
}

function outlineAttributeList(o: Outliner, into: AttributeDraft[], depth: 1 | 2): void {
  for (let open = 0; open < depth; open++) {
    if (!isPunctuator(o, "(")) fail(o, "expected '(' after an attribute");
    o.at++;
  }
  while (!isPunctuator(o, ")")) {
    if (isPunctuator(o, ",")) {
      o.at++;
      continue;
    }
    if (kindAt(o) !== TokenKind.identifier) fail(o, "expected the name of an attribute");
    const first = o.at;
    const name = wordAt(o).replace(/^__(.+)__$/, "$1");
    const operands: number[] = [];
    o.at++;
    if (isPunctuator(o, "(")) {
      if (WITH_OPERANDS.has(name) && !isPunctuator(o, ")", o.at + 1)) {
        o.at++;
        operands.push(deferOperand(o, false));
        if (!isPunctuator(o, ")")) fail(o, "expected ')' after an attribute's argument");
        o.at++;
      } else skipParentheses(o);
    }
    into.push({ name, operands, range: rangeOfTokens(o, first, o.at - 1) });
  }
  for (let close = 0; close < depth; close++) {
    if (!isPunctuator(o, ")")) fail(o, "expected ')' after an attribute");
    o.at++;
  }
}

/** Skips a balanced parenthesis. */
export function skipParentheses(o: Outliner): void {
  const open = o.at;
  if (!isPunctuator(o, "(")) fail(o, "expected '('");
  let depth = 0;
  do {
    if (kindAt(o) === TokenKind.end) fail(o, "expected ')' for this parenthesis", open);
    if (isPunctuator(o, "(")) depth++;
    else if (isPunctuator(o, ")")) depth--;
    o.at++;
  } while (depth > 0);
}
