import { freeVariablesOf } from "../logic/freeVariables.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import type { Triple } from "./triple.ts";

/** A self-contained SMT-LIB 2 script that answers `unsat` exactly if the triple holds. */
export function printSmtLibScript(triple: Triple): string {
  const formulas = [...triple.hypotheses, triple.conclusion];
  let count = 0;
  const { definitions, texts } = printShared(formulas, undefined, () => `tf!${++count}`);
  const lines = [
    ...triple.text.split("\n").map((line) => `; ${line}`),
    "; The triple holds if and only if the answer is unsat.",
    "(set-logic ALL)",
    ...functionSymbolsOf(formulas).map(printFunctionSymbol),
    ...freeVariablesOf(formulas).map(printDeclaration),
    ...definitions.map(({ term, name, text }) => `(define-fun ${name} () ${printSort(term.sort)} ${text})`),
    ...texts.slice(0, -1).map((text) => `(assert ${text})`),
    `(assert (not ${texts[texts.length - 1]}))`,
    "(check-sat)",
  ];
  return `${lines.join("\n")}\n`;
}
