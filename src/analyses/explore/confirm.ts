import { unlessRefused } from "../../base/errors.ts";
import { remembered } from "../../base/memo.ts";
import type { InputPlace, InputSource, InputValue } from "../../interpreter/inputs.ts";
import { createWarmRecorder } from "../../interpreter/rerun/rerun.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { runTrace, type Trace } from "../../interpreter/trace.ts";
import { readArray } from "../../logic/evaluate.ts";
import type { Variable } from "../../logic/term.ts";
import type { Model } from "../../solver/answers.ts";
import type { MemoryRegion } from "../../symbolic/memory/region.ts";
import type { SymbolicObject, Symbols } from "../../symbolic/symbols.ts";

/** Memory of a variable or a block that holds inputs from some point of a path on. */
export type DrawnMemory = {
  readonly variable: number | null;
  readonly allocation: { readonly function: number; readonly edge: number } | null;
  readonly object: SymbolicObject;
  /** The unknowns of its regions; by default the places themselves. */
  readonly contents: ReadonlyMap<MemoryRegion, Variable>;
};

/** Runs the program with the inputs of a model. */
export type Confirm = (
  inputs: readonly InputValue[],
  drawn: readonly DrawnMemory[],
  model: Model,
  /** The run may be cut short. */
  length?: "short",
) => Trace | null;

const shortRun = 20_000;
/** About three seconds. */
const longRun = 1_000_000_000;

/** Values that the path does not read are arbitrary. */
export function createConfirm(symbols: Symbols, run: Omit<RunOptions, "inputs">): Confirm {
  const recorder = createWarmRecorder(symbols.program, run);
  return (inputs, drawn, model, length) => {
    let next = 0;
    const objects = new Map<number, DrawnMemory | null>();
    const source: InputSource = ({ memory, type, within }) => {
      // Addresses of a model do not exist on a run: use null.
      if (memory !== undefined && type.kind === "pointer") return 0n;
      const value = memory === undefined ? inputs[next++] : memoryValue(symbols, memory, drawn, objects, model);
      if (value !== undefined) return value;
      return type.kind === "float" ? 0 : (within?.[0] ?? 0n);
    };
    const isShort = length === "short";
    const settings = {
      ...run,
      maxSteps: Math.min(run.maxSteps ?? longRun, isShort ? shortRun : longRun),
      inputs: source,
    };
    // Null: a value does not fit the type that is read, because the run takes another path.
    return unlessRefused(() => (isShort ? recorder.record(settings) : runTrace(symbols.program, settings)));
  };
}

/** Objects of one variable or allocation are distinguished by the order of their first reads. */
function memoryValue(
  symbols: Symbols,
  place: InputPlace,
  drawn: readonly DrawnMemory[],
  objects: Map<number, DrawnMemory | null>,
  model: Model,
): InputValue | undefined {
  const memory = remembered(objects, place.object, () => {
    const taken = new Set(objects.values());
    const fitting = drawn.filter((each) => isSame(each, place));
    return fitting.find((each) => !taken.has(each)) ?? fitting.at(-1) ?? null;
  });
  if (memory === null) return undefined;
  for (const region of memory.object.regions ?? []) {
    const distance = place.offset - region.offset;
    const isHit = region.count === 1 ? distance === 0 : distance >= 0 && distance % region.stride === 0;
    if (!isHit || region.bitField !== undefined || region.type.kind === "float") continue;
    const value = model.value(memory.contents.get(region) ?? symbols.region(memory.object, region));
    const cell = typeof value === "object" ? readArray(value, BigInt(distance / region.stride)) : value;
    if (typeof cell === "bigint") return cell;
  }
  return undefined;
}

function isSame(drawn: DrawnMemory, place: InputPlace): boolean {
  if (place.variable !== null) return drawn.variable === place.variable;
  const [a, b] = [drawn.allocation, place.allocation];
  return a !== null && b !== null && a.function === b.function && a.edge === b.edge;
}
