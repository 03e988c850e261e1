import { momentAt, type StackEntry } from "../recording/moment.ts";
import { nameTableOf } from "../recording/names.ts";
import type { OpenRecording } from "../recording/openRecording.ts";
import { describeStep } from "../recording/reasons.ts";
import type { Timeline } from "./timeline.ts";

/** A variable with its parts, as a tree: `s` has `.size` and `.items`, which has `[0]`. */
export type ShownVariable = {
  /** The last part of its name. */
  readonly label: string;
  /** The whole name, by which it can be asked for. */
  readonly name: string;
  /** Empty if only its parts have values. */
  readonly value: string;
  readonly parts: readonly ShownVariable[];
};

/** The active calls before a position, innermost first. */
export function framesAt({ open, executionAt }: Timeline, position: number): readonly StackEntry[] {
  return momentAt(open, firstStep(open, executionAt(position))).stack;
}

/** The variables of a call before a position. */
export function callVariables(
  { open, valuesAfter }: Timeline,
  activation: number,
  position: number,
): readonly ShownVariable[] {
  return treeOf(nameTableOf(open).variablesOf(activation, valuesAfter(position)));
}

/** What the statement at a position reads, and what it will write, test and return. */
export function statementValues({ open, executionAt }: Timeline, position: number): readonly ShownVariable[] {
  const step = firstStep(open, executionAt(position));
  const { read, wrote } = describeStep(open, step);
  const shown = (prefix: string, name: string, value: string) => ({
    label: `${prefix}${name}`,
    name,
    value,
    parts: [],
  });
  return [
    ...read.map(({ name, value }) => shown("reads ", name, value)),
    ...wrote.map(({ kind, name, value }) =>
      kind === "returned" ? shown("returns", "", value) : shown(kind === "tested" ? "tests " : "writes ", name, value),
    ),
  ];
}

function firstStep({ recording }: OpenRecording, execution: number): number {
  return recording.executions.firstStep[execution] ?? 0;
}

function treeOf(values: readonly { readonly name: string; readonly value: string }[]): readonly ShownVariable[] {
  type Open = { label: string; name: string; value: string; parts: Map<string, Open> };
  const top = new Map<string, Open>();
  for (const { name, value } of values) {
    let level = top;
    let whole = "";
    const labels = partsOf(name);
    for (const [i, label] of labels.entries()) {
      whole += label;
      const own = level.get(label) ?? { label, name: whole, value: "", parts: new Map<string, Open>() };
      if (i === labels.length - 1) own.value = value;
      level.set(label, own);
      level = own.parts;
    }
  }
  const close = (level: ReadonlyMap<string, Open>): readonly ShownVariable[] =>
    [...level.values()].map(({ parts, ...own }) => ({ ...own, parts: close(parts) })).sort(byLabel);
  return close(top);
}

/** Elements are in the order of their numbers. */
function byLabel(a: ShownVariable, b: ShownVariable): number {
  const [first, second] = [a, b].map(({ label }) => Number(/^\[(\d+)\]$/.exec(label)?.[1] ?? Number.NaN));
  if (first !== undefined && second !== undefined && first - second) return first - second;
  return a.label < b.label ? -1 : 1;
}

/** `s->items[2].x` is `s`, `->items`, `[2]`, `.x`. A name that is more than that stays whole. */
function partsOf(name: string): readonly string[] {
  if (!/^[\w$#]+((->|\.)[\w$#]+|\[[^\]]*\])*$/.test(name)) return [name];
  return name.match(/^[\w$#]+|(?:->|\.)[\w$#]+|\[[^\]]*\]/g) ?? [name];
}
