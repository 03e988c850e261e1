import {
  arityOf,
  bitsOfFloat,
  evaluateFloat,
  type FloatOperator,
  floatSymbolName,
  isComparison,
} from "./floatOperator.ts";
import type { FunctionSymbol, Sort, Term } from "./term.ts";

export type Floats = {
  /** The integer that stands for a floating-point number (see `FloatOperator`). */
  floatLiteral(value: number): Term;
  /** An operation on such integers: computed where they are known. */
  float(operator: FloatOperator, ...args: readonly Term[]): Term;
};

type Makers = {
  int(value: bigint): Term;
  bool(value: boolean): Term;
  functionSymbol(name: string, parameters: readonly Sort[], result: Sort): FunctionSymbol;
  apply(symbol: FunctionSymbol, ...args: readonly Term[]): Term;
};

export function floats(terms: Makers): Floats {
  return {
    floatLiteral: (value) => terms.int(bitsOfFloat(value)),
    float(operator, ...args) {
      const values = args.flatMap((argument) => (argument.kind === "int" ? [argument.value] : []));
      const value = values.length === args.length ? evaluateFloat(operator, values) : null;
      if (typeof value === "bigint") return terms.int(value);
      if (typeof value === "boolean") return terms.bool(value);
      const parameters = Array.from({ length: arityOf(operator) }, () => "Int" as const);
      const result = isComparison(operator) ? "Bool" : "Int";
      return terms.apply(terms.functionSymbol(floatSymbolName(operator), parameters, result), ...args);
    },
  };
}
