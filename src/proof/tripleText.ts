import { printOperation } from "../ir/printOperation.ts";
import type { Edge, Program } from "../ir/program.ts";
import { printSource } from "../logic/printSource.ts";
import type { Term } from "../logic/term.ts";
import { axiomsFor } from "../symbolic/createProver.ts";
import { placeStyle } from "../symbolic/placeStyle.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import type { Triple } from "./triple.ts";

/** Statements shown in a triple's text. */
const statementLimit = 12;

/** Adds what holds of every variable by its type, so that a triple stands alone. */
export function closeTriple(symbols: Symbols, triple: Triple): Triple {
  const axioms = axiomsFor(symbols, [...triple.hypotheses, triple.conclusion], new Set());
  return { ...triple, hypotheses: [...axioms, ...triple.hypotheses] };
}

export function printFormulas(symbols: Symbols, formulas: readonly Term[]): string {
  return formulas.length === 0 ? "true" : printSource(symbols.terms.all(formulas), placeStyle(symbols, formulas));
}

export function printEdges(program: Program, edges: readonly Edge[]): string {
  if (edges.length === 0) return "any way round";
  const shown = edges.slice(0, statementLimit).map(({ operation }) => printOperation(program, operation));
  if (edges.length > statementLimit) shown.push(`… ${edges.length - statementLimit} more`);
  return shown.join("; ");
}
