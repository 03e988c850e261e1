import { nth } from "../../base/checked.ts";
import { offsetOf } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { Program } from "../../ir/program.ts";
import { printSmtLib } from "../../logic/printSmtLib.ts";
import { bindsTightly, printSource, type SourceStyle } from "../../logic/printSource.ts";
import type { Term } from "../../logic/term.ts";
import { freeVariables } from "../../logic/traverse.ts";
import type { SolverStatistics } from "../../solver/decorators/diagnostics.ts";
import { cExpression, placeStyle, variableOfPlace } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** The version of the JSON output of all commands. */
export const schemaVersion = 3;

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

/** The version of Tracefold and the time that the work took. */
export type About = { readonly version: string; readonly ms: number };

/** The beginning of the report of every command. */
export function reportHead<const Command extends string>(command: Command, { version }: Pick<About, "version">) {
  return { schema: schemaVersion, tool: { name: "tracefold", version }, command } as const;
}

/** The files of a program and its entry function, as reports name them. */
export function describeProgram({ files, functions, entry }: Program): ReportHead["program"] {
  return { files: files.map(({ path, sha256 }) => ({ path, sha256 })), entry: nth(functions, entry).name };
}

export function describeNotes(notes: Program["notes"]): ReportHead["notes"] {
  return notes.map(({ message, range }) => ({ message, location: range }));
}

export function solverStats({ ms }: Pick<About, "ms">, solver?: SolverStatistics): ReportHead["stats"] {
  return { ms, solver: { queries: solver?.queries ?? 0, ms: Math.round(solver?.milliseconds ?? 0) } };
}

export type CommonReport = ReportHead & {
  /** The subject of the run or the proof. */
  readonly target: { readonly formula: string; readonly location: SourceRange } | null;
};

export type UnknownPart = { readonly reason: string; readonly where: SourceRange | null; readonly help: string };

/** Integers beyond 2^53, infinities and NaN are strings, because JSON has no numbers for them. */
export type JsonNumber = number | string;

export function jsonNumber(value: bigint | number): JsonNumber {
  if (typeof value === "number") return Number.isFinite(value) ? value : `${value}`;
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? Number(value) : `${value}`;
}

/** A formula of a report, with its structure beside its text. */
export type Formula = {
  /** As a programmer would write it. */
  readonly text: string;
  /** True if it needs no parentheses beside `&&`. */
  readonly tight: boolean;
  /** SMT-LIB, over the symbols of `variables`. */
  readonly term: string;
  /** An equivalent C expression without overflow; null if there is none. */
  readonly c: string | null;
  readonly variables: readonly FormulaVariable[];
  /** For loop invariants: true if it may not hold on other runs that the input condition covers. */
  readonly onlyThisRun?: true;
};

/** The meaning of a symbol in a formula. */
export type FormulaVariable = {
  readonly symbol: string;
  readonly text: string;
  /** The program variable that it is, or is part of; null for heap blocks. */
  readonly name: string | null;
  readonly declared: SourceRange | null;
};

/** `style` names the places; the default tells the places of this formula apart. */
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

/** The parts of an invariant in display order, with words for the runs on which they hold. Empty parts are dropped. */
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
 * A loop as written: `while (i != n)`, `for (int i = 0; i < n; i++)`, `do … while (h <= size)`. Null without a loop
 * keyword, for example for a loop made of `goto`.
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

/** Without a proof, more statements than these say less than what was observed. */
export const mostOpenStatements = 60;
