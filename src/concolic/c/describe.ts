import type { EntryExpr } from "../expr.ts";
import type { CValue } from "./value.ts";

/** A call as C writes it: `free(l->head)`; what has no name is left out. */
export function describeCall(name: string, args: readonly CValue[]): string {
  return `${name}(${args.map(({ term }) => describeTerm(term) ?? "...").join(", ")})`;
}

function describeTerm(term: EntryExpr): string | null {
  switch (term.kind) {
    case "const":
      return term.value === null ? "NULL" : String(term.value);
    case "param":
    case "free":
      return term.name;
    case "field": {
      const pointer = term.base.kind === "unary" && term.base.operator === "*" ? term.base.operand : null;
      const base = describeTerm(pointer ?? term.base);
      return base === null ? null : `${base}${pointer === null ? "." : "->"}${term.name}`;
    }
    case "element": {
      const [base, index] = [describeTerm(term.base), describeTerm(term.index)];
      return base === null || index === null ? null : `${base}[${index}]`;
    }
    case "unary": {
      const operand = describeTerm(term.operand);
      return operand === null ? null : `${term.operator}${operand}`;
    }
    default:
      return null;
  }
}
