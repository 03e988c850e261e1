/**
 * The shortest suffix of each path, in whole names, that no other path has: `util.c`, or `a/util.c` beside `b/util.c`.
 */
export function distinctEnds(paths: readonly string[]): string[] {
  return paths.map((path) => {
    const parts = path.split("/");
    for (let count = 1; count < parts.length; count++) {
      const end = parts.slice(-count).join("/");
      if (paths.every((other) => other === path || !`/${other}`.endsWith(`/${end}`))) return end;
    }
    return path;
  });
}

/** Spells out control characters, so that a name cannot move the terminal's cursor. */
export function spelledOut(text: string, kept: string = "\n\t"): string {
  return text.replaceAll(/\p{Cc}/gu, (c) =>
    kept.includes(c) ? c : `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

const escapes: Readonly<Record<number, string>> = { 0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\" };

/** A byte as in a character constant, without quotes; null for a byte that has no such form. */
export function characterText(code: number): string | null {
  return escapes[code] ?? (code >= 32 && code < 127 ? String.fromCharCode(code) : null);
}

/** Words, literals and other characters. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[\w.]+|[^\s\w]/g) ?? [];
}

/** The length of a text that does not depend on names and layout. */
export function tokenCount(text: string): number {
  return tokensOf(text).length;
}

/** A printed formula; `tight`: it needs no parentheses beside `&&`. */
export type PrintedFormula = { readonly text: string; readonly tight: boolean };

/** Joins formulas with `&&`, adding parentheses where they are needed. */
export function joinFormulas(formulas: readonly PrintedFormula[]): string {
  return formulas.length === 0 ? "true" : conjunctTexts(formulas).join(" && ");
}

/** The texts of formulas, ready to be joined with `&&`. */
export function conjunctTexts(formulas: readonly PrintedFormula[]): readonly string[] {
  return formulas.map(({ text, tight }) => (tight || formulas.length === 1 ? text : `(${text})`));
}
