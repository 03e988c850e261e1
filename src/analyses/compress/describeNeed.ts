import { printSource } from "../../logic/printSource.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import { type BlockName, placeStyle } from "../../symbolic/placeStyle.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { LoopSite } from "./loopSite.ts";

/** What must hold after a loop, and what no invariant gave. */
export type UnmetNeed = {
  readonly said: readonly Term[];
  /** What has no formula, with its line; null where everything has one. */
  readonly unsaid: readonly string[] | null;
};

export function unmetNeed(symbols: Symbols, { obligation, unexpressed }: LoopSite): UnmetNeed {
  const isUnknown = (part: Term) =>
    freeVariablesOf([part]).some(
      (variable) => symbols.cellOf(variable) === null && variable.name.startsWith("unknown"),
    );
  const parts = conjuncts(obligation.conclusion);
  const said = parts.filter((part) => !isUnknown(part));
  const reasons = new Set(unexpressed.map(({ reason, range }) => `${reason} at line ${range.line}`));
  return { said, unsaid: said.length < parts.length ? [...reasons] : null };
}

/** In source syntax: why a loop was not folded. */
export function describeFailure(
  symbols: Symbols,
  { reason, need }: { readonly reason: string; readonly need: UnmetNeed | null },
  blockName?: BlockName,
): string {
  if (need === null) return reason;
  const { said, unsaid } = need;
  const texts = said.length === 0 ? [] : [printSource(symbols.terms.all(said), placeStyle(symbols, said, blockName))];
  if (unsaid !== null) {
    texts.push(`something that has no formula${unsaid.length === 0 ? "" : `, because of ${unsaid.join(", ")}`}`);
  }
  return `${reason}: ${texts.join(" and ")}`;
}
