import type { Leaf } from "../interpreter/track/leaves.ts";
import type { Expression } from "../ir/expression.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { completeSize } from "../ir/type.ts";
import { type DescribedSteps, stepOf } from "./describedSteps.ts";

/** Something that a step read. */
export type Read = {
  /** A variable read or a load; what only the machine knows (`Leaf`); null for bytes that a copy or a library function read. */
  readonly expression: Expression | null;
  /** `address`: it only decides which place is read, written or called. */
  readonly role: Leaf["role"];
  /** The arguments of a call that it belongs to; see `Leaf`. */
  readonly parts: readonly number[];
  /** undefined for bytes. */
  readonly value: ScalarValue | undefined;
  /** The step that wrote it; null where it has been there from the start (static zeros, literals, the program's arguments). */
  readonly writer: number | null;
  /** Where in the machine's memory; 0 for registers. */
  readonly address: number;
  readonly size: number;
};

/** What the expressions of a step read, as far as the run got; then the bytes that it read otherwise. */
export function readsOf(steps: DescribedSteps, step: number, only?: ReadonlySet<number>): readonly Read[] {
  const { program, tracker } = steps;
  const { reads } = tracker;
  const from = tracker.steps.firstRead[step - tracker.from]!;
  const end = tracker.steps.firstRead[step - tracker.from + 1]!;
  const leaves = steps.leaves(step);
  const result: Read[] = [];
  for (let i = from; i < end; i++) {
    const stored = reads.writer[i]!;
    // The run ended before it got there.
    if (stored === 0 || only?.has(i) === false) continue;
    const leaf = leaves[i - from];
    const writer = stepOf(stored);
    const address = reads.address[i]!;
    if (leaf === undefined) {
      const size = reads.value[i]!;
      result.push({ expression: null, role: "value", parts: [0], value: undefined, writer, address, size });
      continue;
    }
    const { expression, role, parts } = leaf;
    if (expression.kind === "variable" && program.variables[expression.variable]!.numbers) continue;
    const value = tracker.largeRead.get(i) ?? reads.value[i]!;
    result.push({
      expression,
      role,
      parts,
      value: isIndeterminate(steps, writer, expression) ? undefined : value,
      writer,
      address,
      size: completeSize(expression.type, program.pointerBytes),
    });
  }
  return result;
}

/** For walks over the whole graph, without an object for each read; infinite where nothing was read. */
export function oldestRead({ tracker: { from, steps, reads } }: DescribedSteps, step: number): number {
  let oldest = Number.POSITIVE_INFINITY;
  const end = steps.firstRead[step - from + 1]!;
  for (let i = steps.firstRead[step - from]!; i < end; i++) {
    const stored = reads.writer[i]!;
    if (stored !== 0 && stored < oldest) oldest = stored;
  }
  return oldest <= 0 ? -1 : oldest - 1;
}

/** A register that nobody wrote since its declaration, or that was to hold what a function did not return: reading it ends the run. */
function isIndeterminate(steps: DescribedSteps, writer: number | null, expression: Expression): boolean {
  if (expression.kind !== "variable" || writer === null || writer < steps.tracker.from) return false;
  const { operation } = steps.edge(writer);
  return operation.kind === "declare" || (operation.kind === "return" && operation.value === null);
}
