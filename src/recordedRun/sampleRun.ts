import { nth } from "../base/checked.ts";
import { assertNever } from "../base/errors.ts";
import type { RunningProgram } from "../interpreter/compile/compileProgram.ts";
import type { FunctionHooks } from "../interpreter/compile/context.ts";
import { frameVariables } from "../interpreter/compile/emitFunction.ts";
import type { Machine } from "../interpreter/machine.ts";
import type { Memory } from "../interpreter/memory/memory.ts";
import { fieldBase, fieldLength, fieldReadable, objectFields } from "../interpreter/memory/objectLayout.ts";
import { makePointer, objectIdOf, offsetOf } from "../interpreter/memory/pointer.ts";
import { pointerFromAddress } from "../interpreter/memory/pointerArithmetic.ts";
import { staticLayoutOf } from "../interpreter/memory/staticLayout.ts";
import { StopReplay } from "../interpreter/run.ts";
import { replay, type Trace } from "../interpreter/trace.ts";
import type { Program } from "../ir/program.ts";
import type { ScalarValue as RunValue } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import { type Assignment, arrayValue, evaluateAll, type Value } from "../logic/evaluate.ts";
import type { Variable } from "../logic/term.ts";
import { calleesOf, functionsLeadingTo, type InlinedNode, isCallEdge } from "../symbolic/followEdge.ts";
import { type MemoryRegion, regionSize } from "../symbolic/memory/region.ts";
import { type FrameId, type SymbolicObject, type Symbols, staticFrame } from "../symbolic/symbols.ts";
import type { RunPoint, Sample, SamplePoint } from "./run.ts";

/** Values of terms at chosen arrivals, by running the program again with the same inputs. One list per point. */
export function sampleRun(symbols: Symbols, trace: Trace, points: readonly SamplePoint[], until: number): Sample[][] {
  const results: Sample[][] = points.map(() => []);
  watchRun(
    trace,
    points.map(({ node }) => node),
    (hook, step, frames, machine, running) => {
      if (step >= until) throw new StopReplay();
      const point = nth(points, hook);
      if (!point.wanted(step) || !isInContext(point, frames)) return;
      const state = stateOf(point, frames, machine, running);
      nth(results, hook).push({ step, values: evaluateAll(point.terms, assignmentAt(symbols, state)) });
    },
  );
  return results;
}

/** The state right before a step of the recorded run, whose live frames are `stack`. Valid only inside `use`. */
export function withStateAt<Result>(
  symbols: Symbols,
  trace: Trace,
  at: RunPoint,
  use: (assignment: Assignment, state: ConcreteState) => Result,
): Result | null {
  const top = nth(at.stack, at.stack.length - 1);
  const node: InlinedNode = { function: top.function, location: at.location, frame: top.frame, context: null };
  let result: Result | null = null;
  watchRun(trace, [node], (_, step, frames, machine, running) => {
    if (step < at.step) return;
    const point: SamplePoint = { node, stack: at.stack, terms: [], wanted: () => true };
    if (step === at.step) {
      const state = stateOf(point, frames, machine, running);
      result = use(assignmentAt(symbols, state), state);
    }
    throw new StopReplay();
  });
  return result;
}

/** A live frame of the replay: the call that it is waiting for, and its registers when it called. */
type ReplayFrame = {
  readonly function: number;
  readonly edge: number;
  readonly values: readonly (RunValue | undefined)[];
};

type Arrival = (
  hook: number,
  step: number,
  frames: readonly ReplayFrame[],
  machine: Machine,
  running: RunningProgram,
) => void;

/**
 * Replays with hooks at the nodes' locations, following those calls that may lead to one, so that the frames below the top
 * are known too.
 */
function watchRun(trace: Trace, nodes: readonly InlinedNode[], arrive: Arrival): void {
  const { program } = trace;
  const hooks = new Map<number, FunctionHooks>();
  const calls: { function: number; edge: number }[] = [];
  const firstCall = nodes.length;
  const leading = functionsLeadingTo(
    program,
    nodes.map((node) => node.function),
  );
  for (const fn of program.functions) {
    const locations = new Map<number, number>();
    const before = new Map<number, number>();
    const after = new Map<number, number>();
    nodes.forEach((node, i) => {
      // Several points at one location share the hook of the first; the others are looked up by it.
      if (node.function === fn && !locations.has(node.location)) locations.set(node.location, i);
    });
    for (const edge of fn.edges) {
      if (!isCallEdge(edge) || !calleesOf(program, edge).some((callee) => leading.has(callee))) continue;
      before.set(edge.id, firstCall + 2 * calls.length);
      after.set(edge.id, firstCall + 2 * calls.length + 1);
      calls.push({ function: fn.id, edge: edge.id });
    }
    hooks.set(fn.id, { locations, before, after });
  }
  const slots = program.functions.map((fn) => frameVariables(program, fn).length);
  const shared = nodes.map((node) =>
    nodes.flatMap((other, i) => (other.function === node.function && other.location === node.location ? [i] : [])),
  );
  const frames: ReplayFrame[] = [];
  let machine: Machine | null = null;
  let running: RunningProgram | null = null;
  replay(
    trace,
    { record: false, writes: false, hooks },
    {
      begin: (theMachine, theProgram) => {
        machine = theMachine;
        running = theProgram;
      },
      observer: (hook, step) => {
        if (hook < firstCall) {
          for (const node of nth(shared, hook)) arrive(node, step, frames, machine!, running!);
        } else if ((hook - firstCall) % 2 === 0) {
          const call = nth(calls, (hook - firstCall) / 2);
          frames.push({ ...call, values: machine!.frame.slice(0, slots[call.function]) });
        } else frames.pop();
      },
    },
  );
}

/** Did the replay come here through the calls that the point's node was encoded with? */
function isInContext(point: SamplePoint, frames: readonly ReplayFrame[]): boolean {
  let depth = frames.length;
  for (let context = point.node.context; context !== null; context = context.caller.context) {
    const frame = frames[--depth];
    if (frame === undefined || frame.function !== context.caller.function.id || frame.edge !== context.edge.id)
      return false;
  }
  return depth === point.stack.length - 1;
}

function stateOf(
  point: SamplePoint,
  frames: readonly ReplayFrame[],
  machine: Machine,
  running: RunningProgram,
): ConcreteState {
  const { program } = machine;
  const top = machine.frame;
  /** Registers of each frame that the point can speak about. */
  const known = new Map<FrameId, { readonly function: number; readonly values: readonly (RunValue | undefined)[] }>();
  known.set(point.node.frame, { function: point.node.function.id, values: top });
  let depth = frames.length;
  for (let context = point.node.context; context !== null; context = context.caller.context) {
    known.set(context.caller.frame, nth(frames, --depth));
  }
  while (depth > 0) {
    depth--;
    known.set(nth(point.stack, depth).frame, nth(frames, depth));
  }
  return {
    memory: machine.memory,
    readStatic: (variable) => running.readStatic(variable),
    readLocal: (frame, variable) => {
      const live = known.get(frame);
      if (live === undefined) return undefined;
      const slot = frameVariables(program, nth(program.functions, live.function)).indexOf(variable);
      return slot === -1 ? undefined : live.values[slot];
    },
  };
}

/** The state of a replay at one point, as the analyses ask for it. */
export type ConcreteState = {
  readonly memory: Memory;
  readStatic(variable: number): RunValue | undefined;
  /** The value of a register, or the address of a memory object, of a live frame; undefined if it has none. */
  readLocal(frame: FrameId, variable: number): RunValue | undefined;
};

/** More cells than this are not read from an array: facts are about single cells. */
const cellLimit = 4096;

/** Values of places at this point; `undefined` where a place has none (not initialised, dead, floating point). */
export function assignmentAt(symbols: Symbols, state: ConcreteState): Assignment {
  return (variable) => valueOfPlace(symbols, state, variable);
}

function valueOfPlace(symbols: Symbols, state: ConcreteState, variable: Variable): Value | undefined {
  const cell = symbols.cellOf(variable);
  if (cell === null) return undefined;
  switch (cell.kind) {
    case "register": {
      if (cell.type.kind === "float") return undefined;
      const value =
        cell.frame === staticFrame ? state.readStatic(cell.variable) : state.readLocal(cell.frame, cell.variable);
      return value === undefined ? undefined : BigInt(value);
    }
    case "address": {
      const base = baseAddress(symbols.program, state, cell.object);
      return base === undefined ? undefined : BigInt(base);
    }
    case "size": {
      const base = baseAddress(symbols.program, state, cell.object);
      const size = base === undefined ? undefined : state.memory.objects[objectIdOf(base) * objectFields + fieldLength];
      return size === undefined ? undefined : BigInt(size);
    }
    case "rounds":
    case "input":
      // Counted by whoever looks at a loop, or given from outside; the program does not have it.
      return undefined;
    case "region": {
      const base = baseAddress(symbols.program, state, cell.object);
      return base === undefined ? undefined : readRegionAt(symbols.program, state.memory, base, cell.region);
    }
    default:
      return assertNever(cell);
  }
}

function baseAddress(program: Program, state: ConcreteState, object: SymbolicObject): number | undefined {
  const { origin } = object;
  const layout = staticLayoutOf(program);
  switch (origin.kind) {
    case "function":
      return layout.functions[origin.function]?.pointer;
    case "heap":
      return origin.number < 0 ? undefined : makePointer(origin.number, 0);
    case "variable": {
      if (origin.frame === staticFrame) return layout.variables.get(origin.variable)?.pointer;
      const address = state.readLocal(origin.frame, origin.variable);
      // A variable-length array has none before its declaration.
      return address === undefined || address === 0 ? undefined : Number(address);
    }
    default:
      return assertNever(origin);
  }
}

function readRegionAt(program: Program, memory: Memory, base: number, region: MemoryRegion): Value | undefined {
  if (region.count === 1) return readCellAt(program, memory, base + region.offset, region) ?? undefined;
  const cells: [bigint, bigint][] = [];
  const size = readableBytes(memory, base);
  const all = region.count ?? Math.ceil((size - region.offset) / region.stride);
  for (let i = 0; i < Math.min(all, cellLimit); i++) {
    const value = readCellAt(program, memory, base + region.offset + i * region.stride, region);
    if (value !== null) cells.push([BigInt(i), value]);
  }
  // Nothing is known about cells that were not read.
  return arrayValue(cells, all > cellLimit ? null : 0n);
}

function readableBytes(memory: Memory, pointer: number): number {
  return memory.objects[objectIdOf(pointer) * objectFields + fieldReadable] ?? -1;
}

/** null where the bits are outside, dead or not initialised, or the value is no integer. */
function readCellAt(program: Program, memory: Memory, pointer: number, region: MemoryRegion): bigint | null {
  const { type, bitField } = region;
  if (type.kind === "float") return null;
  const unit = regionSize(region, program.pointerBytes);
  const first = bitField === undefined ? 0 : bitField.shift >> 3;
  const size = bitField === undefined ? unit : ((bitField.shift + bitField.width + 7) >> 3) - first;
  const offset = offsetOf(pointer) + first;
  if (offset < 0 || offset + size > readableBytes(memory, pointer)) return null;
  const at = nth(memory.objects, objectIdOf(pointer) * objectFields + fieldBase) + offset;
  const width = BigInt(bitField?.width ?? unit * 8);
  const shift = BigInt(bitField === undefined ? 0 : bitField.shift - first * 8);
  const bits = (bytes: Uint8Array) => (gather(bytes, at, size) >> shift) & ((1n << width) - 1n);
  if (bits(memory.shadowBytes) !== 0n) return null;
  const value = bits(memory.bytes);
  // A pointer of a 32-bit model is a linear address in memory, and the number of its object and an offset in the logic.
  if (type.kind === "pointer" && program.pointerBytes === 4)
    return BigInt(pointerFromAddress(memory, Number(value), at));
  return isSigned(type) ? BigInt.asIntN(Number(width), value) : value;
}

function isSigned(type: ScalarType): boolean {
  return type.kind === "pointer" || (type.kind === "int" && type.signed);
}

function gather(bytes: Uint8Array, at: number, size: number): bigint {
  let value = 0n;
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(nth(bytes, at + i));
  return value;
}
