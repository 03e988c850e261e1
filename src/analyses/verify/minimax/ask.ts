import { type Assignment, evaluate } from "../../../logic/evaluate.ts";
import { isFalse, isTrue, type Term } from "../../../logic/term.ts";
import { freeVariablesOf } from "../../../logic/traverse.ts";
import type { Symbols } from "../../../symbolic/symbols.ts";
import type { Segment, TreePosition } from "./tree.ts";

/** At most this many examples of a position are kept, the newest first. */
const mostExamples = 8;

/** Do runs go on from a position with a condition? null: no answer. `examples` are some of them. */
export function feasible(
  symbols: Symbols,
  { session, falsity }: Segment,
  { conditions, examples }: TreePosition,
  condition: Term,
): { readonly answer: boolean | null; readonly examples: Assignment[] } {
  if (isTrue(condition)) return { answer: true, examples: [...examples] };
  if (isFalse(condition)) return { answer: false, examples: [] };
  const known = hasExample(symbols, condition)
    ? examples.filter((example) => evaluate(condition, example) === true)
    : [];
  if (known.length > 0) return { answer: true, examples: known };
  const result = session.implies([...conditions, condition], falsity);
  if (result.kind === "proved") return { answer: false, examples: [] };
  if (result.kind === "unknown") return { answer: null, examples: [] };
  examples.unshift(result.model);
  examples.length = Math.min(examples.length, mostExamples);
  return { answer: true, examples: [result.model] };
}

/** Does a formula over the values at the segment's head hold at a position? */
export function holdsAt(
  symbols: Symbols,
  { session }: Segment,
  { conditions, examples }: TreePosition,
  formula: Term,
): boolean {
  if (hasExample(symbols, formula) && examples.some((example) => evaluate(formula, example) === false)) return false;
  const result = session.implies(conditions, formula);
  if (result.kind === "refuted") {
    examples.unshift(result.model);
    examples.length = Math.min(examples.length, mostExamples);
  }
  return result.kind === "proved";
}

/** A model has a number for every variable that its question did not mention; as an address it would be none. */
function hasExample(symbols: Symbols, formula: Term): boolean {
  return freeVariablesOf([formula]).every(
    (variable) => variable.sort !== "Array" && symbols.objectWithBase(variable) === null,
  );
}
