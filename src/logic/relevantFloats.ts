import { floatOperatorOf, isComparison } from "./floatOperator.ts";
import type { Apply, Equal, Term } from "./term.ts";
import { childrenOf, postOrder } from "./traverse.ts";

/** The floating-point operations in a formula, outside of quantifiers. */
export function floatOperationsIn(formula: Term): readonly Apply[] {
  return lookAt(formula).operations;
}

/**
 * Those of the operations in formulas whose results anything depends on: a comparison or an integer that is made of them, or a
 * value that they are said to have. What nobody asks about need not be computed, which solvers take long for.
 */
export function relevantOperations(formulas: readonly Term[]): readonly Apply[] {
  const looks = formulas.map(lookAt);
  const operations = new Set(looks.flatMap((look) => look.operations));
  if (operations.size === 0) return [];
  const equations = [...new Set(looks.flatMap((look) => look.equations))].map(partsOf);
  const defined = new Set(equations.filter(({ computed }) => computed.length > 0).flatMap(({ outer }) => outer));
  const relevant = new Set<Apply>();
  const asked = new Set<Term>();
  const ask = (operation: Apply) => {
    for (const part of postOrder([operation])) {
      if (operations.has(part as Apply)) relevant.add(part as Apply);
      else if (part.kind === "variable") asked.add(part);
    }
  };
  for (const operation of operations) if (isObserver(operation)) ask(operation);
  for (const { outer, computed } of equations) {
    if (computed.length === 0 && outer.length === 1 && defined.has(outer[0]!)) asked.add(outer[0]!);
  }
  for (let before = -1; before !== asked.size + relevant.size; ) {
    before = asked.size + relevant.size;
    for (const { outer, computed } of equations) {
      if (outer.length > 0 && !outer.some((part) => asked.has(part))) continue;
      computed.forEach(ask);
      for (const part of outer) asked.add(part);
    }
  }
  return [...relevant];
}

function isObserver({ symbol }: Apply): boolean {
  const operator = floatOperatorOf(symbol.name)!;
  return isComparison(operator) || operator === "toInt";
}

type Look = { readonly operations: readonly Apply[]; readonly equations: readonly Equal[] };

const looks = new WeakMap<Term, Look>();
const nothing: Look = { operations: [], equations: [] };

function lookAt(formula: Term): Look {
  let look = looks.get(formula);
  if (look === undefined) {
    const terms = postOrder([formula], (term) => term.kind !== "forall" && term.kind !== "exists");
    const operations = terms.filter(isFloat);
    const equations = terms.filter((term) => term.kind === "eq");
    look = operations.length + equations.length === 0 ? nothing : { operations, equations };
    looks.set(formula, look);
  }
  return look;
}

function isFloat(term: Term): term is Apply {
  return term.kind === "apply" && floatOperatorOf(term.symbol.name) !== null;
}

/** The outermost operations in an equation, and the variables and reads beside them. */
function partsOf({ sum }: Equal): { readonly outer: readonly Term[]; readonly computed: readonly Apply[] } {
  const outer: Term[] = [];
  const computed: Apply[] = [];
  const work: Term[] = [sum];
  const seen = new Set<Term>();
  for (let term = work.pop(); term !== undefined; term = work.pop()) {
    if (seen.has(term)) continue;
    seen.add(term);
    if (isFloat(term)) computed.push(term);
    else if (term.kind === "variable") outer.push(term);
    else work.push(...childrenOf(term));
  }
  return { outer, computed };
}
