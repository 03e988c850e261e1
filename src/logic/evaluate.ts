import { assertNever } from "../base/errors.ts";
import { evaluateBits } from "./bitwise.ts";
import { evaluateFloat, floatOperatorOf } from "./floatOperator.ts";
import { euclideanDiv, euclideanMod } from "./linear.ts";
import type { Apply, Term, Variable } from "./term.ts";
import { postOrder } from "./traverse.ts";

export type Assignment = (variable: Variable) => Value | undefined;

export type Interpretation = (apply: Apply, args: readonly Value[]) => Value | undefined;

/** Limit on the unfoldings of recursive functions, in total and nested. */
const unfoldingLimit = 10_000;
const nestingLimit = 500;

/**
 * The value of a term; null if undetermined: a relevant variable without a value, a division by zero, a quantifier, a
 * function without an interpretation, or too deep recursion. An array may be partly determined.
 */
export function evaluate(root: Term, assignment: Assignment, interpretation?: Interpretation): Value | null {
  return evaluateAll([root], assignment, interpretation)[0]!;
}

/** Several terms under one assignment; shared parts are evaluated once. */
export function evaluateAll(
  roots: readonly Term[],
  assignment: Assignment,
  interpretation: Interpretation = () => undefined,
): readonly (Value | null)[] {
  const budget: Budget = { unfoldings: unfoldingLimit, nesting: nestingLimit };
  return evaluateWithin(roots, assignment, interpretation, budget);
}

function evaluateWithin(
  roots: readonly Term[],
  assignment: Assignment,
  interpretation: Interpretation,
  budget: Budget,
): readonly (Value | null)[] {
  const evaluation = new Evaluation(assignment, interpretation, budget);
  for (const root of roots) evaluation.run(root);
  return roots.map((root) => evaluation.valueOf(root));
}

/** Cached evaluation orders of small terms: the same few are evaluated repeatedly. */
const orders = new WeakMap<Term, readonly Inner[]>();
const smallTerm = 32;

type Budget = { unfoldings: number; nesting: number };

/** A class, not closures: most terms are small, and set-up would cost more than evaluation. */
class Evaluation {
  private readonly values = new Map<Term, Value | null>();
  private readonly assignment: Assignment;
  private readonly interpretation: Interpretation;
  private readonly budget: Budget;

  constructor(assignment: Assignment, interpretation: Interpretation, budget: Budget) {
    this.assignment = assignment;
    this.interpretation = interpretation;
    this.budget = budget;
  }

  run(root: Term): void {
    for (const term of orders.get(root) ?? this.orderOf(root)) {
      if (!this.values.has(term)) this.values.set(term, this.valueOfNode(term));
    }
  }

  private orderOf(root: Term): readonly Inner[] {
    const order = postOrder([root], (part) => !isLeaf(part)).filter((part) => !isLeaf(part)) as Inner[];
    if (order.length <= smallTerm) orders.set(root, order);
    return order;
  }

  valueOf(term: Term): Value | null {
    switch (term.kind) {
      case "int":
      case "bool":
        return term.value;
      case "variable":
        return this.assignment(term) ?? null;
      case "forall":
      case "exists":
        return null;
      default:
        return this.values.get(term)!;
    }
  }

  private valueOfNode(term: Inner): Value | null {
    switch (term.kind) {
      case "sum": {
        let total = term.constant;
        for (const m of term.monomials) {
          const value = this.valueOf(m.term);
          if (value === null) return null;
          total += m.coefficient * (value as bigint);
        }
        return total;
      }
      case "product": {
        let total: bigint | null = 1n;
        for (const factor of term.factors) {
          const value = this.valueOf(factor) as bigint | null;
          if (value === 0n) return 0n;
          total = total === null || value === null ? null : total * value;
        }
        return total;
      }
      case "div":
      case "mod": {
        const [a, b] = [this.valueOf(term.dividend), this.valueOf(term.divisor)] as (bigint | null)[];
        if (a === null || b === null || b === 0n) return null;
        return term.kind === "div" ? euclideanDiv(a!, b!) : euclideanMod(a!, b!);
      }
      case "bits": {
        const [a, b] = [this.valueOf(term.left), this.valueOf(term.right)] as (bigint | null)[];
        return a === null || b === null ? null : evaluateBits(term.operator, term.width, a!, b!);
      }
      case "ite": {
        const condition = this.valueOf(term.condition);
        if (condition !== null) return this.valueOf(condition === true ? term.whenTrue : term.whenFalse);
        const [a, b] = [this.valueOf(term.whenTrue), this.valueOf(term.whenFalse)];
        return a !== null && b !== null && equalValues(a!, b!) === true ? a! : null;
      }
      case "select": {
        const array = this.valueOf(term.array);
        const index = this.valueOf(term.index);
        return array === null || index === null ? null : readArray(array as ArrayValue, index as bigint);
      }
      case "store": {
        const [array, index, value] = [this.valueOf(term.array), this.valueOf(term.index), this.valueOf(term.value)];
        if (index === null) return null;
        return writeArray((array ?? unknownArray) as ArrayValue, index as bigint, value as bigint | null);
      }
      case "constantArray": {
        const value = this.valueOf(term.value);
        return value === null ? null : arrayValue([], value as bigint);
      }
      case "apply":
        return this.valueOfApply(term);
      case "le":
      case "eq": {
        const value = this.valueOf(term.sum) as bigint | null;
        return value === null ? null : term.kind === "le" ? value <= term.bound : value === term.bound;
      }
      case "arrayEq": {
        const [a, b] = [this.valueOf(term.left), this.valueOf(term.right)];
        return a === null || b === null ? null : equalValues(a!, b!);
      }
      case "not": {
        const value = this.valueOf(term.operand);
        return value === null ? null : !value;
      }
      case "and":
      case "or": {
        const absorbing = term.kind === "or";
        let result: boolean | null = !absorbing;
        for (const argument of term.arguments) {
          const value = this.valueOf(argument);
          if (value === absorbing) return absorbing;
          if (value === null) result = null;
        }
        return result;
      }
      default:
        return assertNever(term);
    }
  }

  private valueOfApply(term: Apply): Value | null {
    const args: Value[] = [];
    for (const argument of term.arguments) {
      const value = this.valueOf(argument);
      if (value === null) return null;
      args.push(value);
    }
    const { definition } = term.symbol;
    if (definition !== null) return this.unfold(definition, args);
    const operator = floatOperatorOf(term.symbol.name);
    return operator === null ? (this.interpretation(term, args) ?? null) : evaluateFloat(operator, args);
  }

  /** Evaluates a body branch by branch: the branch not taken of a recursive definition would not terminate. */
  private unfold(definition: NonNullable<Apply["symbol"]["definition"]>, args: readonly Value[]): Value | null {
    if (this.budget.unfoldings-- <= 0 || this.budget.nesting <= 0) return null;
    this.budget.nesting--;
    const value = this.valueOfBody(definition, args);
    this.budget.nesting++;
    return value;
  }

  private valueOfBody(definition: NonNullable<Apply["symbol"]["definition"]>, args: readonly Value[]): Value | null {
    const inner: Assignment = (variable) => {
      const position = definition.parameters.indexOf(variable);
      return position >= 0 ? args[position] : this.assignment(variable);
    };
    const evaluateInner = (term: Term) => evaluateWithin([term], inner, this.interpretation, this.budget)[0]!;
    let body = definition.body;
    while (body.kind === "ite") {
      const condition = evaluateInner(body.condition);
      if (condition === null) return null;
      body = condition === true ? body.whenTrue : body.whenFalse;
    }
    return evaluateInner(body);
  }
}

type Leaf = Extract<Term, { kind: "int" | "bool" | "variable" | "forall" | "exists" }>;
type Inner = Exclude<Term, Leaf>;

/** True if the value is not computed from those of parts. */
function isLeaf(term: Term): term is Leaf {
  switch (term.kind) {
    case "int":
    case "bool":
    case "variable":
    case "forall":
    case "exists":
      return true;
    default:
      return false;
  }
}

export type Value = bigint | boolean | ArrayValue;

/** An array that differs from `otherwise` at finitely many indices; null for unknown values. */
export type ArrayValue = { readonly entries: ReadonlyMap<bigint, bigint | null>; readonly otherwise: bigint | null };

export function arrayValue(
  entries: Iterable<readonly [bigint, bigint | null]> = [],
  otherwise: bigint | null = 0n,
): ArrayValue {
  return { entries: new Map(entries), otherwise };
}

export const unknownArray: ArrayValue = arrayValue([], null);

/** One write on top of another array, so that a long chain of writes does not copy the array each time. */
class Overlay implements ArrayValue {
  readonly base: ArrayValue;
  readonly index: bigint;
  readonly value: bigint | null;
  readonly depth: number;

  constructor(base: ArrayValue, index: bigint, value: bigint | null, depth: number) {
    this.base = base;
    this.index = index;
    this.value = value;
    this.depth = depth;
  }

  get otherwise(): bigint | null {
    return this.base.otherwise;
  }

  get entries(): ReadonlyMap<bigint, bigint | null> {
    const writes: Overlay[] = [];
    let array: ArrayValue = this;
    for (; array instanceof Overlay; array = array.base) writes.push(array);
    const entries = new Map(array.entries);
    for (const { index, value } of writes.reverse()) entries.set(index, value);
    return entries;
  }
}

const overlayLimit = 64;

export function readArray(array: ArrayValue, index: bigint): bigint | null {
  let base = array;
  for (; base instanceof Overlay; base = base.base) if (base.index === index) return base.value;
  const entry = base.entries.get(index);
  return entry === undefined ? base.otherwise : entry;
}

export function writeArray(array: ArrayValue, index: bigint, value: bigint | null): ArrayValue {
  if (readArray(array, index) === value) return array;
  const depth = array instanceof Overlay ? array.depth + 1 : 1;
  if (depth <= overlayLimit) return new Overlay(array, index, value, depth);
  return { entries: new Map(array.entries).set(index, value), otherwise: array.otherwise };
}

/** null if it depends on unknown values. */
export function equalValues(a: Value, b: Value): boolean | null {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  const indices = new Set([...a.entries.keys(), ...b.entries.keys()]);
  const pairs = [...indices].map((index) => [readArray(a, index), readArray(b, index)]);
  let equal: boolean | null = true;
  for (const [left, right] of [...pairs, [a.otherwise, b.otherwise]]) {
    if (left === null || right === null) equal = null;
    else if (left !== right) return false;
  }
  return equal;
}
