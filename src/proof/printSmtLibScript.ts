import { floatLemmas } from "../logic/floatLemmas.ts";
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
  const floats = floatLemmas(formulas);
  const printed = printShared([...formulas, ...(floats?.terms ?? [])], undefined, () => `tf!${++count}`);
  const { definitions } = printed;
  const texts = printed.texts.slice(0, formulas.length);
  const lines = [
    ...triple.text.split("\n").map((line) => `; ${line}`),
    "; The triple holds if and only if the answer is unsat.",
    "(set-logic ALL)",
    ...(floats?.declarations ?? []),
    ...functionSymbolsOf(formulas).map(printFunctionSymbol),
    ...freeVariablesOf(formulas).map(printDeclaration),
    ...definitions.map(({ term, name, text }) => `(define-fun ${name} () ${printSort(term.sort)} ${text})`),
    ...(floats?.lemmas(printed.texts.slice(formulas.length)) ?? []).map((lemma) => `(assert ${lemma})`),
    ...texts.slice(0, -1).map((text) => `(assert ${text})`),
    `(assert (not ${texts[texts.length - 1]}))`,
    "(check-sat)",
  ];
  return `${lines.join("\n")}\n`;
}
