import { remembered } from "../base/memo.ts";
import { floatOfBits, floatOperatorOf, floatOperators, isComparison } from "./floatOperator.ts";
import type { Apply, Equal, Term } from "./term.ts";
import { childrenOf, postOrder } from "./traverse.ts";

/** The meaning of floating-point operations for a solver: declarations, and lemmas about these very terms. */
export type FloatLemmas = {
  readonly declarations: readonly string[];
  readonly terms: readonly Term[];
  lemmas(texts: readonly string[]): readonly string[];
};

/**
 * A solver has floating-point numbers of its own. `tf!float` maps an integer to one of them, `tf!bits` maps it back;
 * only the lemmas are known about both, and all are true of the bits of doubles. So consequences hold, and a solver
 * need not look into bits.
 */
const declarations = [
  "(declare-fun tf!float (Int) (_ FloatingPoint 11 53))",
  "(declare-fun tf!bits ((_ FloatingPoint 11 53)) Int)",
];

/** null if nothing in the formulas depends on floating point. */
export function floatLemmas(formulas: readonly Term[]): FloatLemmas | null {
  const operations = relevantOperations(formulas);
  if (operations.length === 0) return null;
  const terms = [...new Set(operations.flatMap((operation) => [...operation.arguments, operation]))];
  return {
    declarations,
    terms,
    lemmas(texts) {
      const byTerm = new Map(terms.map((term, i) => [term, texts[i]!]));
      return [
        ...operations.flatMap((operation) => meaning(operation, (term) => byTerm.get(term)!)),
        ...[...literalsIn(formulas)].flatMap(literalMeaning),
      ];
    },
  };
}

/** Integers that may represent a floating-point number. */
function literalsIn(formulas: readonly Term[]): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  for (const term of postOrder(formulas)) {
    if (term.kind === "int") found.add(term.value);
    else if (term.kind === "eq") found.add(term.bound);
  }
  return found;
}

function literalMeaning(bits: bigint): readonly string[] {
  const value = floatOfBits(bits);
  if (value === null || Number.isNaN(value)) return [];
  return [`(= (tf!float ${bits}) ${printFloat(bits)})`, `(= (tf!bits ${printFloat(bits)}) ${bits})`];
}

/** `(fp #b0 #b01111111111 #x0000000000000)`: sign, exponent, significand. */
function printFloat(bits: bigint): string {
  const binary = bits.toString(2).padStart(64, "0");
  return `(fp #b${binary[0]} #b${binary.slice(1, 12)} #b${binary.slice(12)})`;
}

function meaning(operation: Apply, textOf: (term: Term) => string): readonly string[] {
  const operator = floatOperatorOf(operation.symbol.name)!;
  const text = textOf(operation);
  const [a, b] = operation.arguments as readonly [Term, Term | undefined];
  const number = (term: Term) =>
    term.kind === "int" && !Number.isNaN(floatOfBits(term.value) ?? Number.NaN)
      ? printFloat(term.value)
      : `(tf!float ${textOf(term)})`;
  if (operator === "toInt") return [toIntMeaning(text, number(a))];
  const isBits = `(= (tf!bits (tf!float ${text})) ${text})`;
  if (operator === "ofInt") return [...ofIntMeaning(text, textOf(a)), isBits];
  const operands = b === undefined ? number(a) : `${number(a)} ${number(b)}`;
  const result = floatOperators[operator].smt.replace("$", () => operands);
  return isComparison(operator) ? [`(= ${text} ${result})`] : [`(= (tf!float ${text}) ${result})`, isBits];
}

const least = "(- 9223372036854775808)";
const most = "9223372036854775807";
/** -2^63 and 2^63 as solver floats. */
const below = "(fp #b1 #b10000111110 #x0000000000000)";
const above = "(fp #b0 #b10000111110 #x0000000000000)";

/** Only for 64-bit integers. */
function ofIntMeaning(text: string, operand: string): readonly string[] {
  const converted = `((_ to_fp 11 53) RNE ((_ int2bv 64) ${operand}))`;
  return [`(=> (and (<= ${least} ${operand}) (<= ${operand} ${most})) (= (tf!float ${text}) ${converted}))`];
}

function toIntMeaning(text: string, operand: string): string {
  const vector = `((_ fp.to_sbv 64) RTZ ${operand})`;
  const wraps = `(bvslt ${vector} (_ bv0 64))`;
  const value = `(- (bv2nat ${vector}) (ite ${wraps} 18446744073709551616 0))`;
  return `(=> (and (fp.leq ${below} ${operand}) (fp.lt ${operand} ${above})) (= ${text} ${value}))`;
}

export function floatOperationsIn(formula: Term): readonly Apply[] {
  return memoryAtSteps(formula).operations;
}

/** The operations whose results matter. Others are left out, because solvers take long for them. */
export function relevantOperations(formulas: readonly Term[]): readonly Apply[] {
  const looks = formulas.map(memoryAtSteps);
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

function memoryAtSteps(formula: Term): Look {
  return remembered(looks, formula, () => {
    const terms = postOrder([formula], (term) => term.kind !== "forall" && term.kind !== "exists");
    const operations = terms.filter(isFloat);
    const equations = terms.filter((term) => term.kind === "eq");
    return operations.length + equations.length === 0 ? nothing : { operations, equations };
  });
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
