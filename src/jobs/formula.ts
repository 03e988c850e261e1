import type { SourceRange } from "../base/sourceRange.ts";
import { printSmtLib } from "../logic/printSmtLib.ts";
import { bindsTightly, printSource, type SourceStyle } from "../logic/printSource.ts";
import type { Term } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import { cExpression, placeStyle, variableOfPlace } from "../symbolic/placeStyle.ts";
import type { Symbols } from "../symbolic/symbols.ts";

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
