import type { SourceRange } from "../base/sourceRange.ts";
import { statedText } from "../ir/reservedNames.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariablesOf, substitute } from "../logic/traverse.ts";
import type { ModelRegion, ProgramModel } from "./programModel.ts";

/** A stated condition as a formula over the places of one cut point. */
export type StatedTerm = { readonly number: number; readonly head: string; readonly term: Term };

/**
 * What the stated conditions say: a way that evaluates one of them fails where it does not hold, so the condition of that error,
 * over the state at the place, is its negation. Where its evaluation is undefined it does not hold either.
 */
export function statedTerms(model: ProgramModel, places: readonly SourceRange[]): readonly StatedTerm[] {
  const { terms, symbols } = model;
  return model.regions.flatMap((region) => {
    const { from, errors, assumed } = region;
    if (from === null) return [];
    const expanded = expander(model, region);
    return places.flatMap((at, number): StatedTerm[] => {
      const violated = errors.filter(({ text }) => text === statedText(number)).map(({ guard }) => guard);
      if (violated.length === 0) return [];
      const defined = assumed
        .filter(({ range }) => isSame(range, at))
        .map(({ guard, formula }) => terms.implies(guard, formula));
      const term = expanded(terms.and(terms.not(terms.any(violated)), ...defined));
      const isAboutState = freeVariablesOf([term]).every((variable) => symbols.cellOf(variable) !== null);
      return isAboutState ? [{ number, head: from, term }] : [];
    });
  });
}

/** Names of conditions inside of a region are what they stand for. */
function expander({ terms }: ProgramModel, { definitions }: ModelRegion): (term: Term) => Term {
  const meanings = new Map<Variable, Term>();
  for (const definition of definitions) {
    if (definition.kind !== "ite" || definition.sort !== "Bool") continue;
    const { condition, whenTrue, whenFalse } = definition;
    if (terms.not(whenTrue) !== whenFalse) continue;
    // `a = b` has either of the two as its condition.
    if (condition.kind === "variable" && !meanings.has(condition)) meanings.set(condition, whenTrue);
    else if (whenTrue.kind === "variable" && !meanings.has(whenTrue)) meanings.set(whenTrue, condition);
    else if (whenFalse.kind === "variable" && !meanings.has(whenFalse)) meanings.set(whenFalse, terms.not(condition));
  }
  const expand = (term: Term): Term => {
    const used = freeVariablesOf([term]).filter((variable) => meanings.has(variable));
    if (used.length === 0) return term;
    return expand(substitute(terms, term, new Map(used.map((variable) => [variable, meanings.get(variable)!]))));
  };
  return expand;
}

function isSame(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
