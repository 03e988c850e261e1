import { freeVariablesOf } from "../../logic/freeVariables.ts";
import { printSource } from "../../logic/printSource.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import { placeStyle } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LoopSite } from "./loopSite.ts";

/** What must hold after a loop, in source syntax; of what has no formula, what that is and where. */
export function describeNeed(symbols: Symbols, { obligation, unexpressed }: LoopSite): string {
  const isUnknown = (part: Term) =>
    freeVariablesOf([part]).some(
      (variable) => symbols.cellOf(variable) === null && variable.name.startsWith("unknown"),
    );
  const parts = conjuncts(obligation.conclusion);
  const said = parts.filter((part) => !isUnknown(part));
  const texts = said.length === 0 ? [] : [printSource(symbols.terms.all(said), placeStyle(symbols, said))];
  if (said.length < parts.length) {
    const what = new Set(unexpressed.map(({ reason, range }) => `${reason} at line ${range.line}`));
    texts.push(`something that has no formula${what.size === 0 ? "" : `, because of ${[...what].join(", ")}`}`);
  }
  return texts.join(" and ");
}
