import { nth } from "../../base/checked.ts";
import { memoised } from "../../base/memo.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../ir/expression.ts";
import { isQuiet, operationExpressions } from "../../ir/operation.ts";
import type { Edge, Function, LocationId, Program } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";

/** A place to vary (`mode.vary`): one instance of a condition or value can be overridden. */
export type VariedPlace = { readonly function: Function; readonly edge: Edge } & (
  | /** A two-way branch; `edge` is taken if the condition is true. */
  { readonly kind: "condition"; readonly location: LocationId }
  /** `argument` is its number in a call; an index is any number that moves a pointer. */
  | {
      readonly kind: "value";
      readonly use: ValueUse;
      readonly type: ScalarType;
      readonly expression: Expression | null;
      readonly argument: number;
    }
);

export type ValueUse = "assigned" | "stored" | "argument" | "returned" | "selector" | "index";

/** The places of a program, by number and by owner; -1 for none. */
export type VariedPlaces = {
  readonly list: readonly VariedPlace[];
  condition(fn: Function, location: LocationId): number;
  value(edge: Edge): number;
  argument(edge: Edge, index: number): number;
  index(expression: Expression): number;
};

export const variedPlacesOf = memoised((program: Program): VariedPlaces => findPlaces(program));

function findPlaces(program: Program): VariedPlaces {
  const list: VariedPlace[] = [];
  const conditions = program.functions.map(({ locations }) => new Int32Array(locations).fill(-1));
  const values = new Map<Edge, number>();
  const passed = new Map<Edge, readonly number[]>();
  const indices = new Map<Expression, number>();
  const add = (place: VariedPlace): number => list.push(place) - 1;
  for (const fn of program.functions) {
    for (const edge of fn.edges) {
      if (isQuiet(edge.operation)) continue;
      const place = { function: fn, edge };
      addCondition(fn, edge, nth(conditions, fn.id), add);
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
        addIndices(expression, place, add, indices);
      }
    }
  }
  return {
    list,
    condition: (fn, location) => nth(conditions, fn.id)[location]!,
    value: (edge) => values.get(edge) ?? -1,
    argument: (edge, index) => passed.get(edge)?.[index] ?? -1,
    index: (expression) => indices.get(expression) ?? -1,
  };
}

function addCondition(fn: Function, edge: Edge, numbers: Int32Array, add: (place: VariedPlace) => number): void {
  const { operation, from } = edge;
  if (operation.kind !== "assume" || operation.negated || operation.origin === "jump") return;
  if (nth(controlFlowOf(fn).outgoing, from).length === 2) {
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
      // Blocks of `alloca` are freed when the function returns.
      if (operation.target === null || operation.name === "alloca") return null;
      return { use: "assigned", type: nth(program.variables, operation.target).type as ScalarType, expression: null };
    }
    case "case": {
      // One place for all cases: the edge whose selector is emitted.
      if (nth(controlFlowOf(fn).outgoing, edge.from)[0] !== edge) return null;
      return { use: "selector", type: operation.selector.type, expression: operation.selector };
    }
    default:
      return null;
  }
}

/** The indices within an expression; both edges of a branch share them. */
function addIndices(
  root: Expression,
  { function: fn, edge }: { readonly function: Function; readonly edge: Edge },
  add: (place: VariedPlace) => number,
  indices: Map<Expression, number>,
): void {
  const visit = (expression: Expression): void => {
    if (expression.kind === "offset" && !indices.has(expression) && rangeOfExpression(expression.index) !== null) {
      const { index } = expression;
      const value = { use: "index", type: index.type, expression: index, argument: -1 } as const;
      indices.set(expression, add({ function: fn, edge, kind: "value", ...value }));
    }
    for (const operand of expressionOperands(expression)) visit(operand);
  };
  if (!isBranch(edge) || nth(controlFlowOf(fn).outgoing, edge.from)[0] === edge) visit(root);
}
