import { TracefoldError } from "../base/errors.ts";
import { readSExpressions, type SExpression } from "./sExpression.ts";
import { applySmtOperator } from "./smtOperator.ts";
import { parseSymbol } from "./smtSymbol.ts";
import type { Sort, Term, Variable } from "./term.ts";
import type { Terms } from "./terms.ts";

/** The sort of a free symbol, or null where it is unknown. */
export type SortOfSymbol = (name: string) => Sort | null;

/** Reads one term; free symbols get the sorts that `sortOf` tells. Reads what `printSmtLib` prints, and solver models. */
export function parseSmtLib(terms: Terms, text: string, sortOf: SortOfSymbol): Term {
  const [expression, ...more] = readSExpressions(text);
  if (expression === undefined || more.length > 0) throw unreadable(text);
  return termOfSExpression(terms, expression, sortOf);
}

type Environment = { readonly names: ReadonlyMap<string, Term>; readonly outer: Environment | null };

/** An operation waiting for its operands; `operands` are read in order in the environment given. */
type Frame = {
  readonly operands: readonly SExpression[];
  readonly environment: Environment | null;
  readonly values: Term[];
  readonly finish: (values: readonly Term[]) => Term | { readonly then: SExpression; readonly in: Environment };
};

/** Explicit stack: models contain stores nested by the thousand. */
export function termOfSExpression(terms: Terms, root: SExpression, sortOf: SortOfSymbol): Term {
  const stack: Frame[] = [];
  let next: { expression: SExpression; environment: Environment | null } | null = {
    expression: root,
    environment: null,
  };
  let value: Term | null = null;
  for (;;) {
    if (next !== null) {
      const { expression, environment } = next;
      next = null;
      if (typeof expression === "string") value = leaf(terms, expression, environment, sortOf);
      else {
        stack.push(frameOf(terms, expression, environment));
        value = null;
      }
    }
    const top = stack.at(-1);
    if (top === undefined) return value!;
    if (value !== null) top.values.push(value);
    value = null;
    const operand = top.operands[top.values.length];
    if (operand !== undefined) {
      next = { expression: operand, environment: top.environment };
      continue;
    }
    stack.pop();
    const result = top.finish(top.values);
    if ("then" in result) next = { expression: result.then, environment: result.in };
    else {
      value = result;
      if (stack.length === 0) return value;
    }
  }
}

function leaf(terms: Terms, token: string, environment: Environment | null, sortOf: SortOfSymbol): Term {
  if (/^\d+$/.test(token)) return terms.int(BigInt(token));
  if (/^\d+\.0+$/.test(token)) return terms.int(BigInt(token.slice(0, token.indexOf("."))));
  if (token === "true" || token === "false") return terms.bool(token === "true");
  for (let scope = environment; scope !== null; scope = scope.outer) {
    const bound = scope.names.get(token);
    if (bound !== undefined) return bound;
  }
  const name = parseSymbol(token);
  const symbol = terms.findFunction(name);
  if (symbol !== null && symbol.parameters.length === 0) return terms.apply(symbol);
  const sort = sortOf(name);
  if (sort === null) throw unreadable(`symbol ${token} of unknown sort`);
  return terms.variable(name, sort);
}

function frameOf(terms: Terms, list: readonly SExpression[], environment: Environment | null): Frame {
  const [head, ...rest] = list;
  if (head === "let") {
    const bindings = rest[0] as readonly (readonly [string, SExpression])[];
    return frame(
      bindings.map(([, value]) => value),
      (values) => ({
        // biome-ignore lint/suspicious/noThenProperty: not a promise
        then: rest[1]!,
        in: { names: new Map(bindings.map(([name], i) => [name, values[i]!])), outer: environment },
      }),
    );
  }
  if (head === "forall" || head === "exists") {
    const bindings = rest[0] as readonly (readonly [string, SExpression])[];
    const bound = bindings.map(([name, sort]) => terms.variable(parseSymbol(name), parseSort(sort)) as Variable);
    const names = new Map<string, Term>(bindings.map(([name], i) => [name, bound[i]!]));
    const inner = { names, outer: environment };
    return { operands: [rest[1]!], environment: inner, values: [], finish: ([body]) => terms[head](bound, body!) };
  }
  if (head === undefined) throw unreadable("()");
  return frame(rest, (values) => applySmtOperator(terms, head, values));

  function frame(operands: readonly SExpression[], finish: Frame["finish"]): Frame {
    return { operands, environment, values: [], finish };
  }
}

export function parseSort(sort: SExpression): Sort {
  if (sort === "Int" || sort === "Bool") return sort;
  if (Array.isArray(sort) && sort[0] === "Array" && sort[1] === "Int" && sort[2] === "Int") return "Array";
  throw unreadable(`sort ${JSON.stringify(sort)}`);
}

function unreadable(what: string): TracefoldError {
  return new TracefoldError({ code: "TF111", message: `cannot read SMT-LIB term: ${what.slice(0, 200)}` });
}
