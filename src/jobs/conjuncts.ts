/** One formula in source syntax for several: those that bind less tightly than `&&` get parentheses. */
export function joinConjuncts(conjuncts: readonly string[]): string {
  if (conjuncts.length === 0) return "true";
  if (conjuncts.length === 1) return conjuncts[0]!;
  return conjuncts.map((part) => (bindsLoosely(part) ? `(${part})` : part)).join(" && ");
}

/** The conjuncts of a formula: split at `&&` outside brackets, unless something outside them binds less tightly. */
export function splitConjuncts(formula: string): string[] {
  if (bindsLoosely(formula)) return [formula];
  return splitOutsideBrackets(formula, " && ");
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
