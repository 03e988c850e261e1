import { assertNever } from "../base/assertNever.ts";
import { evaluateBits } from "./bitwise.ts";
import { euclideanDiv, euclideanMod } from "./integer.ts";
import type { Apply, Term, Variable } from "./term.ts";
import { postOrder } from "./traverse.ts";
import { type ArrayValue, arrayValue, equalValues, readArray, unknownArray, type Value, writeArray } from "./value.ts";

/** Values of variables; `undefined` where it has none. */
export type Assignment = (variable: Variable) => Value | undefined;

/** Values of uninterpreted functions. */
export type Interpretation = (apply: Apply, args: readonly Value[]) => Value | undefined;

/** Unfoldings of recursive functions, in all and nested, after which an evaluation gives up. */
const unfoldingLimit = 10_000;
const nestingLimit = 500;

/**
 * The value of a term, or null where it is not determined: a variable without a value matters, a division by zero, a
 * quantifier, a function without an interpretation, or recursion that does not end within its limit. An array may be
 * determined in part.
 */
export function evaluate(root: Term, assignment: Assignment, interpretation?: Interpretation): Value | null {
  return evaluateAll([root], assignment, interpretation)[0]!;
}

/** Several terms under one assignment; what they share is evaluated once. */
export function evaluateAll(
  roots: readonly Term[],
  assignment: Assignment,
  interpretation: Interpretation = () => undefined,
): readonly (Value | null)[] {
  const budget = { unfoldings: unfoldingLimit, nesting: nestingLimit };
  return evaluateWithin(roots, assignment, interpretation, budget);
}

/** An assignment from values by name. */
export function assignmentOf(values: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>): Assignment {
  if (values instanceof Map) return (variable) => values.get(variable.name);
  return (variable) => (values as Readonly<Record<string, Value>>)[variable.name];
}

function evaluateWithin(
  roots: readonly Term[],
  assignment: Assignment,
  interpretation: Interpretation,
  budget: { unfoldings: number; nesting: number },
): readonly (Value | null)[] {
  const values = new Map<number, Value | null>();
  const valueOf = (term: Term): Value | null => values.get(term.id)!;
  const isQuantified = (term: Term) => term.kind === "forall" || term.kind === "exists";
  for (const root of roots) if (isQuantified(root)) values.set(root.id, null);
  const order = postOrder(roots, (term) => {
    if (isQuantified(term)) values.set(term.id, null);
    return !isQuantified(term);
  });
  for (const term of order) values.set(term.id, valueOfNode(term));
  return roots.map(valueOf);

  function valueOfNode(term: Term): Value | null {
    switch (term.kind) {
      case "int":
      case "bool":
        return term.value;
      case "variable":
        return assignment(term) ?? null;
      case "sum": {
        let total = term.constant;
        for (const m of term.monomials) {
          const value = valueOf(m.term);
          if (value === null) return null;
          total += m.coefficient * (value as bigint);
        }
        return total;
      }
      case "product": {
        let total: bigint | null = 1n;
        for (const factor of term.factors) {
          const value = valueOf(factor) as bigint | null;
          if (value === 0n) return 0n;
          total = total === null || value === null ? null : total * value;
        }
        return total;
      }
      case "div":
      case "mod":
        return integers(term.dividend, term.divisor, (a, b) =>
          b === 0n ? null : term.kind === "div" ? euclideanDiv(a, b) : euclideanMod(a, b),
        );
      case "bits":
        return integers(term.left, term.right, (a, b) => evaluateBits(term.operator, term.width, a, b));
      case "ite": {
        const condition = valueOf(term.condition);
        if (condition !== null) return valueOf(condition === true ? term.whenTrue : term.whenFalse);
        const [a, b] = [valueOf(term.whenTrue), valueOf(term.whenFalse)];
        return a !== null && b !== null && equalValues(a, b) === true ? a : null;
      }
      case "select": {
        const array = valueOf(term.array);
        const index = valueOf(term.index);
        return array === null || index === null ? null : readArray(array as ArrayValue, index as bigint);
      }
      case "store": {
        const [array, index, value] = [valueOf(term.array), valueOf(term.index), valueOf(term.value)];
        if (index === null) return null;
        return writeArray((array ?? unknownArray) as ArrayValue, index as bigint, value as bigint | null);
      }
      case "constantArray": {
        const value = valueOf(term.value);
        return value === null ? null : arrayValue([], value as bigint);
      }
      case "apply":
        return valueOfApply(term);
      case "le":
      case "eq": {
        const value = valueOf(term.sum) as bigint | null;
        return value === null ? null : term.kind === "le" ? value <= term.bound : value === term.bound;
      }
      case "arrayEq": {
        const [a, b] = [valueOf(term.left), valueOf(term.right)];
        return a === null || b === null ? null : equalValues(a, b);
      }
      case "not": {
        const value = valueOf(term.operand);
        return value === null ? null : !value;
      }
      case "and":
      case "or": {
        const absorbing = term.kind === "or";
        let result: boolean | null = !absorbing;
        for (const argument of term.arguments) {
          const value = valueOf(argument);
          if (value === absorbing) return absorbing;
          if (value === null) result = null;
        }
        return result;
      }
      case "forall":
      case "exists":
        return null;
      default:
        return assertNever(term);
    }
  }

  function integers(left: Term, right: Term, f: (a: bigint, b: bigint) => bigint | null): bigint | null {
    const [a, b] = [valueOf(left), valueOf(right)];
    return a === null || b === null ? null : f(a as bigint, b as bigint);
  }

  function valueOfApply(term: Apply): Value | null {
    const args: Value[] = [];
    for (const argument of term.arguments) {
      const value = valueOf(argument);
      if (value === null) return null;
      args.push(value);
    }
    const { definition } = term.symbol;
    if (definition === null) return interpretation(term, args) ?? null;
    return unfold(definition, args);
  }

  /** Evaluates a body branch by branch: the branch not taken of a recursive definition would not end. */
  function unfold(definition: NonNullable<Apply["symbol"]["definition"]>, args: readonly Value[]): Value | null {
    if (budget.unfoldings-- <= 0 || budget.nesting <= 0) return null;
    budget.nesting--;
    const value = valueOfBody(definition, args);
    budget.nesting++;
    return value;
  }

  function valueOfBody(definition: NonNullable<Apply["symbol"]["definition"]>, args: readonly Value[]): Value | null {
    const inner: Assignment = (variable) => {
      const position = definition.parameters.indexOf(variable);
      return position >= 0 ? args[position] : assignment(variable);
    };
    let body = definition.body;
    while (body.kind === "ite") {
      const condition = evaluateWithin([body.condition], inner, interpretation, budget)[0]!;
      if (condition === null) return null;
      body = condition === true ? body.whenTrue : body.whenFalse;
    }
    return evaluateWithin([body], inner, interpretation, budget)[0]!;
  }
}
