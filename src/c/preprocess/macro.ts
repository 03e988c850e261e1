import { TracefoldError } from "../../base/errors.ts";
import type { ExpansionState } from "./expandMacros.ts";
import { TokenKind } from "./scanToken.ts";
import {
  isIdentifier,
  isPunctuator,
  type MacroInvocation,
  type PpToken,
  rangeOfPpToken,
  readLine,
  spell,
  spliceFile,
} from "./tokens.ts";

/** A macro definition. `parameters` is null for an object-like macro. */
export type Macro = {
  readonly kind: "defined";
  readonly name: string;
  readonly parameters: readonly string[] | null;
  /** The parameter for all remaining arguments: `__VA_ARGS__`, or the name before GNU's `...`. */
  readonly variadic: string | null;
  readonly body: readonly PpToken[];
};

/** Macros whose value depends on their place. */
export type DynamicMacro = { readonly kind: "dynamic"; readonly name: string };

export type MacroTable = Map<string, Macro | DynamicMacro>;

export const DYNAMIC_MACROS = [
  "__FILE__",
  "__LINE__",
  "__COUNTER__",
  "__DATE__",
  "__TIME__",
  "__TIMESTAMP__",
  "_Pragma",
];

export function parseDefine(tokens: readonly PpToken[], directive: PpToken): Macro {
  const name = tokens[0];
  if (!isIdentifier(name)) throw badDefine("expected the name of a macro after #define", name ?? directive);
  if (name.text === "defined") throw badDefine("'defined' cannot be a macro", name);
  const next = tokens[1];
  // Only a parenthesis without a space before it opens parameters.
  if (!isPunctuator(next, "(") || next!.space) {
    return {
      kind: "defined",
      name: name.text,
      parameters: null,
      variadic: null,
      body: checkBody(tokens.slice(1), null),
    };
  }
  const parameters: string[] = [];
  let variadic: string | null = null;
  let at = 2;
  if (isPunctuator(tokens[at], ")")) at++;
  else {
    for (;;) {
      const parameter = tokens[at++];
      if (isPunctuator(parameter, "...")) variadic = "__VA_ARGS__";
      else {
        if (!isIdentifier(parameter)) throw badDefine("expected the name of a macro's parameter", parameter ?? name);
        if (parameters.includes(parameter.text)) throw badDefine("two macro parameters have the same name", parameter);
        if (isPunctuator(tokens[at], "...")) {
          variadic = parameter.text;
          at++;
        } else parameters.push(parameter.text);
      }
      const separator = tokens[at++];
      if (isPunctuator(separator, ")")) break;
      if (variadic !== null || !isPunctuator(separator, ",")) {
        throw badDefine("expected ',' or ')' among a macro's parameters", separator ?? name);
      }
    }
  }
  const all = variadic === null ? parameters : [...parameters, variadic];
  return { kind: "defined", name: name.text, parameters, variadic, body: checkBody(tokens.slice(at), all) };
}

function checkBody(body: readonly PpToken[], parameters: readonly string[] | null): readonly PpToken[] {
  const edge = [body[0], body[body.length - 1]].find((token) => isPunctuator(token, "##"));
  if (edge !== undefined) throw badDefine("'##' cannot be at either end of a macro", edge);
  if (parameters !== null) {
    body.forEach((token, index) => {
      const next = body[index + 1];
      if (!isPunctuator(token, "#") || isPunctuator(body[index - 1], "#")) return;
      if (!isIdentifier(next) || !(parameters.includes(next.text) || next.text === "__VA_OPT__")) {
        throw badDefine("'#' is not followed by a macro parameter", token);
      }
    });
  }
  return body;
}

/** Redefining a macro is allowed if nothing changes. */
export function sameMacro(left: Macro, right: Macro): boolean {
  return (
    left.variadic === right.variadic &&
    (left.parameters === null) === (right.parameters === null) &&
    (left.parameters ?? []).join(",") === (right.parameters ?? []).join(",") &&
    spell(left.body) === spell(right.body)
  );
}

function badDefine(message: string, token: PpToken): TracefoldError {
  return new TracefoldError({ code: "TF111", message, range: rangeOfPpToken(token) });
}

/** Macros that depend on their place. Dates are fixed, so that results are reproducible. */
export function expandDynamic(
  state: ExpansionState,
  token: PpToken,
  invocation: MacroInvocation,
  read: () => PpToken | null,
): PpToken[] {
  const make = (kind: TokenKind, text: string): PpToken[] => [{ ...token, kind, text, invocation, fromBody: true }];
  const at: PpToken = { ...token, source: invocation.source, start: invocation.start };
  switch (token.text) {
    case "__LINE__":
      return make(TokenKind.number, `${state.presumedPlace(at).line}`);
    case "__FILE__":
      return make(TokenKind.string, JSON.stringify(state.presumedPlace(at).file));
    case "__COUNTER__":
      return make(TokenKind.number, `${state.counter++}`);
    case "__DATE__":
      return make(TokenKind.string, '"??? ?? ????"');
    case "__TIME__":
      return make(TokenKind.string, '"??:??:??"');
    case "__TIMESTAMP__":
      return make(TokenKind.string, '"??? ??? ?? ??:??:?? ????"');
    default:
      return runPragma(state, token, read);
  }
}

/** `_Pragma("...")` is the directive `#pragma ...`. */
function runPragma(state: ExpansionState, token: PpToken, read: () => PpToken | null): PpToken[] {
  const open = read();
  if (!isPunctuator(open ?? undefined, "(")) return open === null ? [token] : [token, open];
  for (let next = read(); next !== null && !isPunctuator(next, ")"); next = read()) {
    if (next.kind !== TokenKind.string) continue;
    const text = next.text.slice(next.text.indexOf('"') + 1, -1).replaceAll(/\\(["\\])/g, "$1");
    const { source, start, end } = next;
    const { tokens } = readLine(spliceFile(source.path, text, source.origin), 0);
    state.pragma(tokens.map((each) => ({ ...each, source, start, end })));
  }
  return [];
}
