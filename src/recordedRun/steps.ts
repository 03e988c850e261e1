import { nth, present } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { type Blocks, blocksOf } from "../interpreter/paths.ts";
import type { Trace } from "../interpreter/trace.ts";
import { loopsOf } from "../ir/loops.ts";
import type { Edge, Function, LocationId, Program } from "../ir/program.ts";
import { isCallEdge } from "../symbolic/followEdge.ts";
import type { FrameId } from "../symbolic/symbols.ts";
import type { Activation, ActivationQuery, LiveFrame, TraceStep } from "./run.ts";

/**
 * Called with each block of the run: its first step, how many frames are live, and what tells them. Returning false ends the
 * walk.
 */
type BlockVisitor = (block: number, step: number, depth: number, stack: FrameStack) => boolean | undefined;

/** The live frames of a walk as numbers, because a walk passes through hundreds of thousands of calls. */
type FrameStack = {
  /** Number of the frame on top. */
  top(): FrameId;
  frames(): LiveFrame[];
};

/** The data of each block that a walk needs, in arrays: walks pass over millions of blocks. */
type BlockTable = {
  readonly blocks: Blocks;
  readonly start: Int32Array;
  readonly length: Int32Array;
  /** How a block ends: 1 with a call, 2 with a return, 0 otherwise. */
  readonly ending: Uint8Array;
  /** 1 where the block starts at the head of a loop. */
  readonly atHead: Uint8Array;
};

const blockTableOf = memoised((program: Program): BlockTable => makeBlockTable(program));

function makeBlockTable(program: Program): BlockTable {
  const blocks = blocksOf(program);
  const start = new Int32Array(blocks.count);
  const length = new Int32Array(blocks.count);
  const ending = new Uint8Array(blocks.count);
  const atHead = new Uint8Array(blocks.count);
  for (let block = 0; block < blocks.count; block++) {
    const fn = nth(program.functions, nth(blocks.functionOf, block));
    const location = nth(fn.edges, nth(blocks.edges, nth(blocks.first, block))).from;
    const last = lastEdge(program, blocks, block).operation.kind;
    start[block] = location;
    length[block] = nth(blocks.first, block + 1) - nth(blocks.first, block);
    ending[block] = last === "call" ? 1 : last === "return" ? 2 : 0;
    atHead[block] = loopsOf(fn).loopWithHeader(location) === null ? 0 : 1;
  }
  return { blocks, start, length, ending, atHead };
}

/** A point where a walk can begin: before a block, with the state after the blocks up to there. */
type Checkpoint = {
  readonly chunk: number;
  readonly index: number;
  readonly step: number;
  readonly nextFrame: FrameId;
  /** The block whose call is just being entered, or -1. */
  readonly called: number;
  readonly frames: readonly number[];
  readonly entries: readonly number[];
  readonly callers: readonly number[];
};

/** Blocks between checkpoints. */
const checkpointDistance = 8192;
/** By a run's log, which its copies share. */
const checkpoints = new WeakMap<Trace["log"], readonly Checkpoint[]>();

const atStart: Checkpoint = {
  ...{ chunk: 0, index: 0, step: 0, nextFrame: 0, called: -1 },
  ...{ frames: [], entries: [], callers: [] },
};

function checkpointBefore(known: readonly Checkpoint[], step: number): Checkpoint {
  let [low, high] = [0, known.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (nth(known, middle).step <= step) low = middle;
    else high = middle - 1;
  }
  return nth(known, low);
}

/**
 * One pass over the run's blocks from a step on (and some before it) with the stack of frames, which are numbered as they
 * are entered. Returns the frames that are live at its end. The first pass that gets to the end leaves checkpoints.
 */
function walkBlocks(run: Trace, from: number, visit: BlockVisitor): readonly LiveFrame[] {
  const known = checkpoints.get(run.log);
  if (known !== undefined) return walkFrom(run, checkpointBefore(known, from), visit, null);
  const made = [atStart];
  let stopped: readonly LiveFrame[] | null = null;
  const watched: BlockVisitor = (block, step, depth, stack) => {
    if (stopped === null && visit(block, step, depth, stack) === false) stopped = stack.frames();
    return undefined;
  };
  const live = walkFrom(run, atStart, watched, (checkpoint) => made.push(checkpoint));
  checkpoints.set(run.log, made);
  return stopped ?? live;
}

function walkFrom(
  run: Trace,
  start: Checkpoint,
  visit: BlockVisitor,
  save: ((checkpoint: Checkpoint) => void) | null,
): readonly LiveFrame[] {
  const { blocks, length, ending } = blockTableOf(run.program);
  // For each live frame its number, its first block, and the block that ends with the call of it (-1 at the bottom).
  const frames = [...start.frames];
  const entries = [...start.entries];
  const callers = [...start.callers];
  let { nextFrame, step, called, index } = start;
  const stack: FrameStack = {
    top: () => nth(frames, frames.length - 1),
    frames: () =>
      frames.map((frame, depth) => ({
        frame,
        function: functionOf(run.program, blocks, nth(entries, depth)),
        call: callAt(run, nth(callers, depth)),
      })),
  };
  let sinceSaved = 0;
  for (let c = start.chunk; c < run.log.length; c++) {
    const chunk = nth(run.log, c);
    for (let i = index; i < chunk.length; i++) {
      if (save !== null && ++sinceSaved > checkpointDistance) {
        save({
          chunk: c,
          index: i,
          step,
          nextFrame,
          called,
          frames: [...frames],
          entries: [...entries],
          callers: [...callers],
        });
        sinceSaved = 0;
      }
      const block = nth(chunk, i);
      if (frames.length === 0 || called !== -1) {
        frames.push(nextFrame++);
        entries.push(block);
        callers.push(called);
        called = -1;
      }
      if (visit(block, step, frames.length, stack) === false) return stack.frames();
      step += nth(length, block);
      // The last block may be incomplete.
      if (step > run.steps) break;
      if (ending[block] === 1) called = block;
      else if (ending[block] === 2) {
        frames.pop();
        entries.pop();
        callers.pop();
      }
    }
    index = 0;
  }
  const live = stack.frames();
  const entered = enteredAtEnd(run, called === -1 ? null : lastEdge(run.program, blocks, called), live, nextFrame);
  return entered === null ? live : [...live, entered];
}

function functionOf(program: Program, blocks: Blocks, block: number): Function {
  return nth(program.functions, nth(blocks.functionOf, block));
}

function callAt(run: Trace, block: number): LiveFrame["call"] {
  const call = block === -1 ? null : lastEdge(run.program, blocksOf(run.program), block);
  return call !== null && isCallEdge(call) ? call : null;
}

/** The activation that a run's last step has entered, where the run ended before the first step in it. */
function enteredAtEnd(run: Trace, called: Edge | null, stack: readonly LiveFrame[], frame: FrameId): LiveFrame | null {
  if (!("at" in run.outcome) || run.outcome.at === null) return null;
  if (called === null && stack.length > 0) return null;
  const fn = nth(run.program.functions, run.outcome.at.function);
  return { frame, function: fn, call: called !== null && isCallEdge(called) ? called : null };
}

function lastEdge(program: Program, blocks: Blocks, block: number): Edge {
  return nth(
    nth(program.functions, nth(blocks.functionOf, block)).edges,
    nth(blocks.edges, nth(blocks.first, block + 1) - 1),
  );
}

/** The steps `from .. to - 1`, and the frames that are live before the first of them. */
export function stepsBetween(run: Trace, from: number, to: number): { steps: TraceStep[]; stack: LiveFrame[] } {
  const blocks = blocksOf(run.program);
  const steps: TraceStep[] = [];
  let start: LiveFrame[] | null = null;
  let call: TraceStep | null = null;
  const end = Math.min(to, run.steps);
  const walked = walkBlocks(run, from, (block, firstStep, depth, stack) => {
    if (call !== null) {
      steps[steps.length - 1] = { ...call, entered: present(stack.frames().at(-1)) };
      call = null;
    }
    const first = nth(blocks.first, block);
    const length = nth(blocks.first, block + 1) - first;
    if (firstStep + length > from) start ??= stack.frames();
    if (firstStep >= end) return false;
    const { edges } = functionOf(run.program, blocks, block);
    for (let i = Math.max(0, from - firstStep); i < length && firstStep + i < end; i++) {
      const edge = nth(edges, nth(blocks.edges, first + i));
      const traced: TraceStep = { step: firstStep + i, edge };
      steps.push(traced);
      const leavesBottom = edge.operation.kind === "return" && depth === 1;
      if (edge.operation.kind === "call" || leavesBottom) call = traced;
    }
    return undefined;
  });
  const top = walked.at(-1);
  if (call !== null && top !== undefined) steps[steps.length - 1] = { ...(call as TraceStep), entered: top };
  return { steps, stack: start ?? [...walked] };
}

/** The outermost loop activations that begin in the stretch, in order; arrivals at or after its end do not count. */
export function findActivations(run: Trace, query: ActivationQuery): Activation[] {
  const { blocks, start, atHead } = blockTableOf(run.program);
  const { from, to } = query;
  const found: (Activation & { end: number })[] = [];
  let visits: number[] = [];
  /** The activation that the walk is in: its stack's height (0 for none), head and body. */
  let height = 0;
  let header = -1;
  let inBody = new Uint8Array(0);
  walkBlocks(run, from, (block, step, depth, stack) => {
    if (step >= to) return false;
    if (step < from) return undefined;
    const location = nth(start, block);
    if (height !== 0) {
      if (depth > height) return undefined;
      if (depth === height && inBody[location] === 1) {
        if (location === header) visits.push(step);
        return undefined;
      }
      height = 0;
      nth(found, found.length - 1).end = step;
    }
    if (atHead[block] === 0) return undefined;
    const fn = functionOf(run.program, blocks, block);
    const loop = present(loopsOf(fn).loopWithHeader(location as LocationId));
    if (query.isTransparent(stack.top(), loop)) return undefined;
    visits = [step];
    const end = Math.min(to, run.steps);
    found.push({ frame: stack.top(), function: fn, loop, visits, end, stack: stack.frames() });
    height = depth;
    header = location;
    inBody = new Uint8Array(fn.locations);
    for (const inside of loop.body) inBody[inside] = 1;
    return undefined;
  });
  return found;
}
