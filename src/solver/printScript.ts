import { floatLemmas } from "../logic/floatLemmas.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import type { Term } from "../logic/term.ts";
import { freeVariablesOf } from "../logic/traverse.ts";

/** A complete script that asserts all formulas and checks once; assumptions are asserted too, marked as such. */
export function printScript(
  assertions: readonly Term[],
  assumptions: readonly Term[] = [],
  status = "unknown",
): string {
  const formulas = [...assertions, ...assumptions];
  const floats = floatLemmas(formulas);
  const { definitions, texts } = printShared([...formulas, ...(floats?.terms ?? [])]);
  const lines = ["(set-logic ALL)", `(set-info :status ${status})`];
  lines.push(...(floats?.declarations ?? []));
  for (const symbol of functionSymbolsOf(formulas)) lines.push(printFunctionSymbol(symbol));
  for (const variable of freeVariablesOf(formulas)) lines.push(printDeclaration(variable));
  for (const { name, term, text } of definitions) lines.push(`(define-fun ${name} () ${printSort(term.sort)} ${text})`);
  for (const lemma of floats?.lemmas(texts.slice(formulas.length)) ?? []) lines.push(`(assert ${lemma})`);
  for (const [i, text] of texts.slice(0, formulas.length).entries()) {
    if (i === assertions.length) lines.push("; assumptions");
    lines.push(`(assert ${text})`);
  }
  lines.push("(check-sat)", "(exit)", "");
  return lines.join("\n");
}
