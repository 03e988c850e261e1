import { assertNever } from "../base/errors.ts";
import type { FunctionSymbol, Quantified, Sort, Term, Variable } from "./term.ts";
import { childrenOf, postOrder } from "./traverse.ts";

/** A shared or deeply nested subterm with a name. */
export type SmtDefinition = { readonly term: Term; readonly name: string; readonly text: string };

/** Deeper subterms get a name, so that no parser needs a deep stack. */
const depthLimit = 50;

/** Shorter texts are repeated rather than named. */
const nameFromLength = 12;

/**
 * Prints terms for a solver, with names for shared parts; each definition uses only earlier ones. `known` gives the
 * names that the solver has already, `nameOf` makes new ones. Linear in the shared size of the terms.
 */
export function printShared(
  roots: readonly Term[],
  known: (term: Term) => string | undefined = () => undefined,
  nameOf: (term: Term) => string = (term) => `tf!${term.id}`,
  isQuotient: (term: Term) => term is Division = isWideRemainder,
): { readonly definitions: readonly SmtDefinition[]; readonly texts: readonly string[] } {
  const texts = new Map<number, string>();
  const depths = new Map<number, number>();
  const order = postOrder(roots, (term) => {
    const name = known(term);
    if (name !== undefined) texts.set(term.id, name);
    else if (isQuantified(term)) texts.set(term.id, printQuantified(term));
    return !texts.has(term.id);
  });
  const uses = new Map<number, number>();
  for (const term of order) for (const child of childrenOf(term)) uses.set(child.id, (uses.get(child.id) ?? 0) + 1);
  // Their dividends are printed twice.
  for (const term of order) if (isQuotient(term)) uses.set(term.dividend.id, uses.get(term.dividend.id)! + 1);
  for (const root of roots) uses.set(root.id, (uses.get(root.id) ?? 0) + 1);
  const definitions: SmtDefinition[] = [];
  for (const term of order) {
    const textOf = (child: Term) => texts.get(child.id)!;
    const text = isQuotient(term) ? printByQuotient(term, textOf) : printNode(term, textOf);
    let depth = 0;
    for (const child of childrenOf(term)) depth = Math.max(depth, (depths.get(child.id) ?? 0) + 1);
    const shared = uses.get(term.id)! > 1 && text.length > nameFromLength && depth > 0;
    if (shared || depth >= depthLimit) {
      const name = nameOf(term);
      definitions.push({ term, name, text });
      texts.set(term.id, name);
      depth = 0;
    } else texts.set(term.id, text);
    depths.set(term.id, depth);
  }
  return { definitions, texts: roots.map((root) => texts.get(root.id)!) };
}

/** C's conversions take remainders of at least this size. */
const wide = 256n;

type Division = Extract<Term, { kind: "div" | "mod" }>;

function isWideRemainder(term: Term): term is Division {
  return term.kind === "mod" && term.divisor.kind === "int" && term.divisor.value >= wide;
}

/** `a mod m` as `a - m * (a div m)`: for nested remainders z3 4.8 finds no model and does not count steps. */
function printByQuotient({ dividend, divisor }: Division, text: (child: Term) => string): string {
  return `(- ${text(dividend)} (* ${text(divisor)} (div ${text(dividend)} ${text(divisor)})))`;
}

/** One expression, with `let` for shared parts. */
export function printSmtLib(term: Term): string {
  const { definitions, texts } = printShared([term], undefined, undefined, (_): _ is Division => false);
  let text = texts[0]!;
  for (const { name, text: value } of definitions.toReversed()) text = `(let ((${name} ${value})) ${text})`;
  return text;
}

export function printSort(sort: Sort): string {
  return sort === "Array" ? "(Array Int Int)" : sort;
}

export function printDeclaration(variable: Variable): string {
  return `(declare-fun ${printSymbol(variable.name)} () ${printSort(variable.sort)})`;
}

/** `declare-fun`, or `define-fun-rec` if the symbol has a definition. */
export function printFunctionSymbol(symbol: FunctionSymbol): string {
  const name = printSymbol(symbol.name);
  const result = printSort(symbol.result);
  if (symbol.definition === null)
    return `(declare-fun ${name} (${symbol.parameters.map(printSort).join(" ")}) ${result})`;
  const { parameters, body } = symbol.definition;
  return `(define-fun-rec ${name} (${parameters.map(printBinding).join(" ")}) ${result} ${printSmtLib(body)})`;
}

/** The function symbols of terms, each after those that its definition uses. */
export function functionSymbolsOf(roots: readonly Term[]): readonly FunctionSymbol[] {
  const found = new Set<FunctionSymbol>();
  const open = new Set<FunctionSymbol>();
  const visit = (terms: readonly Term[]) => {
    for (const term of postOrder(terms)) {
      if (term.kind !== "apply" || found.has(term.symbol) || open.has(term.symbol)) continue;
      open.add(term.symbol);
      if (term.symbol.definition !== null) visit([term.symbol.definition.body]);
      found.add(term.symbol);
    }
  };
  visit(roots);
  return [...found];
}

function printInteger(value: bigint): string {
  return value < 0n ? `(- ${-value})` : `${value}`;
}

function isQuantified(term: Term): term is Quantified {
  return term.kind === "forall" || term.kind === "exists";
}

/** A body refers to bound variables, so outer names do not hold inside. */
function printQuantified(term: Quantified): string {
  return `(${term.kind} (${term.bound.map(printBinding).join(" ")}) ${printSmtLib(term.body)})`;
}

function printBinding(variable: Variable): string {
  return `(${printSymbol(variable.name)} ${printSort(variable.sort)})`;
}

function printNode(term: Term, text: (child: Term) => string): string {
  switch (term.kind) {
    case "int":
      return printInteger(term.value);
    case "bool":
      return `${term.value}`;
    case "variable":
      return printSymbol(term.name);
    case "sum": {
      const parts = term.monomials.map(({ coefficient, term: part }) =>
        coefficient === 1n ? text(part) : `(* ${printInteger(coefficient)} ${text(part)})`,
      );
      if (term.constant !== 0n) parts.push(printInteger(term.constant));
      return parts.length === 1 ? parts[0]! : `(+ ${parts.join(" ")})`;
    }
    case "product":
      return `(* ${term.factors.map(text).join(" ")})`;
    case "div":
    case "mod":
      return `(${term.kind} ${text(term.dividend)} ${text(term.divisor)})`;
    case "bits": {
      const vector = (operand: Term) => `((_ int2bv ${term.width}) ${text(operand)})`;
      return `(bv2nat (bv${term.operator} ${vector(term.left)} ${vector(term.right)}))`;
    }
    case "ite":
      return `(ite ${text(term.condition)} ${text(term.whenTrue)} ${text(term.whenFalse)})`;
    case "select":
      return `(select ${text(term.array)} ${text(term.index)})`;
    case "store":
      return `(store ${text(term.array)} ${text(term.index)} ${text(term.value)})`;
    case "constantArray":
      return `((as const (Array Int Int)) ${text(term.value)})`;
    case "apply":
      if (term.arguments.length === 0) return printSymbol(term.symbol.name);
      return `(${printSymbol(term.symbol.name)} ${term.arguments.map(text).join(" ")})`;
    case "le":
      return `(<= ${text(term.sum)} ${printInteger(term.bound)})`;
    case "eq":
      return `(= ${text(term.sum)} ${printInteger(term.bound)})`;
    case "arrayEq":
      return `(= ${text(term.left)} ${text(term.right)})`;
    case "not":
      return `(not ${text(term.operand)})`;
    case "and":
    case "or":
      return `(${term.kind} ${term.arguments.map(text).join(" ")})`;
    case "forall":
    case "exists":
      return printQuantified(term);
    default:
      return assertNever(term);
  }
}

/** SMT-LIB names. Plain symbols are kept, others are quoted; a reserved name (`select`, `div`, …) gets a suffix. */
const mark = "!v";

const plain = /^[A-Za-z_@$.&^<>?/~+*%=-][A-Za-z0-9_@$.&^<>?/~+*%=!-]*$/;

const reserved = new Set(
  `_ ! as let exists forall match par BINARY DECIMAL HEXADECIMAL NUMERAL STRING true false not and or xor ite if iff
   implies distinct div mod rem abs min max divisible to_real to_int is_int select store const map array Array Int Real
   Bool String pi euler root-obj int2bv bv2int bv2nat nat2bv concat extract repeat lambda choice pow pow2 iand sin cos
   tan exp sqrt set union member subset complement transpose join product default ext as-array seq re str model sat
   unsat unknown error success unsupported assert declare define check push pop exit reset echo
   = < > <= >= + - * / ^ % ~ => .`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/** Prefixes reserved by solver theories, solver internals, or our printer. */
const reservedPrefix = /^(bv|fp\.|fp_|str\.|re\.|seq\.|set\.|bag\.|int\.|sep\.|rel\.|tuple|k!|tf!|@|\.)/;

export function printSymbol(name: string): string {
  const marked = reserved.has(name) || reservedPrefix.test(name) || name.endsWith(mark) ? `${name}${mark}` : name;
  return plain.test(marked) ? marked : `|${marked}|`;
}

/** Inverts `printSymbol`; `symbol` is a token with its bars. */
export function parseSymbol(symbol: string): string {
  const name = symbol.startsWith("|") && symbol.endsWith("|") ? symbol.slice(1, -1) : symbol;
  return name.endsWith(mark) ? name.slice(0, -mark.length) : name;
}
