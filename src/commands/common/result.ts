import { offsetOf } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { printSmtLib } from "../../logic/printSmtLib.ts";
import { bindsTightly, printSource, type SourceStyle } from "../../logic/printSource.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import { cExpression, placeStyle, variableOfPlace } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** The version of the JSON output of all commands. */
export const schemaVersion = 3;

/** What the JSON output of every command shares. */
export type ReportHead = {
  readonly schema: typeof schemaVersion;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly command: string;
  readonly status: "ok" | "failed" | "unknown";
  readonly program: {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
    readonly entry: string;
  };
  readonly notes: readonly { readonly message: string; readonly location: SourceRange }[];
  readonly stats: { readonly ms: number; readonly solver: { readonly queries: number; readonly ms: number } };
  readonly unknowns: readonly UnknownPart[];
};

export type CommonReport = ReportHead & {
  /** What the run, or the proof, is about. */
  readonly target: { readonly formula: string; readonly location: SourceRange } | null;
};

export type UnknownPart = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

/** Integers beyond 2^53 are strings, and so are infinities and NaN, which JSON cannot say. */
export type JsonNumber = number | string;

export function jsonNumber(value: bigint | number): JsonNumber {
  if (typeof value === "number") return Number.isFinite(value) ? value : `${value}`;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : `${value}`;
}

/** A formula of a report: nobody has to read its text to know what it says. */
export type Formula = {
  /** As a programmer would write it. */
  readonly text: string;
  /** It stands beside `&&` without parentheses. */
  readonly tight: boolean;
  /** SMT-LIB, over the symbols of `variables`. */
  readonly term: string;
  /** An expression that C evaluates to the same, without overflow; null where C cannot say it. */
  readonly c: string | null;
  readonly variables: readonly FormulaVariable[];
  /** Of a loop's invariant: it need not hold on the other runs that the condition on the inputs covers. */
  readonly onlyThisRun?: true;
};

/** What a symbol of a formula stands for. */
export type FormulaVariable = {
  readonly symbol: string;
  /** The place, as the formula's text names it: `s.next`. */
  readonly text: string;
  /** The program's variable that it is, or is a part of; null for a block of the heap. */
  readonly name: string | null;
  readonly declared: SourceRange | null;
};

/** `style` says how places are called; by default so that those of this formula are told apart. */
export function describeFormula(
  symbols: Symbols,
  term: Term,
  style: SourceStyle = placeStyle(symbols, [term]),
): Formula {
  return {
    text: printSource(term, style),
    tight: bindsTightly(term, style),
    term: printSmtLib(term),
    c: cExpression(symbols, term),
    variables: freeVariables(term).map((place) => {
      const variable = variableOfPlace(symbols, place);
      return {
        symbol: printSmtLib(place),
        text: printSource(place, style),
        name: variable?.partOf ?? variable?.name ?? null,
        declared: variable?.range ?? null,
      };
    }),
  };
}

/** One formula in source syntax for several: those that bind less tightly than `&&` get parentheses. */
export function joinFormulas(formulas: readonly Pick<Formula, "text" | "tight">[]): string {
  return formulas.length === 0 ? "true" : conjunctTexts(formulas).join(" && ");
}

/** The texts that stand between `&&`. */
export function conjunctTexts(formulas: readonly Pick<Formula, "text" | "tight">[]): readonly string[] {
  return formulas.map(({ text, tight }) => (tight || formulas.length === 1 ? text : `(${text})`));
}

/** The parts of an invariant in the order in which they are told, with words for the runs that they hold on; none is empty but the only one. */
export function invariantParts(
  invariant: readonly Formula[],
): readonly { readonly when: string; readonly formulas: readonly Formula[] }[] {
  const always = invariant.filter(({ onlyThisRun }) => onlyThisRun !== true);
  const here = invariant.filter(({ onlyThisRun }) => onlyThisRun === true);
  return [
    ...(always.length === 0 && here.length > 0 ? [] : [{ when: "each time", formulas: always }]),
    ...(here.length === 0 ? [] : [{ when: "each time on this run", formulas: here }]),
  ];
}

/**
 * A loop as its source says it: `while (i != n)`, `for (int i = 0; i < n; i++)`, `do … while (h <= size)`, found around its
 * condition. Null where there is no such keyword, as for a loop made of `goto`.
 */
export function loopText(source: string, condition: SourceRange): string | null {
  const open = enclosingParenthesis(source, offsetOf({ text: source }, condition.line, condition.column));
  if (open === null) return null;
  const keyword = /\b(while|for)\s*$/.exec(source.slice(0, open));
  const close = closingParenthesis(source, open);
  if (keyword === null || close === null) return null;
  const text = `${keyword[1]} ${source.slice(open, close + 1).replaceAll(/\s+/g, " ")}`;
  const isDo =
    keyword[1] === "while" && /^\s*;/.test(source.slice(close + 1)) && /\}\s*$/.test(source.slice(0, keyword.index));
  return isDo ? `do … ${text}` : text;
}

function enclosingParenthesis(text: string, offset: number): number | null {
  let depth = 0;
  for (let i = offset - 1; i >= 0; i--) {
    if (text[i] === ")") depth++;
    else if (text[i] === "(" && depth-- === 0) return i;
    else if (text[i] === "{" || text[i] === "}") return null;
  }
  return null;
}

function closingParenthesis(text: string, open: number): number | null {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i;
  }
  return null;
}
