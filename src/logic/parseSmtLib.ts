import { TracefoldError } from "../base/errors.ts";
import { floatOperatorOf } from "./floatOperator.ts";
import { parseSymbol } from "./printSmtLib.ts";
import type { BitOperator, Sort, Term, Variable } from "./term.ts";
import type { Terms } from "./terms.ts";

/** The sort of a free symbol; null if unknown. */
export type SortOfSymbol = (name: string) => Sort | null;

/** Parses one term; `sortOf` gives the sorts of free symbols. Reads the output of `printSmtLib`, and solver models. */
export function parseSmtLib(terms: Terms, text: string, sortOf: SortOfSymbol): Term {
  const [expression, ...more] = readSExpressions(text);
  if (expression === undefined || more.length > 0) throw unreadable(text);
  return termOfSExpression(terms, expression, sortOf);
}

/** Bound names, innermost last. Parsing is depth first, so one table serves all scopes. */
type Scope = Map<string, Term[]>;

/** An operation waiting for its operands. `finish` gives its value, or, for a `let`, the frame of its body. */
type Frame = {
  readonly operands: readonly SExpression[];
  readonly values: Term[];
  readonly finish: (values: readonly Term[]) => Term | { readonly body: Frame };
};

/** Uses an explicit stack: models contain thousands of nested stores. */
export function termOfSExpression(terms: Terms, root: SExpression, sortOf: SortOfSymbol): Term {
  const scope: Scope = new Map();
  const stack: Frame[] = [{ operands: [root], values: [], finish: ([value]) => value! }];
  for (;;) {
    const top = stack.at(-1)!;
    const operand = top.operands[top.values.length];
    if (typeof operand === "string") top.values.push(leaf(terms, operand, scope, sortOf));
    else if (operand !== undefined) stack.push(frameOf(terms, operand, scope));
    else {
      stack.pop();
      const result = top.finish(top.values);
      if ("body" in result && !("sort" in result)) stack.push(result.body);
      else {
        const outer = stack.at(-1);
        if (outer === undefined) return result as Term;
        outer.values.push(result as Term);
      }
    }
  }
}

function leaf(terms: Terms, token: string, scope: Scope, sortOf: SortOfSymbol): Term {
  if (/^\d+$/.test(token)) return terms.int(BigInt(token));
  if (/^\d+\.0+$/.test(token)) return terms.int(BigInt(token.slice(0, token.indexOf("."))));
  if (token === "true" || token === "false") return terms.bool(token === "true");
  const bound = scope.get(token)?.at(-1);
  if (bound !== undefined) return bound;
  const name = parseSymbol(token);
  const symbol = terms.findFunction(name);
  if (symbol !== null && symbol.parameters.length === 0) return terms.apply(symbol);
  const sort = sortOf(name);
  if (sort === null) throw unreadable(`symbol ${token} of unknown sort`);
  return terms.variable(name, sort);
}

function frameOf(terms: Terms, list: readonly SExpression[], scope: Scope): Frame {
  const [head, ...rest] = list;
  if (head === "let") {
    const bindings = rest[0] as readonly (readonly [string, SExpression])[];
    const names = bindings.map(([name]) => name);
    return {
      operands: bindings.map(([, value]) => value),
      values: [],
      finish: (values) => ({ body: scoped(scope, names, values, rest[1]!, (body) => body) }),
    };
  }
  if (head === "forall" || head === "exists") {
    const bindings = rest[0] as readonly (readonly [string, SExpression])[];
    const bound = bindings.map(([name, sort]) => terms.variable(parseSymbol(name), parseSort(sort)) as Variable);
    const names = bindings.map(([name]) => name);
    return scoped(scope, names, bound, rest[1]!, (body) => terms[head](bound, body));
  }
  if (head === undefined) throw unreadable("()");
  return { operands: rest, values: [], finish: (values) => applySmtOperator(terms, head, values) };
}

/** Reads `body` with the names bound, then unbinds them. */
function scoped(
  scope: Scope,
  names: readonly string[],
  values: readonly Term[],
  body: SExpression,
  finish: (body: Term) => Term,
): Frame {
  for (const [i, name] of names.entries()) {
    const known = scope.get(name);
    if (known === undefined) scope.set(name, [values[i]!]);
    else known.push(values[i]!);
  }
  return {
    operands: [body],
    values: [],
    finish: ([value]) => {
      for (const name of names) scope.get(name)!.pop();
      return finish(value!);
    },
  };
}

function parseSort(sort: SExpression): Sort {
  if (sort === "Int" || sort === "Bool") return sort;
  if (Array.isArray(sort) && sort[0] === "Array" && sort[1] === "Int" && sort[2] === "Int") return "Array";
  throw unreadable(`sort ${JSON.stringify(sort)}`);
}

function unreadable(what: string): TracefoldError {
  return new TracefoldError({ code: "TF191", message: `cannot read SMT-LIB term: ${what.slice(0, 200)}` });
}

/** A token as written (symbols with bars, strings with quotes) or a list. */
export type SExpression = string | readonly SExpression[];

const token = /\s+|;[^\n]*|\(|\)|"(?:[^"]|"")*"|\|[^|]*\||[^\s()|";]+/gy;

/** Reads all S-expressions of a text, iteratively. Unbalanced text is an error. */
export function readSExpressions(text: string): SExpression[] {
  const top: SExpression[] = [];
  const open: SExpression[][] = [];
  let current = top;
  let position = 0;
  token.lastIndex = 0;
  while (position < text.length) {
    token.lastIndex = position;
    const match = token.exec(text);
    if (match === null) throw malformed(text, position);
    const [word] = match;
    position += word.length;
    if (word === "(") {
      const list: SExpression[] = [];
      current.push(list);
      open.push(current);
      current = list;
    } else if (word === ")") {
      const outer = open.pop();
      if (outer === undefined) throw malformed(text, position - 1);
      current = outer;
    } else if (!/^[\s;]/.test(word)) current.push(word);
  }
  if (open.length > 0) throw malformed(text, text.length);
  return top;
}

function malformed(text: string, position: number): TracefoldError {
  const near = text.slice(Math.max(0, position - 40), position + 40).replace(/\s+/g, " ");
  return new TracefoldError({ code: "TF190", message: `not an S-expression near "${near}"` });
}

/**
 * Applies an SMT-LIB operator to terms. Bit-vector expressions occur only between `int2bv` and `bv2nat`, so an unsigned
 * number represents the vector, with the width in `((_ int2bv w) x)`.
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

/** Marks a term as the bit vector of its low bits; only the operator around it sees the mark. */
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
  throw unknownOperator("bit-vector operation outside of int2bv and bv2nat");
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
