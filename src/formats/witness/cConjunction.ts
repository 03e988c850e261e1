import type { Formula } from "../../jobs/formula.ts";

/** Formulas as one expression of C; null where C cannot say one of them. */
export function cConjunction(formulas: readonly Formula[]): string | null {
  const parts: string[] = [];
  for (const { c, tight } of formulas) {
    if (c === null) return null;
    parts.push(tight || formulas.length === 1 ? c : `(${c})`);
  }
  return parts.join(" && ") || "1";
}

/** The names of the variables that they are about, each once. */
export function namesIn(formulas: readonly Formula[]): readonly string[] {
  return [...new Set(formulas.flatMap(({ variables }) => variables.flatMap(({ name }) => name ?? [])))];
}
