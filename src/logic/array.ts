import type { Booleans } from "./boolean.ts";
import type { Comparisons } from "./comparison.ts";
import type { Term } from "./term.ts";
import type { TermTable } from "./termTable.ts";

export type Arrays = {
  select(array: Term, index: Term): Term;
  store(array: Term, index: Term, value: Term): Term;
  constantArray(value: Term): Term;
};

export function arrays(table: TermTable, terms: Comparisons & Booleans): Arrays {
  /** Reads through the stores whose index is decided to differ. */
  function select(array: Term, index: Term): Term {
    table.own(array, "Array");
    table.own(index, "Int");
    let base = array;
    while (base.kind === "store") {
      const same = terms.eq(base.index, index);
      if (same.kind !== "bool") break;
      if (same.value) return base.value;
      base = base.array;
    }
    if (base.kind === "constantArray") return base.value;
    return table.intern(`[${base.id},${index.id}`, { kind: "select", sort: "Int", array: base, index });
  }

  function store(array: Term, index: Term, value: Term): Term {
    table.own(array, "Array");
    table.own(index, "Int");
    table.own(value, "Int");
    const base = array.kind === "store" && array.index === index ? array.array : array;
    if (value.kind === "select" && value.array === base && value.index === index) return base;
    if (base.kind === "constantArray" && base.value === value) return base;
    const shape = { kind: "store", sort: "Array", array: base, index, value } as const;
    return table.intern(`]${base.id},${index.id},${value.id}`, shape);
  }

  return {
    select,
    store,
    constantArray: (value) =>
      table.intern(`K${table.own(value, "Int").id}`, { kind: "constantArray", sort: "Array", value }),
  };
}
