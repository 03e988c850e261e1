import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { evaluateCondition } from "./evaluateCondition.ts";
import { createExpander, type ExpansionState, expandTokens } from "./expandMacros.ts";
import { type Directive, type FileFrame, skipGroup } from "./fileStack.ts";
import { parseDefine, sameMacro } from "./macro.ts";
import type { PreprocessNote } from "./options.ts";
import { TokenKind } from "./scanToken.ts";
import { isIdentifier, isPunctuator, type PpToken, rangeOfPpToken, spell } from "./tokens.ts";

/** The preprocessor state that a directive may change. */
export type DirectiveContext = {
  readonly state: ExpansionState;
  readonly notes: PreprocessNote[];
  readonly include: (name: HeaderName, directive: PpToken, next: boolean) => void;
  readonly canInclude: (name: HeaderName, next: boolean) => boolean;
};

export function runDirective(context: DirectiveContext, frame: FileFrame, directive: Directive): void {
  const [word, ...rest] = directive.tokens;
  if (word === undefined) return;
  if (word.kind === TokenKind.number) return runLine(frame, word, directive.tokens);
  const { macros } = context.state;
  switch (word.text) {
    case "define": {
      const macro = parseDefine(rest, word);
      const old = macros.get(macro.name);
      if (old?.kind === "defined" && !sameMacro(old, macro) && frame.source.origin === "user") {
        context.notes.push({ message: `macro '${macro.name}' is redefined`, range: rangeOfPpToken(nth(rest, 0)) });
      }
      macros.set(macro.name, macro);
      return;
    }
    case "undef":
      if (!isIdentifier(rest[0])) throw bad("TF111", "expected the name of a macro after #undef", word);
      macros.delete(rest[0].text);
      return;
    case "if":
    case "ifdef":
    case "ifndef":
      return openGroup(context, frame, word, rest);
    case "elif":
    case "elifdef":
    case "elifndef":
    case "else":
      // An earlier group was chosen, so this one is not.
      checkElse(frame, word);
      return skipToEnd(frame);
    case "endif":
      if (frame.conditions.pop() === undefined) throw bad("TF115", "#endif without #if", word);
      return;
    case "include":
    case "import":
      return context.include(headerNameOf(context.state, rest, word), word, false);
    case "include_next":
      return context.include(headerNameOf(context.state, rest, word), word, true);
    case "error":
      throw bad("TF116", `#error ${spell(rest)}`, word);
    case "warning":
      context.notes.push({ message: `#warning ${spell(rest)}`, range: rangeOfPpToken(word) });
      return;
    case "line":
      return runLine(frame, word, expandTokens(context.state, rest));
    case "pragma":
      return context.state.pragma(rest);
    case "ident":
    case "sccs":
    case "assert":
    case "unassert":
      return;
    default:
      throw bad("TF110", `unknown directive #${word.text}`, word);
  }
}

function bad(code: "TF110" | "TF111" | "TF115" | "TF116", message: string, token: PpToken): TracefoldError {
  return new TracefoldError({ code, message, range: rangeOfPpToken(token) });
}

function openGroup(context: DirectiveContext, frame: FileFrame, word: PpToken, rest: readonly PpToken[]): void {
  const truth = conditionHolds(context, word, rest);
  frame.conditions.push({ open: word, chosen: truth, elseSeen: false });
  if (!truth) chooseGroup(context, frame);
}

/** Skips groups until one is chosen or the condition ends. */
function chooseGroup(context: DirectiveContext, frame: FileFrame): void {
  const condition = nth(frame.conditions, frame.conditions.length - 1);
  for (;;) {
    const [word, ...rest] = skipGroup(frame).tokens;
    if (word!.text === "endif") {
      frame.conditions.pop();
      return;
    }
    checkElse(frame, word!);
    if (condition.chosen) continue;
    if (word!.text === "else" || conditionHolds(context, word!, rest)) {
      condition.chosen = true;
      return;
    }
  }
}

function skipToEnd(frame: FileFrame): void {
  for (;;) {
    const [word] = skipGroup(frame).tokens;
    if (word!.text === "endif") {
      frame.conditions.pop();
      return;
    }
    checkElse(frame, word!);
  }
}

function checkElse(frame: FileFrame, word: PpToken): void {
  const condition = frame.conditions[frame.conditions.length - 1];
  if (condition === undefined) throw bad("TF115", `#${word.text} without #if`, word);
  if (condition.elseSeen) throw bad("TF115", `#${word.text} after #else`, word);
  if (word.text === "else") condition.elseSeen = true;
}

function conditionHolds(context: DirectiveContext, word: PpToken, rest: readonly PpToken[]): boolean {
  if (word.text === "if" || word.text === "elif") return evaluateCondition(expandCondition(context, word, rest), word);
  if (!isIdentifier(rest[0])) throw bad("TF111", `expected the name of a macro after #${word.text}`, word);
  return isDefined(context.state, rest[0].text) !== word.text.endsWith("ndef");
}

const QUERIES = new Set(["__has_include", "__has_include_next", "__has_attribute", "__has_builtin"]);

function isDefined(state: ExpansionState, name: string): boolean {
  return state.macros.has(name) || QUERIES.has(name);
}

/** Expands a condition; the operands of `defined` and of `__has_` queries are not expanded. */
function expandCondition(context: DirectiveContext, word: PpToken, tokens: readonly PpToken[]): PpToken[] {
  let at = 0;
  const expander = createExpander(context.state, { next: () => tokens[at++] ?? null });
  const result: PpToken[] = [];
  const operand = (): PpToken[] => {
    const found: PpToken[] = [];
    const first = expander.raw();
    if (!isPunctuator(first ?? undefined, "(")) return first === null ? found : [first];
    for (let depth = 1; ; ) {
      const token = expander.raw();
      if (token === null) throw bad("TF111", "expected ')' in a condition", word);
      if (isPunctuator(token, "(")) depth++;
      else if (isPunctuator(token, ")") && --depth === 0) return found;
      found.push(token);
    }
  };
  for (let token = expander.next(); token !== null; token = expander.next()) {
    if (!isIdentifier(token)) result.push(token);
    else if (token.text === "defined") {
      const [name] = operand();
      if (!isIdentifier(name)) throw bad("TF111", "expected the name of a macro after 'defined'", word);
      result.push({ ...token, kind: TokenKind.number, text: isDefined(context.state, name.text) ? "1" : "0" });
    } else if (QUERIES.has(token.text)) {
      const found = operand();
      const holds =
        token.text.startsWith("__has_include") &&
        context.canInclude(headerNameOf(context.state, found, word), token.text.endsWith("_next"));
      result.push({ ...token, kind: TokenKind.number, text: holds ? "1" : "0" });
    } else result.push(token);
  }
  return result;
}

/** `#line 7 "x.c"` and `# 7 "x.c"` change `__LINE__` and `__FILE__`, never the places in messages. */
function runLine(frame: FileFrame, word: PpToken, tokens: readonly PpToken[]): void {
  const [line, file] = tokens;
  if (line?.kind !== TokenKind.number || !/^[0-9]+$/.test(line.text)) {
    throw bad("TF110", "expected a line number after #line", word);
  }
  const physical = rangeOfPpToken(word).line;
  frame.lineShift = Number(line.text) - (physical + 1);
  if (file?.kind === TokenKind.string) frame.presumedFile = file.text.slice(1, -1);
}

/** `#pragma pack`. */
export type Packing = {
  readonly pragma: (tokens: readonly PpToken[]) => void;
  /** Passes a token on; after `struct` and `union` it adds the current attribute. */
  readonly add: (token: PpToken, to: (token: PpToken) => void) => void;
};

const ATTRIBUTE = ["__attribute__", "(", "(", "packed", ")", ")"];

export function createPacking(notes: PreprocessNote[]): Packing {
  let current: number | null = null;
  const saved: (number | null)[] = [];

  const pragma = (tokens: readonly PpToken[]): void => {
    if (tokens[0]?.text !== "pack" || !isPunctuator(tokens[1], "(")) return;
    const close = tokens.findIndex((token) => isPunctuator(token, ")"));
    const words = tokens.slice(2, close).filter((token) => !isPunctuator(token, ","));
    if (words[0]?.text === "push") saved.push(current);
    else if (words[0]?.text === "pop") current = saved.pop() ?? null;
    else if (words.length === 0) current = null;
    const size = words.find((token) => token.kind === TokenKind.number);
    if (size === undefined) return;
    current = Number(size.text);
    if (current > 1) {
      const message = `#pragma pack(${size.text}) is ignored: structs keep their usual layout`;
      notes.push({ message, range: rangeOfPpToken(size) });
    }
  };

  const add = (token: PpToken, to: (token: PpToken) => void): void => {
    to(token);
    const isRecord = token.kind === TokenKind.identifier && (token.text === "struct" || token.text === "union");
    if (current !== 1 || !isRecord) return;
    for (const text of ATTRIBUTE) {
      to({ ...token, text, kind: /^\w/.test(text) ? TokenKind.identifier : TokenKind.punctuator });
    }
  };

  return { pragma, add };
}

/** `"x.h"` or `<x.h>`. */
export type HeaderName = { readonly name: string; readonly quoted: boolean };

export function headerNameOf(state: ExpansionState, tokens: readonly PpToken[], directive: PpToken): HeaderName {
  const direct = readName(tokens);
  if (direct !== null) return direct;
  const name = readName(expandTokens(state, tokens));
  if (name !== null) return name;
  throw new TracefoldError({
    code: "TF117",
    message: `expected "file" or <file> after #${directive.text}`,
    range: rangeOfPpToken(directive),
  });
}

function readName(tokens: readonly PpToken[]): HeaderName | null {
  const first = tokens[0];
  if (first?.kind === TokenKind.string)
    return { name: first.text.slice(first.text.indexOf('"') + 1, -1), quoted: true };
  if (!isPunctuator(first, "<")) return null;
  // `<sys//x.h>` would be cut short by the comment; nobody writes that.
  // After `<x.h>>` compilers only warn.
  const end = tokens.findIndex(({ kind, text }) => kind === TokenKind.punctuator && text.startsWith(">"));
  return end < 0 ? null : { name: spell(tokens.slice(1, end)), quoted: false };
}
