import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import {
  type Binary,
  type Comparison,
  type Constant,
  type Expression,
  expressionOperands,
  rangeOfExpression,
  type VariableRead,
} from "../../ir/expression.ts";
import { isQuiet, operationExpressions } from "../../ir/operation.ts";
import type { Edge, Function, LocationId, Program, ProgramVariable } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";
import { type OthersOf, otherVariablesOf } from "./otherVariables.ts";
import { skippableStatements } from "./skippableStatements.ts";

/**
 * A place of a program where a re-run can do something else (`mode.vary`). At conditions and values one instance can be
 * overridden or all of them, at the others all.
 */
export type VariedPlace = { readonly function: Function; readonly edge: Edge } & (
  | /** A branch of two ways; `edge` is the one that is taken when the condition is true. */
  { readonly kind: "condition"; readonly location: LocationId }
  /** `argument` is its number in a call; an index is any number that moves a pointer. */
  | {
      readonly kind: "value";
      readonly use: ValueUse;
      readonly type: ScalarType;
      readonly expression: Expression | null;
      readonly argument: number;
    }
  | { readonly kind: "constant"; readonly expression: Constant }
  | { readonly kind: "comparison"; readonly expression: Comparison }
  | { readonly kind: "operator"; readonly expression: Binary }
  /** A variable that is read, with those that may have been meant. */
  | { readonly kind: "variable"; readonly expression: VariableRead; readonly others: readonly ProgramVariable[] }
  /** A statement that can be left out: none of its edges is a branch. `edge` is the first. */
  | { readonly kind: "statement"; readonly edges: readonly Edge[]; readonly range: Edge["range"] }
);

export type ValueUse = "assigned" | "stored" | "argument" | "returned" | "selector" | "index";

/** The places of a program, by number and by what they belong to; -1 for what is none. */
export type VariedPlaces = {
  readonly list: readonly VariedPlace[];
  condition(fn: Function, location: LocationId): number;
  /** What the edge assigns, stores, returns or selects by. */
  value(edge: Edge): number;
  argument(edge: Edge, index: number): number;
  /** The index of an address. */
  index(expression: Expression): number;
  /** A constant, a comparison, an operator or a variable. */
  expression(expression: Expression): number;
  statement(edge: Edge): number;
};

const cache = new WeakMap<Program, VariedPlaces>();

export function variedPlacesOf(program: Program): VariedPlaces {
  let places = cache.get(program);
  if (places === undefined) {
    places = findPlaces(program);
    cache.set(program, places);
  }
  return places;
}

function findPlaces(program: Program): VariedPlaces {
  const list: VariedPlace[] = [];
  const conditions = program.functions.map(({ locations }) => new Int32Array(locations).fill(-1));
  const values = new Map<Edge, number>();
  const passed = new Map<Edge, readonly number[]>();
  const indices = new Map<Expression, number>();
  const expressions = new Map<Expression, number>();
  const statements = new Map<Edge, number>();
  const add = (place: VariedPlace): number => list.push(place) - 1;
  for (const fn of program.functions) {
    const othersOf = otherVariablesOf(program, fn);
    for (const edge of fn.edges) {
      if (isQuiet(edge.operation)) continue;
      const place = { function: fn, edge };
      addCondition(fn, edge, conditions[fn.id]!, add);
      const own = ownValue(program, fn, edge);
      if (own !== null) values.set(edge, add({ ...place, kind: "value", argument: -1, ...own }));
      const { operation } = edge;
      if (operation.kind === "call" || operation.kind === "callLibrary") {
        const numbers = operation.arguments.map((expression, argument) =>
          add({ ...place, kind: "value", use: "argument", type: expression.type, expression, argument }),
        );
        passed.set(edge, numbers);
      }
      for (const expression of operationExpressions(operation)) {
        addExpressions(program, expression, { ...place, othersOf }, add, indices, expressions);
      }
    }
    for (const { edges, range } of skippableStatements(program, fn)) {
      const number = add({ function: fn, edge: edges[0]!, kind: "statement", edges, range });
      for (const edge of edges) statements.set(edge, number);
    }
  }
  return {
    list,
    condition: (fn, location) => conditions[fn.id]![location]!,
    value: (edge) => values.get(edge) ?? -1,
    argument: (edge, index) => passed.get(edge)?.[index] ?? -1,
    index: (expression) => indices.get(expression) ?? -1,
    expression: (expression) => expressions.get(expression) ?? -1,
    statement: (edge) => statements.get(edge) ?? -1,
  };
}

function addCondition(fn: Function, edge: Edge, numbers: Int32Array, add: (place: VariedPlace) => number): void {
  const { operation, from } = edge;
  if (operation.kind !== "assume" || operation.negated) return;
  if (controlFlowOf(fn).outgoing[from]!.length === 2) {
    numbers[from] = add({ function: fn, edge, kind: "condition", location: from });
  }
}

type OwnValue = { readonly use: ValueUse; readonly type: ScalarType; readonly expression: Expression | null };

function ownValue(program: Program, fn: Function, edge: Edge): OwnValue | null {
  const { operation } = edge;
  switch (operation.kind) {
    case "assign":
      return { use: "assigned", type: operation.value.type, expression: operation.value };
    case "store":
      return operation.bitField === undefined
        ? { use: "stored", type: operation.type, expression: operation.value }
        : null;
    case "return":
      return operation.value === null
        ? null
        : { use: "returned", type: operation.value.type, expression: operation.value };
    case "callLibrary": {
      // What `alloca` gave is given back when the function returns.
      if (operation.target === null || operation.name === "alloca") return null;
      return { use: "assigned", type: program.variables[operation.target]!.type as ScalarType, expression: null };
    }
    case "case": {
      // One for all cases: that of the edge whose selector is emitted.
      if (controlFlowOf(fn).outgoing[edge.from]![0] !== edge) return null;
      return { use: "selector", type: operation.selector.type, expression: operation.selector };
    }
    default:
      return null;
  }
}

/** The parts of an expression that are places; those of both edges of a branch are the same objects. */
function addExpressions(
  { language }: Program,
  root: Expression,
  { function: fn, edge, othersOf }: { readonly function: Function; readonly edge: Edge; readonly othersOf: OthersOf },
  add: (place: VariedPlace) => number,
  indices: Map<Expression, number>,
  expressions: Map<Expression, number>,
): void {
  // Where objects are rows of tables, most arithmetic finds the row.
  const isSource = (expression: Expression) => language !== "typescript" || rangeOfExpression(expression) !== null;
  const visit = (expression: Expression): void => {
    const place = { function: fn, edge };
    if (!expressions.has(expression) && isSource(expression)) {
      if (isVariedConstant(expression)) expressions.set(expression, add({ ...place, kind: "constant", expression }));
      if (expression.kind === "comparison") {
        expressions.set(expression, add({ ...place, kind: "comparison", expression }));
      }
      const others = expression.kind === "variable" ? othersOf(expression) : [];
      if (expression.kind === "variable" && others.length > 0) {
        expressions.set(expression, add({ ...place, kind: "variable", expression, others }));
      }
      if (expression.kind === "binary") expressions.set(expression, add({ ...place, kind: "operator", expression }));
    }
    if (expression.kind === "offset" && !indices.has(expression) && rangeOfExpression(expression.index) !== null) {
      const { index } = expression;
      const value = { use: "index", type: index.type, expression: index, argument: -1 } as const;
      indices.set(expression, add({ ...place, kind: "value", ...value }));
    }
    for (const operand of expressionOperands(expression)) visit(operand);
  };
  if (!isBranch(edge) || controlFlowOf(fn).outgoing[edge.from]![0] === edge) visit(root);
}

/** Those that the source has. */
function isVariedConstant(expression: Expression): expression is Constant {
  return expression.kind === "constant" && expression.type.kind !== "pointer" && rangeOfExpression(expression) !== null;
}
