import { Defect } from "../base/errors.ts";

/** A mathematical integer, a truth value, or a total function from integers to integers. */
export type Sort = "Int" | "Bool" | "Array";

/**
 * Terms are immutable and hash-consed: within one `Terms` store, two terms with the same canonical form are the same
 * object, so `===` is equality of canonical forms and `id` (dense, in order of creation) is a perfect hash. The
 * constructors of the store are the only way to make a term, and they keep this canonical form: - **sum**: `c1*t1 + … +
 * cn*tn + constant`. The `ti` are ordered by id, distinct, and neither sums nor literals; every `ci` is non-zero. A
 * bare `1*t + 0` is `t` itself, a sum of nothing is a literal. - **product**: at least two factors ordered by id, none
 * of them a literal. A factor is a sum only where distributing would have made more than 64 monomials, and a product
 * only where flattening would have made more than 64 factors. - **le** is `sum <= bound` and **eq** is `sum = bound`,
 * where `sum` has no constant part and its coefficients have no common divisor (the bound of an `le` is tightened to
 * the integers: `2x <= 5` is `x <= 2`). The first coefficient of an `eq` is positive. `<`, `>=` and `>` are written as
 * `le`; there is no negated `le`. - **and**, **or**: at least two arguments, ordered by id, distinct, flattened,
 * without complements; of several bounds on the same sum only the tightest (for `or`: the loosest) is left. - **not**
 * occurs only on atoms: a variable, `eq`, `arrayEq`, `apply`. Formulas are in negation normal form. - **ite** has a
 * condition that is the older of the condition and its negation, and distinct branches. `a <=> b` is `ite(a, b, not
 * b)`. - **div**, **mod** are those of SMT-LIB (Euclidean). With a literal divisor it is positive and greater than 1,
 * and multiples of it have been taken out of the dividend. - **select** is never of a store whose index is decided to
 * equal or to differ; **store** never overwrites a store at the same index and never writes back what was read.
 */
export type Term =
  | IntLiteral
  | BoolLiteral
  | Variable
  | Sum
  | Product
  | Division
  | BitOperation
  | Ite
  | Select
  | ArrayStore
  | ConstantArray
  | Apply
  | LessOrEqual
  | Equal
  | ArrayEqual
  | Not
  | Junction
  | Quantified;

type Node<Kind extends string, S extends Sort> = { readonly kind: Kind; readonly sort: S; readonly id: number };

export type IntLiteral = Node<"int", "Int"> & { readonly value: bigint };
export type BoolLiteral = Node<"bool", "Bool"> & { readonly value: boolean };
export type Variable = Node<"variable", Sort> & {
  readonly name: string;
  /** An unknown introduced by an encoding: no place of a program has such a name. */
  readonly madeUp: boolean;
};

export type Monomial = { readonly coefficient: bigint; readonly term: Term };
export type Sum = Node<"sum", "Int"> & { readonly monomials: readonly Monomial[]; readonly constant: bigint };
export type Product = Node<"product", "Int"> & { readonly factors: readonly Term[] };
export type Division = Node<"div" | "mod", "Int"> & { readonly dividend: Term; readonly divisor: Term };

export type BitOperator = "and" | "or" | "xor" | "shl" | "lshr" | "ashr";
/**
 * A bitwise operation on the low `width` bits; the result is unsigned, in `0 .. 2^width - 1`. Shifting by `width` or
 * more gives 0 (`ashr`: copies of the sign bit), as in SMT-LIB.
 */
export type BitOperation = Node<"bits", "Int"> & {
  readonly operator: BitOperator;
  readonly width: number;
  readonly left: Term;
  readonly right: Term;
};

export type Ite = Node<"ite", Sort> & { readonly condition: Term; readonly whenTrue: Term; readonly whenFalse: Term };
export type Select = Node<"select", "Int"> & { readonly array: Term; readonly index: Term };
export type ArrayStore = Node<"store", "Array"> & { readonly array: Term; readonly index: Term; readonly value: Term };
export type ConstantArray = Node<"constantArray", "Array"> & { readonly value: Term };
export type Apply = Node<"apply", Sort> & { readonly symbol: FunctionSymbol; readonly arguments: readonly Term[] };

export type LessOrEqual = Node<"le", "Bool"> & { readonly sum: Term; readonly bound: bigint };
export type Equal = Node<"eq", "Bool"> & { readonly sum: Term; readonly bound: bigint };
export type ArrayEqual = Node<"arrayEq", "Bool"> & { readonly left: Term; readonly right: Term };
export type Not = Node<"not", "Bool"> & { readonly operand: Term };
export type Junction = Node<"and" | "or", "Bool"> & { readonly arguments: readonly Term[] };
/** Binds variables of the same store by identity; `body` is canonical but not simplified further. */
export type Quantified = Node<"forall" | "exists", "Bool"> & {
  readonly bound: readonly Variable[];
  readonly body: Term;
};

/**
 * A function symbol of a store: uninterpreted, or recursive (`define-fun-rec`) once `Terms.define` gave it a body.
 * `definition` is the only mutable field of a term, set at most once.
 */
export type FunctionSymbol = {
  readonly name: string;
  readonly parameters: readonly Sort[];
  readonly result: Sort;
  definition: { readonly parameters: readonly Variable[]; readonly body: Term } | null;
};

export function isTrue(term: Term): boolean {
  return term.kind === "bool" && term.value;
}

export function isFalse(term: Term): boolean {
  return term.kind === "bool" && !term.value;
}

/** An atom is a formula without `and`, `or`, `ite` or quantifier at its top; a literal is an atom or its negation. */
export function isAtom(term: Term): boolean {
  switch (term.kind) {
    case "le":
    case "eq":
    case "arrayEq":
    case "bool":
      return true;
    case "variable":
    case "apply":
      return term.sort === "Bool";
    default:
      return false;
  }
}

/** The conjuncts of a formula: the arguments of an `and`, none for `true`, else the formula itself. */
export function conjuncts(term: Term): readonly Term[] {
  if (term.kind === "and") return term.arguments;
  return isTrue(term) ? [] : [term];
}

export function disjuncts(term: Term): readonly Term[] {
  if (term.kind === "or") return term.arguments;
  return isFalse(term) ? [] : [term];
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type TermShape = WithoutId<Term>;

/** The interning table of one store: one object per shape. `key` must determine the shape within its kind. */
export type TermTable = {
  readonly size: number;
  intern(key: string, shape: TermShape): Term;
  /** Throws a defect if `term` belongs to another store or has the wrong sort. */
  own(term: Term, sort?: Sort): Term;
  /** Caches that live as long as the store. */
  readonly negation: Map<number, Term>;
};

export function createTermTable(): TermTable {
  const byKey = new Map<string, Term>();
  const byId: Term[] = [];
  return {
    get size() {
      return byId.length;
    },
    intern(key, shape) {
      const known = byKey.get(key);
      if (known !== undefined) return known;
      // The caller made the object for this call and does not keep it.
      const term = shape as Term;
      (term as { id: number }).id = byId.length;
      byId.push(term);
      byKey.set(key, term);
      return term;
    },
    own(term, sort) {
      if (byId[term.id] !== term) throw new Defect(`term ${term.kind} of another store`);
      if (sort !== undefined && term.sort !== sort) throw new Defect(`${term.kind} of sort ${term.sort}, not ${sort}`);
      return term;
    },
    negation: new Map(),
  };
}

/** Names of unknowns. No place of a program has one of these two marks in its name; only this file knows the marks. */
export function freshName(prefix: string, count: number): string {
  return `${prefix}!${count}`;
}

export function taggedName(name: string, tag: number): string {
  return `${name}~${tag}`;
}

/** For names as text, such as in a stored proof; a variable has `Variable.madeUp`. */
export function isMadeUpName(name: string): boolean {
  return /[!~]/.test(name);
}
