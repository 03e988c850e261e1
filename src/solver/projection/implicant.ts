import { createSubstituter } from "../../logic/substitute.ts";
import { conjuncts, isAtom, isTrue, type Term } from "../../logic/term.ts";
import type { Terms } from "../../logic/terms.ts";
import { postOrder } from "../../logic/traverse.ts";
import type { Model } from "../model.ts";

/**
 * Literals that the model satisfies and whose conjunction implies the formulas: of a disjunction the first true part, of
 * a choice the side that is taken. Null where the model does not satisfy the formulas, or that cannot be decided.
 */
export function implicant(terms: Terms, formulas: readonly Term[], model: Model): readonly Term[] | null {
  const literals = new Set<Term>();
  const work = [...formulas];
  for (let formula = work.pop(); formula !== undefined; formula = work.pop()) {
    if (isTrue(formula)) continue;
    if (model.evaluate(formula) !== true) return null;
    if (formula.kind === "and") work.push(...conjuncts(formula));
    else if (formula.kind === "or") {
      work.push(formula.arguments.find((part) => model.evaluate(part) === true)!);
    } else if (formula.kind === "ite") {
      const taken = model.evaluate(formula.condition) === true;
      work.push(taken ? formula.condition : terms.not(formula.condition), taken ? formula.whenTrue : formula.whenFalse);
    } else {
      const choice = postOrder([formula]).find((part) => part.kind === "ite");
      const atom = formula.kind === "not" ? formula.operand : formula;
      if (choice?.kind !== "ite") {
        if (!isAtom(atom)) return null;
        literals.add(formula);
        continue;
      }
      const taken = model.evaluate(choice.condition);
      if (taken === null) return null;
      const side = taken === true ? choice.whenTrue : choice.whenFalse;
      work.push(taken === true ? choice.condition : terms.not(choice.condition));
      work.push(createSubstituter(terms, new Map([[choice, side]]))(formula));
    }
  }
  return [...literals];
}
