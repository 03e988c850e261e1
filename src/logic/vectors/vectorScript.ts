import { freeVariablesOf } from "../freeVariables.ts";
import type { Range } from "../range.ts";
import { printSymbol } from "../smtSymbol.ts";
import type { Term, Variable } from "../term.ts";
import { postOrder } from "../traverse.ts";
import { type Bounded, isBounded, termRanges } from "./termRanges.ts";
import { variableBounds } from "./variableBounds.ts";
import { boundedRange, comparisonText, literal, NoVector, type Use, vectorText, widthOf } from "./vectorText.ts";

/** Formulas over bounded integers as formulas over vectors of bits. */
export type VectorScript = {
  /** Declarations with the range of each number, and definitions, in order. */
  readonly commands: readonly string[];
  readonly texts: readonly string[];
  /** What was declared: vectors, in two's complement, and truth values (`width` null). */
  readonly variables: readonly { readonly variable: Variable; readonly width: number | null }[];
  /** The most bits that are multiplied, or divided by something that is no number; 0 where nothing is. */
  readonly nonlinear: number;
};

/**
 * Null where they have something that no vector stands for: arrays, functions, quantifiers, numbers without bounds. Bounds are
 * taken from `asserted`, which has to be among what is asserted.
 */
export function vectorScript(formulas: readonly Term[], asserted: readonly Term[]): VectorScript | null {
  const order = postOrder(formulas);
  const rangeOf = termRanges(order, variableBounds(asserted));
  try {
    const variables = freeVariablesOf(formulas).map((variable) => ({
      variable,
      width: declaredWidth(variable, rangeOf),
    }));
    const names = wantedTexts(formulas, order, rangeOf);
    const commands = variables.flatMap(({ variable, width }) => [
      `(declare-fun ${printSymbol(variable.name)} () ${sortText(width)})`,
      ...(width === null ? [] : [rangeText(variable, width, boundedRange(rangeOf(variable)))]),
    ]);
    const texts = new Map<Term, Map<number | null, string>>();
    const use: Use = (term, width) => texts.get(term)!.get(width)!;
    for (const term of order) {
      const own = new Map<number | null, string>();
      texts.set(term, own);
      // Wider ones are made from narrower ones.
      for (const width of [...(names.get(term) ?? [])].sort((a, b) => (a ?? 0) - (b ?? 0))) {
        const text = textOf(term, width, rangeOf, use);
        if (isShort(term, text)) own.set(width, text);
        else {
          const name = width === null ? `tf!v${term.id}` : `tf!v${term.id}_${width}`;
          commands.push(`(define-fun ${name} () ${sortText(width)} ${text})`);
          own.set(width, name);
        }
      }
    }
    const asked = formulas.map((formula) => use(formula, null));
    return { commands, texts: asked, variables, nonlinear: nonlinearWidth(names, rangeOf) };
  } catch (error) {
    if (error instanceof NoVector) return null;
    throw error;
  }
}

/** Of each term the widths in which others ask for it: a first pass in which nothing is written. */
function wantedTexts(
  formulas: readonly Term[],
  order: readonly Term[],
  rangeOf: (term: Term) => Range,
): ReadonlyMap<Term, ReadonlySet<number | null>> {
  const wanted = new Map<Term, Set<number | null>>();
  const want: Use = (term, width) => {
    const known = wanted.get(term);
    if (known === undefined) wanted.set(term, new Set([width]));
    else known.add(width);
    return "";
  };
  for (const formula of formulas) want(formula, null);
  for (const term of order.toReversed()) {
    // One that is wanted in more bits than it has is wanted in those that it has: the set grows meanwhile.
    for (const width of wanted.get(term) ?? []) textOf(term, width, rangeOf, want);
  }
  return wanted;
}

function nonlinearWidth(wanted: ReadonlyMap<Term, ReadonlySet<number | null>>, rangeOf: (term: Term) => Range): number {
  let widest = 0;
  for (const [term, widths] of wanted) {
    if (term.kind === "product") widest = Math.max(widest, ...[...widths].map((width) => width ?? 0));
    const isDivision = term.kind === "div" || term.kind === "mod";
    if (isDivision && term.divisor.kind !== "int") {
      widest = Math.max(widest, widthOf(boundedRange(rangeOf(term.dividend))));
    }
  }
  return widest;
}

function textOf(term: Term, width: number | null, rangeOf: (term: Term) => Range, use: Use): string {
  return width === null ? formulaText(term, rangeOf, use) : vectorText(term, width, rangeOf, use);
}

function formulaText(term: Term, rangeOf: (term: Term) => Range, use: Use): string {
  switch (term.kind) {
    case "bool":
      return `${term.value}`;
    case "variable":
      return printSymbol(term.name);
    case "not":
      return `(not ${use(term.operand, null)})`;
    case "and":
    case "or":
      return `(${term.kind} ${term.arguments.map((argument) => use(argument, null)).join(" ")})`;
    case "ite":
      return `(ite ${use(term.condition, null)} ${use(term.whenTrue, null)} ${use(term.whenFalse, null)})`;
    case "le":
      return comparisonText("bvsle", term.sum, term.bound, rangeOf, use);
    case "eq":
      return comparisonText("=", term.sum, term.bound, rangeOf, use);
    default:
      throw new NoVector();
  }
}

function declaredWidth(variable: Variable, rangeOf: (term: Term) => Range): number | null {
  if (variable.sort === "Bool") return null;
  if (variable.sort === "Array" || !isBounded(rangeOf(variable))) throw new NoVector();
  return widthOf(boundedRange(rangeOf(variable)));
}

/** Sums take up no more bits than the range needs, also those in formulas that say what it is: it is asserted by itself. */
function rangeText(variable: Variable, width: number, { min, max }: Bounded): string {
  const name = printSymbol(variable.name);
  return `(assert (and (bvsle ${literal(min, width)} ${name}) (bvsle ${name} ${literal(max, width)})))`;
}

function sortText(width: number | null): string {
  return width === null ? "Bool" : `(_ BitVec ${width})`;
}

function isShort(term: Term, text: string): boolean {
  return term.kind === "int" || term.kind === "bool" || !text.startsWith("(");
}
