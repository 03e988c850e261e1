import { nth } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import { remembered } from "../base/memo.ts";
import type { Extent, MemoryUse } from "../c/library/memoryUse.ts";
import { libraryFunction } from "../c/library/table.ts";
import { type Leaf, leavesOf } from "../interpreter/track/leaves.ts";
import type { DependenceTracker } from "../interpreter/track/tracker.ts";
import type { Expression } from "../ir/expression.ts";
import type { CallLibrary } from "../ir/operation.ts";
import type { Edge, Function, Program } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { completeSize } from "../ir/type.ts";

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
  /** The address in the machine's memory; 0 for registers. */
  readonly address: number;
  readonly size: number;
};

/** The reads of the expressions of a step, as far as the run got; then the bytes that it read otherwise. */
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
    if (expression.kind === "variable" && nth(program.variables, expression.variable).numbers) continue;
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

/**
 * What an argument of a library call is for: `read` and `written` say which place is read or written, or how much of it; null is a value
 * like any other.
 */
type PlaceUse = "read" | "written" | null;

type Uses = { readonly uses: readonly PlaceUse[]; readonly returned: number };

const known = new Map<string, Uses>();

/** The use of some arguments of a call, if it is the same for all of them. */
export function placeUse({ name, target }: CallLibrary, args: readonly number[]): PlaceUse {
  const found = remembered(known, name, () => usesOf(name));
  const { uses, returned } = found;
  const useOf = (argument: number) => (argument === returned && target !== null ? null : (uses[argument] ?? null));
  const [first = null, ...others] = args.map(useOf);
  return others.every((use) => use === first) ? first : null;
}

function usesOf(name: string): Uses {
  const { parameters, memory, returns } = libraryFunction(name);
  return {
    uses: parameters.map(({ name: parameter }) => {
      if (memory.some((use) => isRead(use, parameter))) return "read";
      return memory.some((use) => isWritten(use, parameter) || isExtent(use, parameter)) ? "written" : null;
    }),
    returned: parameters.findIndex((parameter) => parameter.name === returns),
  };
}

function isRead(use: MemoryUse, parameter: string): boolean {
  return (use.kind === "reads" && use.at === parameter) || (use.kind === "copies" && use.from === parameter);
}

function isWritten(use: MemoryUse, parameter: string): boolean {
  if (use.kind === "copies") return use.to === parameter;
  return (use.kind === "writes" || use.kind === "fills") && use.at === parameter;
}

function isExtent(use: MemoryUse, parameter: string): boolean {
  const extent: Extent | null = "extent" in use ? use.extent : null;
  if (extent?.kind === "bytes") return extent.factors.includes(parameter);
  return extent?.kind === "string" && extent.atMost === parameter;
}

/** The records of a tracker, with the program's names. */
export type DescribedSteps = {
  readonly program: Program;
  readonly tracker: DependenceTracker;
  /** By the numbers that the tracker has for them. */
  readonly edges: readonly Edge[];
  edge(step: number): Edge;
  function(step: number): Function;
  leaves(step: number): readonly Leaf[];
  parent(step: number): number | null;
};

export function describeSteps(program: Program, tracker: DependenceTracker, end: number): DescribedSteps {
  const { from, steps } = tracker;
  const edges = program.functions.flatMap((fn) => fn.edges);
  const functions = program.functions.flatMap((fn) => fn.edges.map(() => fn));
  const leaves: (readonly Leaf[] | undefined)[] = new Array(edges.length).fill(undefined);
  const code = (step: number): number => {
    if (!(step >= from && step < end)) throw new Defect(`step ${step} is not one of those from ${from} to ${end}`);
    return steps.code[step - from]!;
  };
  return {
    program,
    tracker,
    edges,
    edge: (step) => nth(edges, code(step)),
    function: (step) => nth(functions, code(step)),
    leaves(step) {
      const at = code(step);
      leaves[at] ??= leavesOf(program, nth(edges, at).operation);
      return leaves[at];
    },
    parent: (step) => stepOf(steps.parent[step - from]!),
  };
}

/** Trackers store steps with 1 added; nothing and what was there before the run are no step. */
export function stepOf(stored: number): number | null {
  return stored <= 0 ? null : stored - 1;
}
