import { Defect } from "../base/errors.ts";
import type { Sort, Term } from "./term.ts";

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type TermShape = WithoutId<Term>;

/**
 * The interning table of one store. `intern` returns the one object for a shape; `key` must determine the shape among
 * those of its kind. Nothing else in the project creates `Term` objects.
 */
export type TermTable = {
  readonly size: number;
  intern(key: string, shape: TermShape): Term;
  /** Fails with a defect when `term` belongs to another store or has the wrong sort. */
  own(term: Term, sort?: Sort): Term;
  /** Memory for derived facts, which must live and die with the store: one map per purpose. */
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
      // The caller made the object for this call and keeps no hold of it.
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
