import { type ObservedState, observe } from "../../../interpreter/observe.ts";
import type { Trace } from "../../../interpreter/trace.ts";
import type { ScalarValue } from "../../../ir/scalarValue.ts";
import type { DifferenceStep, ObjectDifference, Table } from "../../../js/lowering/context.ts";
import { type Concrete, objectOf } from "../../../js/recorder/valueRules.ts";
import {
  doubleType,
  firstArray,
  firstObject,
  isArrayMade,
  keyKind,
  slotOfNumber,
  special,
} from "../../../js/replay/encoding.ts";
import type { RecordedAllocation, ReplayEvidence } from "../../../js/replay/evidence.ts";
import type { Lowered } from "../../../js/replay/lowerRecording.ts";
import { collectionOf, literalParts, matcherOf } from "../../../js/replay/makers.ts";

const deepMatchers: ReadonlySet<string> = new Set(["toEqual", "toStrictEqual", "toMatchObject"]);
const deepest = 8;

/** The first difference between two objects that should be equal, in the memory at the end of the run. */
export function findDifference(trace: Trace, lowered: Lowered, evidence: ReplayEvidence): ObjectDifference | null {
  const { failure } = evidence;
  const matcher = failure === null ? null : matcherOf(failure.node);
  if (matcher === null || !deepMatchers.has(matcher.name) || matcher.negated || matcher.actual === null) return null;
  const { outcome } = trace;
  if (outcome.kind !== "assertion") return null;
  const [actual, expected] = [matcher.actual, matcher.expected[0]].map((node) => {
    const object = node === undefined ? null : objectOf(evidence.values.get(node)?.at(-1));
    return object === null ? null : lowered.model.encoding.objectNumber(object);
  });
  if (actual == null || expected == null) return null;
  let difference: ObjectDifference | null = null;
  const point = { kind: "before", function: outcome.at.function, edge: outcome.at.edge } as const;
  observe(trace, [point], (state) => {
    difference = compare(lowered, state, actual, expected, []);
  });
  return difference;
}

function compare(
  lowered: Lowered,
  state: ObservedState,
  actual: number,
  expected: number,
  path: ObjectDifference["path"],
): ObjectDifference | null {
  const { encoding, tables } = lowered.model;
  const [left, right] = [encoding.allocationOf(actual), encoding.allocationOf(expected)];
  if (left === null || right === null || path.length >= deepest || isArrayMade(left) !== isArrayMade(right))
    return null;
  const part = (
    step: DifferenceStep,
    table: Table | null,
    indices: readonly [number, number],
  ): ObjectDifference | null => {
    if (table === null) return null;
    const [a, b] = indices.map((index) => read(state, table, index));
    const next = [...path, step];
    if (a === undefined || b === undefined) return null;
    if (a.exact !== b.exact && a.value === special.number && b.value === special.number)
      return { path: next, isLength: false, isDouble: true };
    if (a.value === b.value) return null;
    const deeper = compare(lowered, state, Number(a.value), Number(b.value), next);
    if (encoding.allocationOf(Number(a.value)) !== null && encoding.allocationOf(Number(b.value)) !== null)
      return deeper;
    const isDouble = [a, b].some(({ value }) => value === special.number);
    return { path: next, isLength: step === "length", isDouble };
  };
  if (collectionOf(left.maker) !== collectionOf(right.maker)) return null;
  if (collectionOf(left.maker) !== null) {
    const rows = [actual - firstArray, expected - firstArray] as const;
    return entryDifference(lowered, new Set([...left.keys, ...right.keys]), rows, part);
  }
  if (isArrayMade(left)) {
    const rows = [actual - firstArray, expected - firstArray] as const;
    const lengths = part("length", tables.known("[].length"), rows);
    if (lengths !== null) return lengths;
    const count = Number(read(state, tables.known("[].length")!, rows[1])?.value ?? 0);
    for (let i = 0; i < count; i++) {
      const cells = [rows[0] * tables.capacity + i, rows[1] * tables.capacity + i] as const;
      const found = part(i, tables.elements, cells);
      if (found !== null) return found;
    }
    return null;
  }
  for (const key of keysOf(lowered, right)) {
    const found = part(key, tables.known(key), [actual - firstObject, expected - firstObject]);
    if (found !== null) return found;
  }
  return null;
}

/** Entries of Maps and Sets are unordered: compare the keys first, then the values. */
function entryDifference(
  { model: { encoding, tables, evidence } }: Lowered,
  keys: ReadonlySet<Concrete>,
  rows: readonly [number, number],
  part: (step: DifferenceStep, table: Table, indices: readonly [number, number]) => ObjectDifference | null,
): ObjectDifference | null {
  const { entries } = tables;
  if (entries === null) return null;
  for (const key of keys) {
    const kind = keyKind(evidence, key);
    const slot = kind === null ? null : slotOfNumber(encoding.slots, kind, Number(encoding.encode(key, "any")));
    if (slot === null) return null;
    const cells = [rows[0] * encoding.slots.count + slot, rows[1] * encoding.slots.count + slot] as const;
    const name = objectOf(key) === null ? JSON.stringify(key) : "…";
    const found =
      part({ of: "present", slot, text: `.has(${name})` }, entries.present, cells) ??
      part({ of: "values", slot, text: `.get(${name})` }, entries.values, cells);
    if (found !== null) return found;
  }
  return null;
}

/** The expected object is usually a literal, which names its fields. */
function keysOf({ model }: Lowered, { maker }: RecordedAllocation): readonly string[] {
  if (maker.type === "ObjectExpression") return literalParts(maker).map(([key]) => String(key));
  return [...model.fieldNames];
}

function read(
  state: ObservedState,
  { memory, exact }: Table,
  index: number,
): { readonly value: ScalarValue; readonly exact: ScalarValue | undefined } | undefined {
  const type = memory.type.kind === "array" ? memory.type.element : null;
  if (type?.kind !== "int") return undefined;
  const value = state.load(state.addressOf(memory.id) + index * 8, type);
  if (value === undefined) return undefined;
  return { value, exact: exact === null ? undefined : state.load(state.addressOf(exact.id) + index * 8, doubleType) };
}
