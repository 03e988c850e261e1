import type { LocationId } from "../ir/ids.ts";
import { type Loop, loopsOf } from "../ir/loops.ts";
import type { Edge, Function, Program } from "../ir/program.ts";
import { type Blocks, blocksOf } from "../trace/blocks.ts";
import type { Trace } from "../trace/trace.ts";
import type { LiveFrame, TraceStep } from "./executeTrace.ts";
import { isCallEdge } from "./inlinedNode.ts";
import type { FrameId } from "./symbols.ts";

/**
 * One activation of a natural loop in one frame: from the first arrival at its head to the last. `visits` are the
 * numbers of the steps that come right after each arrival.
 */
export type Activation = {
  readonly frame: FrameId;
  readonly function: Function;
  readonly loop: Loop;
  readonly visits: readonly number[];
  /** The frames that were live, this one last. */
  readonly stack: readonly LiveFrame[];
};

/** Called with each block of the run: its first step and the live frames. Returning false ends the walk. */
type BlockVisitor = (block: number, step: number, stack: readonly LiveFrame[]) => boolean | undefined;

/** What a walk needs of each block, in arrays: walks pass over millions of blocks. */
type BlockTable = {
  readonly blocks: Blocks;
  readonly start: Int32Array;
  readonly length: Int32Array;
  /** How a block ends: 1 with a call, 2 with a return, 0 otherwise. */
  readonly ending: Uint8Array;
  /** 1 where the block starts at the head of a loop. */
  readonly atHead: Uint8Array;
};

const tables = new WeakMap<Program, BlockTable>();

function blockTableOf(program: Program): BlockTable {
  let table = tables.get(program);
  if (table === undefined) {
    table = makeBlockTable(program);
    tables.set(program, table);
  }
  return table;
}

function makeBlockTable(program: Program): BlockTable {
  const blocks = blocksOf(program);
  const start = new Int32Array(blocks.count);
  const length = new Int32Array(blocks.count);
  const ending = new Uint8Array(blocks.count);
  const atHead = new Uint8Array(blocks.count);
  for (let block = 0; block < blocks.count; block++) {
    const fn = program.functions[blocks.functionOf[block]!]!;
    const location = fn.edges[blocks.edges[blocks.first[block]!]!]!.from;
    const last = lastEdge(program, blocks, block).operation.kind;
    start[block] = location;
    length[block] = blocks.first[block + 1]! - blocks.first[block]!;
    ending[block] = last === "call" ? 1 : last === "return" ? 2 : 0;
    atHead[block] = loopsOf(fn).loopWithHeader(location) === null ? 0 : 1;
  }
  return { blocks, start, length, ending, atHead };
}

/** One pass over the run's blocks with the stack of frames; frames are numbered as they are entered. */
function walkBlocks(run: Trace, visit: BlockVisitor): void {
  const { blocks, length, ending } = blockTableOf(run.program);
  const { functions } = run.program;
  const stack: LiveFrame[] = [];
  let nextFrame: FrameId = 0;
  let step = 0;
  let called = -1;
  for (const chunk of run.log) {
    for (let i = 0; i < chunk.length; i++) {
      const block = chunk[i]!;
      if (stack.length === 0 || called !== -1) {
        const call = called === -1 ? null : lastEdge(run.program, blocks, called);
        stack.push({
          frame: nextFrame++,
          function: functions[blocks.functionOf[block]!]!,
          call: call !== null && isCallEdge(call) ? call : null,
        });
        called = -1;
      }
      if (visit(block, step, stack) === false) return;
      step += length[block]!;
      if (ending[block] === 1) called = block;
      else if (ending[block] === 2) stack.pop();
    }
  }
}

function lastEdge(program: Program, blocks: Blocks, block: number): Edge {
  return program.functions[blocks.functionOf[block]!]!.edges[blocks.edges[blocks.first[block + 1]! - 1]!]!;
}

/** The steps `from .. to - 1`, and the frames that are live before the first of them. */
export function stepsBetween(run: Trace, from: number, to: number): { steps: TraceStep[]; stack: LiveFrame[] } {
  const blocks = blocksOf(run.program);
  const steps: TraceStep[] = [];
  let start: LiveFrame[] | null = null;
  let call: TraceStep | null = null;
  const end = Math.min(to, run.steps);
  walkBlocks(run, (block, firstStep, stack) => {
    const top = stack[stack.length - 1]!;
    if (call !== null) {
      steps[steps.length - 1] = { ...call, entered: top };
      call = null;
    }
    const first = blocks.first[block]!;
    const length = blocks.first[block + 1]! - first;
    if (firstStep + length > from) start ??= [...stack];
    if (firstStep >= end) return false;
    for (let i = Math.max(0, from - firstStep); i < length && firstStep + i < end; i++) {
      const edge = top.function.edges[blocks.edges[first + i]!]!;
      const traced: TraceStep = { step: firstStep + i, edge };
      steps.push(traced);
      const leavesBottom = edge.operation.kind === "return" && stack.length === 1;
      if (edge.operation.kind === "call" || leavesBottom) call = traced;
    }
    return undefined;
  });
  return { steps, stack: start ?? [] };
}

export type ActivationQuery = {
  readonly from: number;
  readonly to: number;
  /** Loops that are looked through: what is inside of them counts as outermost. */
  isTransparent(frame: FrameId, loop: Loop): boolean;
};

/** The outermost loop activations that begin in the stretch, in order; arrivals at or after its end do not count. */
export function findActivations(run: Trace, query: ActivationQuery): Activation[] {
  const { start, atHead } = blockTableOf(run.program);
  const { from, to } = query;
  const found: Activation[] = [];
  let visits: number[] = [];
  /** The activation that the walk is in: its stack's height (0 for none), head and body. */
  let depth = 0;
  let header = -1;
  let inBody = new Uint8Array(0);
  walkBlocks(run, (block, step, stack) => {
    if (step >= to) return false;
    if (step < from) return undefined;
    const location = start[block]!;
    if (depth !== 0) {
      if (stack.length > depth) return undefined;
      if (stack.length === depth && inBody[location] === 1) {
        if (location === header) visits.push(step);
        return undefined;
      }
      depth = 0;
    }
    if (atHead[block] === 0) return undefined;
    const top = stack[stack.length - 1]!;
    const loop = loopsOf(top.function).loopWithHeader(location as LocationId)!;
    if (query.isTransparent(top.frame, loop)) return undefined;
    visits = [step];
    found.push({ frame: top.frame, function: top.function, loop, visits, stack: [...stack] });
    depth = stack.length;
    header = location;
    inBody = new Uint8Array(top.function.locations);
    for (const inside of loop.body) inBody[inside] = 1;
    return undefined;
  });
  return found;
}
