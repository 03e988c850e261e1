import { type Loop, loopsOf } from "../ir/loops.ts";
import type { Edge, EdgeId, Function, FunctionId, LocationId, Program } from "../ir/program.ts";
import type { Trace } from "./trace.ts";

/** Walks the steps of a trace without allocating. After `next()` returned true the fields describe the current step. */
export type StepCursor = {
  /** 0-based index of the current step; -1 before the first `next()`. */
  readonly step: number;
  readonly function: FunctionId;
  readonly edge: EdgeId;
  /** Active calls: 0 in the initialiser and the entry function. A call has its caller's depth. */
  readonly depth: number;
  /** Number of the current function's activation, counted over the whole run. */
  readonly activation: number;
  /** The loops of this activation around the step's source location, outermost first; the cursor mutates the list. */
  readonly loops: readonly LoopActivation[];
  next(): boolean;
};

/** One execution of a natural loop, from the first visit of its header until it is left. */
export type LoopActivation = {
  readonly loop: Loop;
  /** Counted over the whole run. */
  readonly number: number;
  /** 0-based: earlier visits of the header in this activation. */
  iteration: number;
};

/** `arriving` is the location that the frame's next step leaves. */
type Frame = {
  readonly function: FunctionId;
  readonly activation: number;
  readonly loops: LoopActivation[];
  arriving: LocationId;
};

/** A cursor over the steps of a trace from `from` on. Earlier steps are skipped. */
export function stepCursor(trace: Trace, from = 0): StepCursor {
  const walker = createWalker(trace);
  while (walker.step + 1 < from && walker.next());
  return walker;
}

export function edgeAt(program: Program, cursor: { readonly function: FunctionId; readonly edge: EdgeId }): Edge {
  return program.functions[cursor.function]!.edges[cursor.edge]!;
}

function createWalker(trace: Trace): StepCursor {
  const { program, blocks, steps } = trace;
  const innermost = program.functions.map(innermostLoops);
  const nextBlock = blockReader(trace.log);
  const frames: Frame[] = [];
  // The remaining edges of the current block, and how the previous block ended.
  let position = 0;
  let end = 0;
  let transfer: "call" | "return" | null = "return";
  let activations = 0;
  let loopActivations = 0;

  const enter = (fn: FunctionId) => {
    frames.push({ function: fn, activation: activations++, loops: [], arriving: program.functions[fn]!.entry });
  };
  /** Leaves the loops that do not contain the location and counts a visit of a header. */
  const arrive = (frame: Frame) => {
    const { loops, arriving: location } = frame;
    while (loops.length > 0 && !loops[loops.length - 1]!.loop.body.has(location)) loops.pop();
    const loop = innermost[frame.function]![location]!;
    if (loop === null || loop.header !== location) return;
    const top = loops[loops.length - 1];
    if (top?.loop === loop) top.iteration++;
    else loops.push({ loop, number: loopActivations++, iteration: 0 });
  };
  const startBlock = (block: number) => {
    position = blocks.first[block]!;
    end = blocks.first[block + 1]!;
    if (transfer === "return") frames.pop();
    // The entry function follows the initialiser.
    if (transfer === "call" || frames.length === 0) enter(blocks.functionOf[block]! as FunctionId);
    transfer = null;
  };

  const cursor = {
    step: -1,
    function: 0 as FunctionId,
    edge: 0 as EdgeId,
    depth: 0,
    activation: 0,
    loops: [] as readonly LoopActivation[],
    next(): boolean {
      if (cursor.step + 1 >= steps) return false;
      if (position === end) {
        const block = nextBlock();
        if (block === -1) return false;
        startBlock(block);
      }
      const frame = frames[frames.length - 1]!;
      arrive(frame);
      const id = blocks.edges[position++]! as EdgeId;
      const edge = program.functions[frame.function]!.edges[id]!;
      cursor.step++;
      cursor.function = frame.function;
      cursor.edge = id;
      cursor.depth = frames.length - 1;
      cursor.activation = frame.activation;
      cursor.loops = frame.loops;
      frame.arriving = edge.to;
      const { kind } = edge.operation;
      if (kind === "call" || kind === "return") transfer = kind;
      return true;
    },
  };
  return cursor;
}

/** The logged blocks one by one, then -1. */
function blockReader(log: readonly Int32Array[]): () => number {
  let chunk = 0;
  let index = 0;
  return () => {
    while (chunk < log.length && index === log[chunk]!.length) {
      chunk++;
      index = 0;
    }
    return chunk === log.length ? -1 : log[chunk]![index++]!;
  };
}

function innermostLoops(fn: Function): (Loop | null)[] {
  const forest = loopsOf(fn);
  return Array.from({ length: fn.locations }, (_, location) => forest.innermost(location as LocationId));
}
