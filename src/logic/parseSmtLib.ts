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

/** Bound names, innermost last. Reading goes depth first, so one table serves all scopes. */
type Scope = Map<string, Term[]>;

/** An operation waiting for its operands. `finish` gives its value, or, for a `let`, the frame of its body. */
type Frame = {
  readonly operands: readonly SExpression[];
  readonly values: Term[];
  readonly finish: (values: readonly Term[]) => Term | { readonly body: Frame };
};

/** Explicit stack: models contain stores nested by the thousand. */
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

/** Reads `body` with the names bound, and unbinds them when it is read. */
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
