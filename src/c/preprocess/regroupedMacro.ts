import { endOf, kindOf, scanToken, skipBlank, TokenKind } from "./scanToken.ts";

/**
 * What a macro use becomes, if that has other groups than the use suggests: `SQ(n+1)` with `#define SQ(x) x*x` is
 * `n+1*n+1`. Null where parentheses keep the groups together, or where no macro is used.
 */
export function regroupedMacro(macros: Macros, text: string): Regrouped | null {
  const words = wordsOf(text);
  for (const [i, word] of words.entries()) {
    if (!/^[A-Za-z_]/.test(word)) continue;
    const macro = macros.get(word);
    if (macro === undefined) continue;
    const close = macro.parameters === null ? i : words[i + 1] === "(" ? closing(words, i + 1) : null;
    if (close === null) continue;
    const parameters = macro.parameters ?? [];
    const given = macro.parameters === null ? [] : argumentsOf(words.slice(i + 2, close));
    if (given.length !== parameters.length) continue;
    const inside = macro.body.some((each, k) => {
      const argument = given[parameters.indexOf(each)];
      return argument !== undefined && hasOperator(argument) && bindsBeside(macro.body[k - 1], macro.body[k + 1]);
    });
    const outside = hasOperator(macro.body) && bindsBeside(words[i - 1], words[close + 1]);
    if (!inside && !outside) continue;
    const expanded = macro.body.flatMap((each) => given[parameters.indexOf(each)] ?? [each]);
    if (!outside) return { use: joined(words.slice(i, close + 1)), text: joined(expanded) };
    const [from, to] = [clauseStart(words, i), clauseEnd(words, close)];
    const [before, behind] = [words.slice(from, i), words.slice(close + 1, to)];
    return { use: joined(words.slice(from, to)), text: joined([...before, ...expanded, ...behind]) };
  }
  return null;
}

export type Regrouped = { readonly use: string; readonly text: string };

const limits = new Set(["=", "(", ")", ",", ";", "{", "}", "return", "?", ":"]);

/** The operands beside a use. */
function clauseStart(words: readonly string[], use: number): number {
  return words.slice(0, use).findLastIndex((word) => limits.has(word)) + 1;
}

function clauseEnd(words: readonly string[], close: number): number {
  const end = words.findIndex((word, at) => at > close && limits.has(word));
  return end === -1 ? words.length : end;
}

/** `parameters` is null for `#define N 13+1`. */
type Definition = { readonly parameters: readonly string[] | null; readonly body: readonly string[] };

/** By name. */
export type Macros = ReadonlyMap<string, Definition>;

const definition = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)]*)\)|(?=\s))((?:\\\r?\n|.)*)$/gm;

/** The first definition of each name; those with `#`, `...` or several statements have no groups to lose. */
export function macrosIn(sources: readonly string[]): Macros {
  const macros = new Map<string, Definition>();
  for (const [, name = "", parameters, body = ""] of sources.flatMap((source) => [...source.matchAll(definition)])) {
    if (macros.has(name) || /[#;{}]|\.\.\./.test(`${parameters}${body}`)) continue;
    macros.set(name, {
      parameters: parameters === undefined ? null : parameters.split(",").map((each) => each.trim()),
      body: wordsOf(body.replace(/\/\*.*?\*\/|\/\/.*$/gm, " ").replaceAll(/\\\r?\n/g, " ")),
    });
  }
  return macros;
}

function wordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (let at = skipBlank(text, 0, false); at < text.length; ) {
    const token = scanToken(text, at);
    if (kindOf(token) === TokenKind.end) break;
    words.push(text.slice(at, endOf(token)));
    at = skipBlank(text, endOf(token), false);
  }
  return words;
}

function closing(words: readonly string[], open: number): number | null {
  let depth = 0;
  for (let at = open; at < words.length; at++) {
    if (words[at] === "(") depth++;
    else if (words[at] === ")" && --depth === 0) return at;
  }
  return null;
}

function argumentsOf(words: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  let depth = 0;
  for (const word of words) {
    if (word === "(" || word === "[") depth++;
    if (word === ")" || word === "]") depth--;
    if (word === "," && depth === 0) found.push([]);
    else found.at(-1)?.push(word);
  }
  return found;
}

const binary = new Set("+ - * / % << >> < > <= >= == != & ^ | && || ?".split(" "));

/** A binary operator outside of parentheses. */
function hasOperator(words: readonly string[]): boolean {
  let depth = 0;
  return words.some((word, i) => {
    if (word === "(" || word === "[") depth++;
    if (word === ")" || word === "]") depth--;
    return depth === 0 && i > 0 && binary.has(word);
  });
}

function bindsBeside(before: string | undefined, after: string | undefined): boolean {
  const isTight = (word: string | undefined) =>
    word !== undefined && word !== "?" && (binary.has(word) || word === "!");
  return isTight(before) || isTight(after);
}

/** Operators without blanks, as the preprocessor joins them; words keep theirs. */
function joined(words: readonly string[]): string {
  return words.reduce(
    (text, word) => (/\w$/.test(text) && /^\w/.test(word) ? `${text} ${word}` : `${text}${word}`),
    "",
  );
}
