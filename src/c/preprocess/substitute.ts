import { TracefoldError } from "../../base/errors.ts";
import type { Macro } from "./macro.ts";
import { isIdentifier, isPunctuator, type MacroInvocation, type PpToken, rangeOfPpToken, spell } from "./ppToken.ts";
import { endOf, kindOf, scanToken, TokenKind } from "./scanToken.ts";

/** `given` is false when an invocation leaves the variable arguments out, comma and all. */
type Argument = {
  readonly raw: readonly PpToken[];
  readonly expanded: () => readonly PpToken[];
  readonly given: boolean;
};

/** One use of a macro: where it is, what its parameters stand for. */
type Substitution = {
  readonly macro: Macro;
  readonly name: PpToken;
  readonly invocation: MacroInvocation;
  readonly argumentOf: (token: PpToken | undefined) => Argument | undefined;
};

/** The replacement list with the arguments in place, `#` and `##` done; not rescanned yet. */
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
    else result.push(paste(s, left, tokens[0]!), ...tokens.slice(1));
    lastEmpty = lastEmpty && tokens.length === 0;
  }
  return result;
}

/** The result of one operand of the body, and the number of tokens of the body that it takes. */
function operandAt(
  s: Substitution,
  body: readonly PpToken[],
  at: number,
  pasting: boolean,
): { tokens: readonly PpToken[]; used: number } {
  const token = body[at]!;
  const functionLike = s.macro.parameters !== null;
  if (functionLike && isPunctuator(token, "#")) {
    const argument = s.argumentOf(body[at + 1]);
    if (argument !== undefined) return { tokens: [stringify(s, argument.raw, token)], used: 2 };
  }
  if (s.macro.variadic !== null && token.text === "__VA_OPT__" && isPunctuator(body[at + 1], "(")) {
    return variadicOption(s, body, at);
  }
  if (isPunctuator(token, ",") && isPunctuator(body[at + 1], "##") && isVariadic(s, body[at + 2])) {
    // GNU: the comma in `, ## __VA_ARGS__` goes when there are no variable arguments, and is not pasted when there are.
    const argument = s.argumentOf(body[at + 2])!;
    return { tokens: argument.given ? [fromBody(s, token), ...place(s, argument.raw, body[at + 2]!)] : [], used: 3 };
  }
  const argument = s.argumentOf(token);
  if (argument === undefined) return { tokens: [fromBody(s, token)], used: 1 };
  const raw = pasting || isPunctuator(body[at + 1], "##");
  return { tokens: place(s, raw ? argument.raw : argument.expanded(), token), used: 1 };
}

function isVariadic(s: Substitution, token: PpToken | undefined): boolean {
  return isIdentifier(token) && token.text === s.macro.variadic;
}

/** `__VA_OPT__(x)` is `x` when there are variable arguments. */
function variadicOption(s: Substitution, body: readonly PpToken[], at: number): { tokens: PpToken[]; used: number } {
  let end = at + 2;
  for (let depth = 1; end < body.length; end++) {
    if (isPunctuator(body[end], "(")) depth++;
    else if (isPunctuator(body[end], ")") && --depth === 0) break;
  }
  const variadic = { ...body[at]!, text: s.macro.variadic! };
  const present = s.argumentOf(variadic)!.expanded().length > 0;
  return { tokens: present ? substituteTokens(s, body.slice(at + 2, end)) : [], used: end + 1 - at };
}

function fromBody(s: Substitution, token: PpToken): PpToken {
  return { ...token, invocation: s.invocation, fromBody: true };
}

/** An argument keeps its own places; the space before it is the parameter's. */
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
