import { nth } from "../../base/checked.ts";
import { type SourceRange, spanRanges } from "../../base/sourceRange.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import { type BinaryOperator, type ComparisonOperator, type Constant, rangeOfExpression } from "../../ir/expression.ts";
import type { Case } from "../../ir/operation.ts";
import { type Edge, type Function, type LocationId, type Program, withEdges } from "../../ir/program.ts";
import { fromBigInt, type ScalarValue } from "../../ir/scalarValue.ts";
import { type ScalarType, sameType } from "../../ir/type.ts";
import type { Edit, ValueChange } from "./edit.ts";
import type { ExecutedPlace } from "./executedPlaces.ts";
import { typedValue, type ValuePool } from "./proposeValues.ts";

type ValuePlace = Extract<VariedPlace, { readonly kind: "value" }>;

const comparisons: readonly ComparisonOperator[] = ["<", "<=", ">", ">=", "==", "!="];

const otherOperators: Readonly<Record<BinaryOperator, readonly BinaryOperator[]>> = {
  "+": ["-", "*"],
  "-": ["+"],
  "*": ["/", "+"],
  "/": ["*", "%"],
  "%": ["/"],
  "&": ["|"],
  "|": ["&"],
  "^": ["|", "&"],
  "<<": [">>"],
  ">>": ["<<"],
};

const changes: readonly ValueChange[] = ["plus one", "minus one", "zero", "one", "negated"];

/** The number of other constants that are tried besides the close ones. */
const maxOtherConstants = 12;

/** The limits on the tried values and cases of a `switch`. */
const maxSelected = 6;
const maxCases = 8;

/** The edits that are tried at a place, smallest first. */
export function proposeEdits({ number, place }: ExecutedPlace, pool: ValuePool): readonly Edit[] {
  switch (place.kind) {
    case "comparison": {
      const { operator } = place.expression;
      return comparisons.filter((to) => to !== operator).map((to) => ({ kind: "comparison", number, place, to }));
    }
    case "condition": {
      const { operation } = place.edge;
      const isComparison = operation.kind === "assume" && operation.condition.kind === "comparison";
      const truths = isComparison ? (["true", "false"] as const) : (["negated", "true", "false"] as const);
      return truths.map((to) => ({ kind: "truth", number, place, to }));
    }
    case "constant":
      return otherConstants(place.expression, pool.constants).map((to) => ({ kind: "constant", number, place, to }));
    case "operator":
      return [
        ...otherOperators[place.expression.operator].map((to) => ({ kind: "operator" as const, number, place, to })),
        ...(/[-/%]/.test(place.expression.operator) ? [{ kind: "order" as const, number, place }] : []),
      ];
    case "value": {
      // Constants have their own edits.
      if (place.expression?.kind === "constant") return [];
      if (place.use === "selector") return otherCases(number, place, pool.ofPlace(number));
      const fitting = place.type.kind === "pointer" ? (["zero"] as const) : changes;
      return fitting.map((to) => ({ kind: "value", number, place, to }));
    }
    case "variable":
      return place.others.map((_, to) => ({ kind: "variable", number, place, to }));
    case "statement":
      return [{ kind: "skip", number, place }];
  }
}

/** Treats the last values of the `switch` like a value of each other case. */
function otherCases(number: number, place: ValuePlace, seen: readonly ScalarValue[]): readonly Edit[] {
  const cases = nth(controlFlowOf(place.function).outgoing, place.edge.from)
    .flatMap(({ operation }) => (operation.kind === "case" ? [operation] : []))
    .slice(0, maxCases);
  const holds = ({ values, others }: Case, value: ScalarValue) =>
    values === null
      ? !others.some(([low, high]) => low <= value && value <= high)
      : values.some(([low, high]) => low <= value && value <= high);
  return seen.slice(-maxSelected).flatMap((from) =>
    cases.flatMap((each) => {
      const to = holds(each, from) ? null : representative(each, place.type, holds);
      return to === null ? [] : [{ kind: "case" as const, number, place, from, to }];
    }),
  );
}

/** A value of a case; for the default case, next to those of the others. */
function representative(
  own: Case,
  type: ScalarType,
  holds: (own: Case, value: ScalarValue) => boolean,
): ScalarValue | null {
  const candidates =
    own.values === null ? own.others.flatMap(([low, high]) => [high + 1n, low - 1n]) : own.values.flat();
  const typed = candidates.map((value) => typedValue(type, fromBigInt(value)));
  return typed.find((value) => value !== null && holds(own, value)) ?? null;
}

/** 1.1 - 1, rounded to 0.1. */
function tidy(value: ScalarValue): ScalarValue {
  return typeof value === "bigint" || Number.isInteger(value) ? value : Number(value.toPrecision(12));
}

function otherConstants({ type, value }: Constant, constants: readonly ScalarValue[]): ScalarValue[] {
  const own: ScalarValue = typeof value === "bigint" ? fromBigInt(value) : value;
  const near: ScalarValue[] =
    typeof own === "number" ? [own + 1, own - 1, 0, 1, 0 - own] : [own + 1n, own - 1n, 0, 1, -own];
  const candidates = new Set<ScalarValue>();
  for (const candidate of [...near.map(tidy), ...constants.slice(0, maxOtherConstants)]) {
    const typed = typedValue(type, candidate);
    if (typed !== null && typed !== own) candidates.add(typed);
  }
  return [...candidates];
}

/** Edits that change more than one place: `&&` and `||`, and the order of arguments. */
export function proposeRewritings(places: readonly ExecutedPlace[]): readonly Edit[] {
  const functions = new Set(places.map(({ place }) => place.function));
  const conditions = new Set(places.flatMap(({ place }) => (place.kind === "condition" ? [place.edge] : [])));
  const connectives = [...functions].flatMap((fn) => connectivesOf(fn).filter(({ left }) => conditions.has(left)));
  return [
    ...connectives.map((connective) => ({ kind: "connective" as const, connective })),
    ...swappedArguments(places).map((swap) => ({ kind: "arguments" as const, swap })),
  ];
}

/** Two neighbouring arguments of a call with compatible types. */
export type SwappedArguments = {
  readonly function: Function;
  readonly call: Edge;
  readonly first: SourceRange;
  readonly second: SourceRange;
  readonly range: SourceRange;
  rewritten(program: Program): Program;
};

export function swappedArguments(places: readonly ExecutedPlace[]): readonly SwappedArguments[] {
  const calls = new Map<Edge, Function>();
  for (const { place } of places) {
    if (place.kind === "value" && place.use === "argument") calls.set(place.edge, place.function);
  }
  return [...calls].flatMap(([call, fn]) => swapsOf(fn, call));
}

function swapsOf(fn: Function, call: Edge): readonly SwappedArguments[] {
  const { operation } = call;
  if (operation.kind !== "call" && operation.kind !== "callLibrary") return [];
  const { arguments: passed } = operation;
  return passed.slice(1).flatMap((right, i) => {
    const left = nth(passed, i);
    const [first, second] = [rangeOfExpression(left), rangeOfExpression(right)];
    if (first === null || second === null || !sameType(left.type, right.type)) return [];
    const swapped = passed.map((argument, at) => (at === i ? right : at === i + 1 ? left : argument));
    const other: Edge = { ...call, operation: { ...operation, arguments: swapped } };
    return [
      {
        function: fn,
        call,
        first,
        second,
        range: spanRanges(first, second),
        rewritten: (program) => withEdges(program, fn, (edge) => (edge === call ? other : edge)),
      },
    ];
  });
}

/**
 * Two operands of `&&` or `||`: the right test is reached by one outcome of the left one, without a choice in between.
 */
export type Connective = {
  readonly function: Function;
  readonly operator: "&&" | "||";
  /** The edges that are taken if the operand is true. */
  readonly left: Edge;
  readonly right: Edge;
  /** The program with the other operator: `(left || right)` for `(left && right)`. */
  rewritten(program: Program): Program;
};

export function connectivesOf(fn: Function): readonly Connective[] {
  const { outgoing } = controlFlowOf(fn);
  const found: Connective[] = [];
  for (const edge of fn.edges) {
    const { operation } = edge;
    if (operation.kind !== "assume" || operation.negated || operation.origin !== "shortCircuit") continue;
    const [whenTrue, whenFalse] = waysOf(nth(outgoing, edge.from));
    if (whenTrue === null || whenFalse === null) continue;
    for (const [operator, towards, away] of [
      ["&&", whenTrue, whenFalse],
      ["||", whenFalse, whenTrue],
    ] as const) {
      const right = nextTest(fn, towards.to);
      if (right === null) continue;
      const [rightTrue, rightFalse] = waysOf(nth(outgoing, right));
      if (rightTrue === null || rightFalse === null) continue;
      // The outcome that skips the right operand leads to the same location as that outcome of the right operand.
      if (away.to !== (operator === "&&" ? rightFalse.to : rightTrue.to)) continue;
      const targets =
        operator === "&&"
          ? new Map([
              [whenTrue.id, rightTrue.to],
              [whenFalse.id, towards.to],
            ])
          : new Map([
              [whenTrue.id, towards.to],
              [whenFalse.id, rightFalse.to],
            ]);
      found.push({
        function: fn,
        operator,
        left: whenTrue,
        right: rightTrue,
        rewritten: (program) => redirected(program, fn, targets),
      });
    }
  }
  return found;
}

function waysOf(edges: readonly Edge[]): readonly [Edge | null, Edge | null] {
  const way = (negated: boolean) =>
    edges.find(({ operation }) => operation.kind === "assume" && operation.negated === negated) ?? null;
  return edges.length === 2 ? [way(false), way(true)] : [null, null];
}

/** The next test without a choice before it; computations of the operand may come first. */
function nextTest(fn: Function, from: LocationId): LocationId | null {
  const { outgoing, incoming } = controlFlowOf(fn);
  for (let at = from; ; ) {
    const edges = nth(outgoing, at);
    if (edges.length === 2) return at;
    const next = edges[0];
    if (next === undefined || next.to === fn.exit || !/^(assign|call|callLibrary)$/.test(next.operation.kind))
      return null;
    if (nth(incoming, next.to).length !== 1) return null;
    at = next.to;
  }
}

function redirected(program: Program, fn: Function, targets: ReadonlyMap<number, LocationId>): Program {
  return withEdges(program, fn, (edge) => ({ ...edge, to: targets.get(edge.id) ?? edge.to }));
}
