import type { Obligation } from "../cutpoints/obligation.ts";
import { floatLemmas } from "../logic/floatLemmas.ts";
import {
  functionSymbolsOf,
  printDeclaration,
  printFunctionSymbol,
  printShared,
  printSort,
} from "../logic/printSmtLib.ts";
import { freeVariablesOf, postOrder } from "../logic/traverse.ts";
import { type VectorScript, vectorScript } from "../logic/vectors/vectorScript.ts";

/** A self-contained SMT-LIB 2 script that answers `unsat` exactly if the obligation holds. */
export function printSmtLibScript(obligation: Obligation): string {
  const formulas = [...obligation.hypotheses, obligation.conclusion];
  const vectors = postOrder(formulas).some(({ kind }) => kind === "bits")
    ? vectorScript(formulas, obligation.hypotheses)
    : null;
  if (vectors !== null) return printVectors(obligation, vectors);
  let count = 0;
  const floats = floatLemmas(formulas);
  const printed = printShared([...formulas, ...(floats?.terms ?? [])], undefined, () => `tf!${++count}`);
  const { definitions } = printed;
  const texts = printed.texts.slice(0, formulas.length);
  const lines = [
    ...heading(obligation),
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

/** Operations on bits, where all numbers have bounds: few solvers find an answer about integers. */
function printVectors(obligation: Obligation, { commands, texts }: VectorScript): string {
  const lines = [
    ...heading(obligation),
    "; Numbers are vectors with as many bits as their ranges need, in two's complement.",
    "(set-logic QF_BV)",
    ...commands,
    ...texts.slice(0, -1).map((text) => `(assert ${text})`),
    `(assert (not ${texts.at(-1)}))`,
    "(check-sat)",
  ];
  return `${lines.join("\n")}\n`;
}

function heading({ text }: Obligation): readonly string[] {
  return [...text.split("\n").map((line) => `; ${line}`), "; The obligation holds if and only if the answer is unsat."];
}
