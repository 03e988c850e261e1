/** One formula in source syntax for several: those that bind less tightly than `&&` get parentheses. */
export function joinConjuncts(conjuncts: readonly string[]): string {
  return conjuncts.length === 0 ? "true" : besideEachOther(conjuncts).join(" && ");
}

/** The texts as they stand between `&&`. */
export function besideEachOther(conjuncts: readonly string[]): readonly string[] {
  return conjuncts.map((part) => (conjuncts.length > 1 && bindsLoosely(part) ? `(${part})` : part));
}

function bindsLoosely(formula: string): boolean {
  return (
    /^(forall|exists)\b/.test(formula) ||
    splitOutsideBrackets(formula, " || ").length > 1 ||
    splitOutsideBrackets(formula, " ? ").length > 1
  );
}

function splitOutsideBrackets(formula: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < formula.length; i++) {
    const c = formula[i]!;
    if (c === "(" || c === "[") depth++;
    else if (c === ")" || c === "]") depth--;
    else if (depth === 0 && formula.startsWith(separator, i)) {
      parts.push(formula.slice(start, i));
      start = i + separator.length;
    }
  }
  return [...parts, formula.slice(start)];
}
