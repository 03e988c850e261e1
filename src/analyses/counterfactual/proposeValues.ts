import { nth } from "../../base/checked.ts";
import type { Change } from "../../changes/change.ts";
import type { DependenceGraph } from "../../dependence/dependenceGraph.ts";
import type { FailureRoot } from "../../dependence/failureRoot.ts";
import type { VariedPlace } from "../../interpreter/rerun/places.ts";
import type { InstanceLog } from "../../interpreter/rerun/variation.ts";
import type { ComparisonOperator } from "../../ir/expression.ts";
import { expressionsWithin } from "../../ir/operation.ts";
import type { Program } from "../../ir/program.ts";
import { fromBigInt, type ScalarValue } from "../../ir/scalarValue.ts";
import { rangeOfInt, type ScalarType } from "../../ir/type.ts";

type ValuePlace = Extract<VariedPlace, { readonly kind: "value" }>;

export type ValuePool = {
  /** The numbers that the failure asks for, and the constants of the program, most frequent first. */
  readonly constants: readonly ScalarValue[];
  /** The most frequent numbers that the run wrote. */
  readonly frequent: readonly ScalarValue[];
  readonly pointers: readonly number[];
  /** The values of a place at its instances. */
  ofPlace(place: number): readonly ScalarValue[];
};

const maxFrequent = 40;
/** Only the first values of a long run are counted. */
const maxCounted = 10_000;
const mostInstances = 50_000;
const maxPointers = 24;
const maxOfPlace = 24;
const maxConstants = 60;
/** Distances of alternative values. */
const steps = [1, 2, 3, 4] as const;

/** The value that the run passed, wrote or indexed by at an instance. */
export function instanceValue(graph: DependenceGraph, place: ValuePlace, step: number): ScalarValue | undefined {
  if (place.use === "assigned" || place.use === "stored" || place.use === "returned") return graph.value(step);
  return place.expression === null ? undefined : graph.valueOf(step, place.expression);
}

export function valuePool(
  graph: DependenceGraph,
  log: InstanceLog,
  places: readonly VariedPlace[],
  answers: ReadonlySet<number>,
): ValuePool {
  const counts = new Map<ScalarValue, number>();
  const pointers = new Map<number, number>();
  const byPlace = new Map<number, Set<ScalarValue>>();
  for (let i = 0; i < log.used; i++) {
    // The start and the end of a long run suffice.
    if (i === mostInstances && log.used > 2 * mostInstances) i = log.used - mostInstances;
    const place = nth(places, nth(log.place, i));
    const step = nth(log.step, i);
    if (place.kind !== "value" || step < graph.first || step >= graph.end) continue;
    // Only cheap values, because this is done for every instance of the run.
    const value = place.use === "argument" || place.use === "index" ? undefined : instanceValue(graph, place, step);
    if (value === undefined) continue;
    if (place.type.kind === "pointer") pointers.set(value as number, i);
    else {
      const count = counts.get(value) ?? 0;
      if (count > 0 || counts.size < maxCounted) counts.set(value, count + 1);
      const known = byPlace.get(nth(log.place, i)) ?? new Set();
      byPlace.set(nth(log.place, i), known);
      if (known.size < maxOfPlace) known.add(value);
    }
  }
  const latest = [...pointers].sort((a, b) => b[1] - a[1]).map(([pointer]) => pointer);
  return {
    constants: [...answers, ...programConstants(graph)],
    frequent: mostFrequent(counts, maxFrequent),
    pointers: latest.slice(0, maxPointers),
    ofPlace: (place) => [...(byPlace.get(place) ?? [])],
  };
}

function mostFrequent(counts: ReadonlyMap<ScalarValue, number>, count: number): ScalarValue[] {
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([value]) => value);
}

function programConstants({ trace }: DependenceGraph): readonly ScalarValue[] {
  const counts = new Map<ScalarValue, number>();
  for (const { operation } of trace.program.functions.flatMap(({ edges }) => edges)) {
    for (const expression of expressionsWithin(operation)) {
      if (expression.kind !== "constant" || expression.type.kind === "pointer") continue;
      const { value } = expression;
      const canonical = typeof value === "bigint" ? fromBigInt(value) : value;
      counts.set(canonical, (counts.get(canonical) ?? 0) + 1);
    }
  }
  return mostFrequent(counts, maxConstants);
}

/** Alternatives to a value, nearest first. */
export function proposeValues(type: ScalarType, value: ScalarValue, place: number, pool: ValuePool): ScalarValue[] {
  if (type.kind === "pointer") return [0, ...pool.pointers].filter((other) => other !== value);
  // A distance between two places is often off by more than one.
  const near: ScalarValue[] =
    typeof value === "number"
      ? [...steps.flatMap((by) => [value - by, value + by]), 0, 1, -1, 0 - value]
      : [...steps.flatMap((by) => [value - BigInt(by), value + BigInt(by)]), 0, 1, -1, -value];
  const candidates = new Set<ScalarValue>();
  for (const candidate of [...near, ...pool.constants, ...pool.frequent, ...pool.ofPlace(place)]) {
    const typed = typedValue(type, candidate);
    if (typed !== null && typed !== value) candidates.add(typed);
  }
  const distance = (other: ScalarValue) => Math.abs(Number(other) - Number(value));
  return [...candidates].sort((a, b) => distance(a) - distance(b));
}

/** The value converted to the type; null if it does not fit. */
export function typedValue(type: ScalarType, value: ScalarValue): ScalarValue | null {
  switch (type.kind) {
    case "float": {
      const number = Number(value);
      return type.bits === 32 ? Math.fround(number) : number;
    }
    case "pointer":
      return typeof value === "number" ? value : null;
    case "int":
    case "bool": {
      if (typeof value === "number" && !Number.isInteger(value)) return null;
      const integer = BigInt(value);
      const [low, high] = rangeOfInt(type);
      return integer < low || integer > high ? null : fromBigInt(integer);
    }
  }
}

/**
 * The numbers that the failure asks for: both sides of the comparison that failed, or the number that should have been
 * printed. A change that writes such a number passes at every place that the answer comes through, so it says nothing
 * about the place, and counts only if no other change helps. 0, 1 and -1 are also the usual answers of right code.
 */
export function expectedNumbers(graph: DependenceGraph, root: FailureRoot): ReadonlySet<number> {
  const { outcome } = graph.trace;
  const found = outcome.kind === "wrong-output" ? [outcome.difference.words.expected] : comparedValues(graph, root);
  const numbers = found.flatMap((value) => (value === null || value === "" ? [] : [Number(value)]));
  return new Set(numbers.filter((number) => Number.isFinite(number) && Math.abs(number) > 1));
}

function comparedValues(graph: DependenceGraph, root: FailureRoot): readonly ScalarValue[] {
  return ("deciding" in root ? root.deciding : []).flatMap((step) => {
    const { operation } = graph.edge(step);
    if (operation.kind !== "assume" || operation.condition.kind !== "comparison") return [];
    const { operator, left, right } = operation.condition;
    if (!isEquality(operator) || left.type.kind === "pointer") return [];
    return [left, right].flatMap((side) => graph.valueOf(step, side) ?? []);
  });
}

function isEquality(operator: ComparisonOperator): boolean {
  return operator === "==" || operator === "!=";
}

/** Does a change write one of the numbers where the text had another thing? One more or one less is a repair. */
export function writesNumber(program: Program, { file, edits }: Change, numbers: ReadonlySet<number>): boolean {
  const source = numbers.size === 0 ? undefined : program.files.find(({ path }) => path === file)?.text;
  if (source === undefined) return false;
  return edits.some(({ start, end, text }) => {
    const was = source.slice(start, end);
    // `10` instead of `clamp(15, 0, 10)` is a number instead of a call.
    const known = isNumber(text) && !isNumber(was) ? [] : numbersIn(was);
    const isNear = (number: number) => known.some((other) => Math.abs(other - number) <= 1);
    return numbersIn(text).some((number) => numbers.has(number) && !isNear(number));
  });
}

function isNumber(text: string): boolean {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text);
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/(?<![\w.])-?\d+(\.\d+)?/g) ?? []).map(Number);
}
