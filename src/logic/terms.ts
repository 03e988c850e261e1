import { Defect } from "../base/errors.ts";
import { type Arithmetic, arithmetic } from "./arithmetic.ts";
import { type Bitwise, bitwise } from "./bitwise.ts";
import { type Booleans, booleans } from "./boolean.ts";
import { type Comparisons, comparisons } from "./comparison.ts";
import { type Divisions, divisions } from "./division.ts";
import {
  arityOf,
  bitsOfFloat,
  evaluateFloat,
  type FloatOperator,
  floatSymbolName,
  isComparison,
} from "./floatOperator.ts";
import {
  createTermTable,
  type FunctionSymbol,
  freshName,
  isMadeUpName,
  type Sort,
  type Term,
  type TermTable,
  taggedName,
  type Variable,
} from "./term.ts";

export type TermNames = {
  /** The variable of that name; another sort is a defect. The name has no `|` and no `\`. */
  variable(name: string, sort: Sort): Variable;
  fresh(prefix: string, sort: Sort): Variable;
  /** An unknown for a variable: the same one for the same tag. */
  tagged(variable: Variable, tag: number): Variable;
  /** The function symbol of that name, uninterpreted until defined. */
  functionSymbol(name: string, parameters: readonly Sort[], result: Sort): FunctionSymbol;
  findFunction(name: string): FunctionSymbol | null;
  /** Sets a symbol's definition, which may be recursive (`define-fun-rec`). */
  define(symbol: FunctionSymbol, parameters: readonly Variable[], body: Term): void;
  apply(symbol: FunctionSymbol, ...args: readonly Term[]): Term;
  readonly size: number;
};

/**
 * A store of terms and the constructors that keep them canonical (see `Term`). A run has one store; terms of different
 * stores must not be mixed, which the constructors check.
 */
export type Terms = Arithmetic & Comparisons & Booleans & Divisions & Bitwise & Arrays & Floats & TermNames;

export function createTerms(): Terms {
  const table = createTermTable();
  const symbols = new Map<string, FunctionSymbol>();
  const variables = new Map<string, Variable>();
  const freshCounts = new Map<string, number>();

  function variable(name: string, sort: Sort): Variable {
    const known = variables.get(name);
    if (known !== undefined) {
      if (known.sort !== sort) throw new Defect(`variable ${name} has sort ${known.sort}, not ${sort}`);
      return known;
    }
    if (name === "" || /[|\\]/.test(name)) throw new Defect(`not a variable name: "${name}"`);
    const made = table.intern(`v${name}`, { kind: "variable", sort, name, madeUp: isMadeUpName(name) }) as Variable;
    variables.set(name, made);
    return made;
  }

  const names: TermNames = {
    variable,
    fresh(prefix, sort) {
      let count = freshCounts.get(prefix) ?? 0;
      while (variables.has(freshName(prefix, count))) count++;
      freshCounts.set(prefix, count + 1);
      return variable(freshName(prefix, count), sort);
    },
    tagged: ({ name, sort }, tag) => variable(taggedName(name, tag), sort),
    functionSymbol(name, parameters, result) {
      const known = symbols.get(name);
      if (known === undefined) {
        const symbol: FunctionSymbol = { name, parameters, result, definition: null };
        symbols.set(name, symbol);
        return symbol;
      }
      if (known.result !== result || known.parameters.join() !== parameters.join())
        throw new Defect(`function symbol ${name} has another signature`);
      return known;
    },
    findFunction: (name) => symbols.get(name) ?? null,
    define(symbol, parameters, body) {
      if (symbol.definition !== null) throw new Defect(`function symbol ${symbol.name} is defined already`);
      table.own(body, symbol.result);
      if (parameters.map((p) => p.sort).join() !== symbol.parameters.join()) throw new Defect("parameters differ");
      symbol.definition = { parameters, body };
    },
    apply(symbol, ...args) {
      if (symbols.get(symbol.name) !== symbol) throw new Defect(`function symbol ${symbol.name} of another store`);
      if (args.length !== symbol.parameters.length) throw new Defect(`${symbol.name} takes other arguments`);
      args.forEach((argument, i) => {
        table.own(argument, symbol.parameters[i]!);
      });
      const shape = { kind: "apply", sort: symbol.result, symbol, arguments: args } as const;
      return table.intern(`@${symbol.name}(${args.map((a) => a.id)}`, shape);
    },
    get size() {
      return table.size;
    },
  };

  // The groups of constructors call each other through `terms`, which is complete before anyone uses it.
  const terms = Object.defineProperties({}, Object.getOwnPropertyDescriptors(names)) as Terms;
  Object.assign(terms, arithmetic(table));
  Object.assign(terms, booleans(table, terms));
  Object.assign(terms, comparisons(table, terms));
  Object.assign(terms, divisions(table, terms));
  Object.assign(terms, bitwise(table, terms), arrays(table, terms), floats(terms));
  return terms;
}

export type Arrays = {
  select(array: Term, index: Term): Term;
  store(array: Term, index: Term, value: Term): Term;
  constantArray(value: Term): Term;
};

export function arrays(table: TermTable, terms: Comparisons & Booleans): Arrays {
  /** Skips stores whose index certainly differs. */
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

export type Floats = {
  /** The integer that represents a floating-point number (see `FloatOperator`). */
  floatLiteral(value: number): Term;
  /** An operation on such integers; folded if they are known. */
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
