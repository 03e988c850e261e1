import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { expandDynamic, type Macro, type MacroTable } from "./macro.ts";
import { endOf, kindOf, scanToken, TokenKind } from "./scanToken.ts";
import { isIdentifier, isPunctuator, type MacroInvocation, type PpToken, rangeOfPpToken, spell } from "./tokens.ts";

/** A stream of tokens; null at its end. */
export type TokenSource = { readonly next: () => PpToken | null };

/** `next` is the next expanded token, `raw` the next unexpanded one (the operand of `defined`). */
export type Expander = TokenSource & { readonly raw: () => PpToken | null };

const NONE: ReadonlySet<string> = new Set();

/** State beyond one expansion: `__COUNTER__` and `#line`. */
export type ExpansionState = {
  readonly macros: MacroTable;
  counter: number;
  /** Tokens produced by macros so far: a few lines can ask for more than any machine has. */
  steps: number;
  readonly presumedPlace: (token: PpToken) => { line: number; file: string };
  /** Executes the words after `#pragma`. */
  readonly pragma: (tokens: readonly PpToken[]) => void;
};

/**
 * Macro expansion of a stream. A macro is disabled until its replacement has been read; its name met before that is
 * painted and never expanded. This is gcc's behaviour, also where the standard leaves it open (`f(2)(9)`).
 */
export function createExpander(state: ExpansionState, source: TokenSource, off = NONE): Expander {
  const contexts: { tokens: readonly PpToken[]; at: number; macro: string }[] = [];
  const active = new Map<string, number>();

  const read = (): PpToken | null => {
    for (;;) {
      const context = contexts[contexts.length - 1];
      if (context === undefined) return source.next();
      if (context.at < context.tokens.length) return nth(context.tokens, context.at++);
      contexts.pop();
      active.set(context.macro, active.get(context.macro)! - 1);
    }
  };

  const push = (tokens: readonly PpToken[], macro: string): void => {
    contexts.push({ tokens, at: 0, macro });
    active.set(macro, (active.get(macro) ?? 0) + 1);
  };

  /** Returns tokens that were read ahead. */
  const unread = (tokens: readonly PpToken[]): void => push(tokens, "");

  const next = (): PpToken | null => {
    for (;;) {
      const token = read();
      if (token === null) return null;
      if (token.invocation !== null && ++state.steps > MAX_STEPS) throw tooMuch(token);
      if (!isIdentifier(token) || token.painted) return token;
      const macro = state.macros.get(token.text);
      if (macro === undefined) return token;
      if ((active.get(token.text) ?? 0) > 0 || off.has(token.text)) return { ...token, painted: true };
      const invocation = token.invocation ?? { source: token.source, start: token.start, end: token.end };
      if (macro.kind === "dynamic") {
        push(expandDynamic(state, token, invocation, read), macro.name);
        continue;
      }
      if (macro.parameters === null) {
        push(substitute(macro, [], token, invocation, expandAll), macro.name);
        continue;
      }
      const open = read();
      if (open === null || !isPunctuator(open, "(")) {
        if (open !== null) unread([open]);
        return token;
      }
      const given = readArguments(read, macro, token, invocation);
      push(substitute(macro, given, token, invocation, expandAll), macro.name);
    }
  };

  /** An argument is expanded on its own, with the currently disabled macros. */
  const expandAll = (tokens: readonly PpToken[]): PpToken[] => expandTokens(state, tokens, switchedOff(active, off));

  return { next, raw: read };
}

export function expandTokens(state: ExpansionState, tokens: readonly PpToken[], off = NONE): PpToken[] {
  let at = 0;
  const expander = createExpander(state, { next: () => tokens[at++] ?? null }, off);
  const result: PpToken[] = [];
  for (let token = expander.next(); token !== null; token = expander.next()) result.push(token);
  return result;
}

const MAX_STEPS = 1_000_000;

function tooMuch(token: PpToken): TracefoldError {
  return new TracefoldError({
    code: "TF303",
    message: "the macros expand to more than a million tokens",
    range: rangeOfPpToken(token),
  });
}

function switchedOff(active: ReadonlyMap<string, number>, off: ReadonlySet<string>): ReadonlySet<string> {
  const names = [...active].filter(([, count]) => count > 0).map(([name]) => name);
  return names.length === 0 ? off : new Set([...off, ...names]);
}

function readArguments(
  read: () => PpToken | null,
  macro: Macro,
  name: PpToken,
  invocation: MacroInvocation,
): PpToken[][] {
  const found: PpToken[][] = [[]];
  const fixed = macro.parameters!.length;
  for (let depth = 1; ; ) {
    const token = read();
    if (token === null || token.kind === TokenKind.end) {
      throw new TracefoldError({
        code: "TF112",
        message: `the invocation of macro '${macro.name}' is not closed`,
        range: rangeOfPpToken(name),
      });
    }
    if (isPunctuator(token, "(")) depth++;
    else if (isPunctuator(token, ")") && --depth === 0) {
      if (token.source === invocation.source && !token.fromBody) invocation.end = Math.max(invocation.end, token.end);
      break;
    }
    const separates = isPunctuator(token, ",") && depth === 1 && !(macro.variadic !== null && found.length > fixed);
    if (separates) found.push([]);
    else nth(found, found.length - 1).push(token);
  }
  return checkArguments(found, macro, name);
}

function checkArguments(found: PpToken[][], macro: Macro, name: PpToken): PpToken[][] {
  const fixed = macro.parameters!.length;
  const blank = found.length === 1 && nth(found, 0).length === 0;
  if (blank && fixed === 0) return macro.variadic === null ? [] : found;
  const enough = found.length >= fixed;
  const notTooMany = macro.variadic !== null ? found.length <= fixed + 1 : found.length === fixed;
  if (enough && notTooMany) return found;
  throw new TracefoldError({
    code: "TF112",
    message: `macro '${macro.name}' takes ${fixed}${macro.variadic === null ? "" : " or more"} argument${fixed === 1 ? "" : "s"}, but ${found.length} ${found.length === 1 ? "is" : "are"} given`,
    range: rangeOfPpToken(name),
  });
}

/** `given` is false if an invocation omits the variable arguments and their comma. */
type Argument = {
  readonly raw: readonly PpToken[];
  readonly expanded: () => readonly PpToken[];
  readonly given: boolean;
};

/** One use of a macro: its place and its arguments. */
type Substitution = {
  readonly macro: Macro;
  readonly name: PpToken;
  readonly invocation: MacroInvocation;
  readonly argumentOf: (token: PpToken | undefined) => Argument | undefined;
};

/** Substitutes the arguments and applies `#` and `##`; the result is not rescanned yet. */
export function substitute(
  macro: Macro,
  given: readonly (readonly PpToken[])[],
  name: PpToken,
  invocation: MacroInvocation,
  expandAll: (tokens: readonly PpToken[]) => PpToken[],
): PpToken[] {
  const names = [...(macro.parameters ?? []), ...(macro.variadic === null ? [] : [macro.variadic])];
  const byName = new Map<string, Argument>();
  names.forEach((parameter, index) => {
    const raw = given[index] ?? [];
    let expanded: PpToken[] | undefined;
    byName.set(parameter, {
      raw,
      expanded: () => {
        expanded ??= expandAll(raw);
        return expanded;
      },
      given: index < given.length && (raw.length > 0 || index > 0),
    });
  });
  const argumentOf = (token: PpToken | undefined) => (isIdentifier(token) ? byName.get(token.text) : undefined);
  const result = substituteTokens({ macro, name, invocation, argumentOf }, macro.body);
  return result.map((token, index) => (index === 0 ? { ...token, space: name.space } : token));
}

function substituteTokens(s: Substitution, body: readonly PpToken[]): PpToken[] {
  const result: PpToken[] = [];
  // An empty side of `##` contributes nothing.
  let lastEmpty = false;
  let pasting = false;
  for (let at = 0; at < body.length; ) {
    if (at > 0 && isPunctuator(body[at], "##")) {
      pasting = true;
      at++;
      continue;
    }
    const { tokens, used } = operandAt(s, body, at, pasting);
    at += used;
    if (!pasting) {
      result.push(...tokens);
      lastEmpty = tokens.length === 0;
      continue;
    }
    pasting = false;
    const left = lastEmpty ? undefined : result.pop();
    if (left === undefined) result.push(...tokens);
    else if (tokens.length === 0) result.push(left);
    else result.push(paste(s, left, nth(tokens, 0)), ...tokens.slice(1));
    lastEmpty = lastEmpty && tokens.length === 0;
  }
  return result;
}

/** The result of one operand of the body, and its number of tokens in the body. */
function operandAt(
  s: Substitution,
  body: readonly PpToken[],
  at: number,
  pasting: boolean,
): { tokens: readonly PpToken[]; used: number } {
  const token = nth(body, at);
  const functionLike = s.macro.parameters !== null;
  if (functionLike && isPunctuator(token, "#")) {
    const argument = s.argumentOf(body[at + 1]);
    if (argument !== undefined) return { tokens: [stringify(s, argument.raw, token)], used: 2 };
  }
  if (s.macro.variadic !== null && token.text === "__VA_OPT__" && isPunctuator(body[at + 1], "(")) {
    return variadicOption(s, body, at);
  }
  if (isPunctuator(token, ",") && isPunctuator(body[at + 1], "##") && isVariadic(s, body[at + 2])) {
    // GNU: the comma in `, ## __VA_ARGS__` is dropped if there are no variable arguments, and is not pasted otherwise.
    const argument = s.argumentOf(body[at + 2])!;
    return {
      tokens: argument.given ? [fromBody(s, token), ...place(s, argument.raw, nth(body, at + 2))] : [],
      used: 3,
    };
  }
  const argument = s.argumentOf(token);
  if (argument === undefined) return { tokens: [fromBody(s, token)], used: 1 };
  const raw = pasting || isPunctuator(body[at + 1], "##");
  return { tokens: place(s, raw ? argument.raw : argument.expanded(), token), used: 1 };
}

function isVariadic(s: Substitution, token: PpToken | undefined): boolean {
  return isIdentifier(token) && token.text === s.macro.variadic;
}

/** `__VA_OPT__(x)` is `x` if there are variable arguments. */
function variadicOption(s: Substitution, body: readonly PpToken[], at: number): { tokens: PpToken[]; used: number } {
  let end = at + 2;
  for (let depth = 1; end < body.length; end++) {
    if (isPunctuator(body[end], "(")) depth++;
    else if (isPunctuator(body[end], ")") && --depth === 0) break;
  }
  const variadic = { ...nth(body, at), text: s.macro.variadic! };
  const present = s.argumentOf(variadic)!.expanded().length > 0;
  return { tokens: present ? substituteTokens(s, body.slice(at + 2, end)) : [], used: end + 1 - at };
}

function fromBody(s: Substitution, token: PpToken): PpToken {
  return { ...token, invocation: s.invocation, fromBody: true };
}

/** An argument keeps its own range; the space before it is the parameter's. */
function place(s: Substitution, tokens: readonly PpToken[], parameter: PpToken): PpToken[] {
  return tokens.map((token, index) => ({
    ...token,
    space: index === 0 ? parameter.space : token.space,
    invocation: token.invocation ?? s.invocation,
  }));
}

function stringify(s: Substitution, tokens: readonly PpToken[], operator: PpToken): PpToken {
  const quoted = tokens.map((token) => {
    const literal = token.kind === TokenKind.string || token.kind === TokenKind.character;
    return literal ? { ...token, text: token.text.replace(/[\\"]/g, "\\$&") } : token;
  });
  return { ...fromBody(s, operator), kind: TokenKind.string, text: `"${spell(quoted)}"` };
}

function paste(s: Substitution, left: PpToken, right: PpToken): PpToken {
  const text = left.text + right.text;
  const packed = scanToken(text, 0);
  if (endOf(packed) !== text.length || kindOf(packed) === TokenKind.other) {
    throw new TracefoldError({
      code: "TF113",
      message: `'${left.text}' and '${right.text}' cannot be pasted into one token by macro '${s.macro.name}'`,
      range: rangeOfPpToken(s.name),
    });
  }
  return { ...fromBody(s, left), kind: kindOf(packed), text, painted: false };
}
