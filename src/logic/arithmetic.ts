import { Defect } from "../base/errors.ts";
import type { Monomial, Product, Term, TermTable } from "./term.ts";

/** Products of sums are expanded up to this many monomials. */
const distributionLimit = 64;

/** Products are flattened up to this many factors: squaring forty times makes 2^40 of them. */
const factorLimit = 64;

export type Arithmetic = {
  int(value: bigint | number): Term;
  add(...terms: readonly Term[]): Term;
  sub(left: Term, right: Term): Term;
  neg(term: Term): Term;
  scale(coefficient: bigint | number, term: Term): Term;
  mul(...terms: readonly Term[]): Term;
  /** `constant` plus the sum of `coefficient * term`; the terms may be sums, literals and repeated. */
  linear(monomials: Iterable<Monomial>, constant?: bigint): Term;
  withoutConstant(term: Term): Term;
};

export function arithmetic(table: TermTable): Arithmetic {
  const zero = int(0n);

  function int(value: bigint | number): Term {
    const big = BigInt(value);
    return table.intern(`${big}`, { kind: "int", sort: "Int", value: big });
  }

  function linear(parts: Iterable<Monomial>, start = 0n): Term {
    let constant = start;
    const collected = new Map<number, { coefficient: bigint; term: Term }>();
    const collect = (coefficient: bigint, term: Term) => {
      const known = collected.get(term.id);
      if (known === undefined) collected.set(term.id, { coefficient, term });
      else known.coefficient += coefficient;
    };
    for (const { coefficient, term } of parts) {
      table.own(term, "Int");
      if (term.kind === "int") constant += coefficient * term.value;
      else if (term.kind === "sum") {
        constant += coefficient * term.constant;
        for (const m of term.monomials) collect(coefficient * m.coefficient, m.term);
      } else collect(coefficient, term);
    }
    const monomials: Monomial[] = [];
    for (const m of collected.values()) if (m.coefficient !== 0n) monomials.push(m);
    monomials.sort((a, b) => a.term.id - b.term.id);
    return ordered(monomials, constant);
  }

  function ordered(monomials: readonly Monomial[], constant: bigint): Term {
    const first = monomials[0];
    if (first === undefined) return int(constant);
    if (monomials.length === 1 && constant === 0n && first.coefficient === 1n) return first.term;
    let key = `+${constant}`;
    for (const m of monomials) key += `,${m.coefficient}*${m.term.id}`;
    return table.intern(key, { kind: "sum", sort: "Int", monomials, constant });
  }

  function add(...terms: readonly Term[]): Term {
    const [a, b] = terms;
    if (terms.length === 2 && a !== undefined && b !== undefined) {
      if (b.kind === "int") return addConstant(a, b.value);
      if (a.kind === "int") return addConstant(b, a.value);
    }
    if (terms.length === 2) return merge(a!, b!, 1n);
    return linear(terms.map((term) => ({ coefficient: 1n, term })));
  }

  /** `left + factor * right`: both are ordered, so one pass is enough; unchanged monomials are shared. */
  function merge(left: Term, right: Term, factor: bigint): Term {
    const [a, b] = [ownMonomials(table.own(left, "Int")), ownMonomials(table.own(right, "Int"))];
    const monomials: Monomial[] = [];
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      const [x, y] = [a[i], b[j]];
      if (y === undefined || (x !== undefined && x.term.id < y.term.id)) {
        monomials.push(x!);
        i++;
      } else if (x === undefined || y.term.id < x.term.id) {
        monomials.push(factor === 1n ? y : { coefficient: factor * y.coefficient, term: y.term });
        j++;
      } else {
        const coefficient = x.coefficient + factor * y.coefficient;
        if (coefficient !== 0n) monomials.push({ coefficient, term: x.term });
        i++;
        j++;
      }
    }
    return ordered(monomials, constantOf(left) + factor * constantOf(right));
  }

  function addConstant(term: Term, value: bigint): Term {
    table.own(term, "Int");
    if (value === 0n) return term;
    if (term.kind === "int") return int(term.value + value);
    if (term.kind === "sum") return ordered(term.monomials, term.constant + value);
    return ordered([{ coefficient: 1n, term }], value);
  }

  function scale(factor: bigint | number, term: Term): Term {
    const coefficient = BigInt(factor);
    if (coefficient === 1n) return table.own(term, "Int");
    return linear([{ coefficient, term }]);
  }

  function mul(...terms: readonly Term[]): Term {
    let result = int(1n);
    for (const term of terms) result = mulTwo(result, table.own(term, "Int"));
    return result;
  }

  function mulTwo(left: Term, right: Term): Term {
    if (left.kind === "int") return scale(left.value, right);
    if (right.kind === "int") return scale(right.value, left);
    const a = monomialsOf(left);
    const b = monomialsOf(right);
    if (a.length * b.length > distributionLimit) return undistributed(left, right);
    const parts: Monomial[] = [];
    for (const x of a)
      for (const y of b)
        parts.push({ coefficient: x.coefficient * y.coefficient, term: monomialProduct(x.term, y.term) });
    return linear(parts);
  }

  /** The monomials, with the constant as a multiple of the literal 1. */
  function monomialsOf(term: Term): readonly Monomial[] {
    if (term.kind !== "sum") return [{ coefficient: 1n, term }];
    if (term.constant === 0n) return term.monomials;
    return [...term.monomials, { coefficient: term.constant, term: int(1n) }];
  }

  function monomialProduct(left: Term, right: Term): Term {
    if (left.kind === "int") return right;
    if (right.kind === "int") return left;
    return undistributed(left, right);
  }

  function undistributed(left: Term, right: Term): Term {
    const factors = [...factorsOf(left), ...factorsOf(right)];
    return product(factors.length > factorLimit ? [left, right] : factors);
  }

  function product(unordered: Term[]): Term {
    const factors = unordered.sort((a, b) => a.id - b.id);
    if (factors.length < 2) throw new Defect("product of fewer than two factors");
    return table.intern(`*${factors.map((f) => f.id)}`, { kind: "product", sort: "Int", factors });
  }

  return {
    int,
    add,
    sub: (left, right) => (right.kind === "int" ? addConstant(left, -right.value) : merge(left, right, -1n)),
    neg: (term) => (term === zero ? zero : linear([{ coefficient: -1n, term }])),
    scale,
    mul,
    linear,
    withoutConstant: (term) => addConstant(term, -constantOf(term)),
  };
}

/** The monomials of a term as a sum, without the constant. */
function ownMonomials(term: Term): readonly Monomial[] {
  if (term.kind === "sum") return term.monomials;
  return term.kind === "int" ? [] : [{ coefficient: 1n, term }];
}

function constantOf(term: Term): bigint {
  return term.kind === "sum" ? term.constant : term.kind === "int" ? term.value : 0n;
}

function factorsOf(term: Term): readonly Term[] {
  return term.kind === "product" ? (term as Product).factors : [term];
}
