import { TracefoldError } from "../../base/errors.ts";
import { expandDynamic } from "./expandDynamic.ts";
import type { Macro, MacroTable } from "./macro.ts";
import { isIdentifier, isPunctuator, type MacroInvocation, type PpToken, rangeOfPpToken } from "./ppToken.ts";
import { TokenKind } from "./scanToken.ts";
import { substitute } from "./substitute.ts";

/** A stream of tokens; null at its end. */
export type TokenSource = { readonly next: () => PpToken | null };

/** `next` is the next expanded token, `raw` the next one before expansion (the operand of `defined`). */
export type Expander = TokenSource & { readonly raw: () => PpToken | null };

const NONE: ReadonlySet<string> = new Set();

/** State that outlives one expansion: `__COUNTER__`, and what `#line` said. */
export type ExpansionState = {
  readonly macros: MacroTable;
  counter: number;
  /** Tokens that macros have made so far: a few lines of them can ask for more than any machine has. */
  steps: number;
  /** The line and file that `__LINE__` and `__FILE__` name at this token. */
  readonly presumedPlace: (token: PpToken) => { line: number; file: string };
};

/**
 * Macro expansion of a stream. A macro being expanded is switched off until its replacement has been read to the end;
 * its name met before that is painted and stays as it is. This is what gcc does, also in the cases that the standard
 * leaves open (`f(2)(9)`).
 */
export function createExpander(state: ExpansionState, source: TokenSource, off = NONE): Expander {
  const contexts: { tokens: readonly PpToken[]; at: number; macro: string }[] = [];
  const active = new Map<string, number>();

  const read = (): PpToken | null => {
    for (;;) {
      const context = contexts[contexts.length - 1];
      if (context === undefined) return source.next();
      if (context.at < context.tokens.length) return context.tokens[context.at++]!;
      contexts.pop();
      active.set(context.macro, active.get(context.macro)! - 1);
    }
  };

  const push = (tokens: readonly PpToken[], macro: string): void => {
    contexts.push({ tokens, at: 0, macro });
    active.set(macro, (active.get(macro) ?? 0) + 1);
  };

  /** Tokens that were read ahead and turn out not to be needed. */
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

  /** An argument is expanded on its own, with the macros that are switched off now still off. */
  const expandAll = (tokens: readonly PpToken[]): PpToken[] => expandTokens(state, tokens, switchedOff(active, off));

  return { next, raw: read };
}

/** A finished list of tokens, expanded to the end. */
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
    else found[found.length - 1]!.push(token);
  }
  return checkArguments(found, macro, name);
}

function checkArguments(found: PpToken[][], macro: Macro, name: PpToken): PpToken[][] {
  const fixed = macro.parameters!.length;
  const blank = found.length === 1 && found[0]!.length === 0;
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
