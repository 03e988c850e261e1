import { TracefoldError } from "../base/errors.ts";
import { floatOperatorOf } from "./floatOperator.ts";
import type { SExpression } from "./sExpression.ts";
import { parseSymbol } from "./smtSymbol.ts";
import type { BitOperator, Term } from "./term.ts";
import type { Terms } from "./terms.ts";

/**
 * Applies an SMT-LIB operator to terms. Bit-vector expressions occur only as islands between `int2bv` and `bv2nat`, so
 * an unsigned number stands for the vector and the width is kept beside it in `((_ int2bv w) x)`.
 */
export function applySmtOperator(terms: Terms, head: SExpression, args: readonly Term[]): Term {
  if (typeof head !== "string") return applyIndexed(terms, head, args);
  const [a, b, c] = args as readonly [Term, Term, Term];
  switch (head) {
    case "+":
      return terms.add(...args);
    case "-":
      return args.length === 1 ? terms.neg(a) : args.slice(1).reduce((left, right) => terms.sub(left, right), a);
    case "*":
      return terms.mul(...args);
    case "div":
      return terms.div(a, b);
    case "mod":
      return terms.mod(a, b);
    case "abs":
      return terms.ite(terms.ge(a, terms.int(0n)), a, terms.neg(a));
    case "<=":
      return chain(terms, args, terms.le);
    case "<":
      return chain(terms, args, terms.lt);
    case ">=":
      return chain(terms, args, terms.ge);
    case ">":
      return chain(terms, args, terms.gt);
    case "=":
      return chain(terms, args, terms.eq);
    case "distinct":
      return terms.all(args.flatMap((left, i) => args.slice(i + 1).map((right) => terms.ne(left, right))));
    case "not":
      return terms.not(a);
    case "and":
      return terms.all(args);
    case "or":
      return terms.any(args);
    case "xor":
      return args.slice(1).reduce((left, right) => terms.not(terms.iff(left, right)), a);
    case "=>":
      return terms.any([...args.slice(0, -1).map((t) => terms.not(t)), args.at(-1)!]);
    case "ite":
    case "if":
      return terms.ite(a, b, c);
    case "select":
      return terms.select(a, b);
    case "store":
      return terms.store(a, b, c);
    case "bv2nat":
    case "bv2int":
    case "ubv_to_int":
    case "to_int":
    case "to_real":
      return a;
    default:
      return applyNamed(terms, head, args);
  }
}

const bitOperators = new Map<string, BitOperator>([
  ["bvand", "and"],
  ["bvor", "or"],
  ["bvxor", "xor"],
  ["bvshl", "shl"],
  ["bvlshr", "lshr"],
  ["bvashr", "ashr"],
]);

/** Marks a term as the bit vector of its low bits; only ever seen by the operator around it. */
const vectorSymbol = (width: number) => `int2bv!${width}`;

function applyNamed(terms: Terms, head: string, args: readonly Term[]): Term {
  const operator = bitOperators.get(head);
  if (operator !== undefined) {
    const [left, right] = args.map(vectorOf);
    if (left === undefined || right === undefined) throw unknownOperator(head);
    return terms.bits(operator, left.width, left.term, right.term);
  }
  const name = parseSymbol(head);
  const float = floatOperatorOf(name);
  if (float !== null) return terms.float(float, ...args);
  const symbol = terms.findFunction(name);
  if (symbol === null) throw unknownOperator(head);
  return terms.apply(symbol, ...args);
}

function vectorOf(term: Term): { width: number; term: Term } {
  if (term.kind === "apply" && term.symbol.name.startsWith("int2bv!"))
    return { width: Number(term.symbol.name.slice("int2bv!".length)), term: term.arguments[0]! };
  throw unknownOperator("bit-vector operation outside an island");
}

function applyIndexed(terms: Terms, head: readonly SExpression[], args: readonly Term[]): Term {
  if (head[0] === "as" && head[1] === "const") return terms.constantArray(args[0]!);
  if (head[0] === "_" && (head[1] === "int2bv" || head[1] === "int_to_bv"))
    return terms.apply(terms.functionSymbol(vectorSymbol(Number(head[2])), ["Int"], "Int"), args[0]!);
  throw unknownOperator(JSON.stringify(head));
}

function chain(terms: Terms, args: readonly Term[], relation: (left: Term, right: Term) => Term): Term {
  if (args.length === 2) return relation(args[0]!, args[1]!);
  return terms.all(args.slice(1).map((right, i) => relation(args[i]!, right)));
}

function unknownOperator(what: string): TracefoldError {
  return new TracefoldError({ code: "TF191", message: `cannot read SMT-LIB operator ${what.slice(0, 200)}` });
}
