import type { RunningProgram } from "../interpreter/compile/compileProgram.ts";
import type { FunctionHooks } from "../interpreter/compile/context.ts";
import { frameVariables } from "../interpreter/compile/emitFunction.ts";
import type { Machine } from "../interpreter/machine.ts";
import { StopWatching } from "../interpreter/run.ts";
import { replay, type Trace } from "../interpreter/trace.ts";
import type { Function, Program } from "../ir/program.ts";
import type { ScalarValue as RunValue } from "../ir/scalarValue.ts";
import { type Assignment, evaluateAll } from "../logic/evaluate.ts";
import { calleesOf } from "../symbolic/callees.ts";
import { type InlinedNode, isCallEdge } from "../symbolic/inlinedNode.ts";
import type { FrameId, Symbols } from "../symbolic/symbols.ts";
import { assignmentAt, type ConcreteState } from "./concreteState.ts";
import type { RunPoint, Sample, SamplePoint } from "./run.ts";

/** Values of terms at chosen arrivals, by running the program again with the same inputs. One list per point. */
export function sampleRun(symbols: Symbols, trace: Trace, points: readonly SamplePoint[], until: number): Sample[][] {
  const results: Sample[][] = points.map(() => []);
  watchRun(
    trace,
    points.map(({ node }) => node),
    (hook, step, frames, machine, running) => {
      if (step >= until) throw new StopWatching();
      const point = points[hook]!;
      if (!point.wanted(step) || !isInContext(point, frames)) return;
      const state = stateOf(point, frames, machine, running);
      results[hook]!.push({ step, values: evaluateAll(point.terms, assignmentAt(symbols, state)) });
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
  const top = at.stack[at.stack.length - 1]!;
  const node: InlinedNode = { function: top.function, location: at.location, frame: top.frame, context: null };
  let result: Result | null = null;
  watchRun(trace, [node], (_, step, frames, machine, running) => {
    if (step < at.step) return;
    const point: SamplePoint = { node, stack: at.stack, terms: [], wanted: () => true };
    if (step === at.step) {
      const state = stateOf(point, frames, machine, running);
      result = use(assignmentAt(symbols, state), state);
    }
    throw new StopWatching();
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
  const leading = functionsLeadingTo(program, new Set(nodes.map((node) => node.function)));
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
          for (const node of shared[hook]!) arrive(node, step, frames, machine!, running!);
        } else if ((hook - firstCall) % 2 === 0) {
          const call = calls[(hook - firstCall) / 2]!;
          frames.push({ ...call, values: machine!.frame.slice(0, slots[call.function]) });
        } else frames.pop();
      },
    },
  );
}

/** Functions in which, or in what they call, one of the given functions may be executed. */
function functionsLeadingTo(program: Program, wanted: ReadonlySet<Function>): ReadonlySet<Function> {
  const callers = new Map<Function, Set<Function>>();
  for (const fn of program.functions) {
    for (const edge of fn.edges) {
      if (!isCallEdge(edge)) continue;
      for (const callee of calleesOf(program, edge)) callers.set(callee, (callers.get(callee) ?? new Set()).add(fn));
    }
  }
  const leading = new Set(wanted);
  // A set is gone through in the order of insertion, what is added on the way included.
  for (const fn of leading) for (const caller of callers.get(fn) ?? []) leading.add(caller);
  return leading;
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
    known.set(context.caller.frame, frames[--depth]!);
  }
  while (depth > 0) {
    depth--;
    known.set(point.stack[depth]!.frame, frames[depth]!);
  }
  return {
    memory: machine.memory,
    readStatic: (variable) => running.readStatic(variable),
    readLocal: (frame, variable) => {
      const live = known.get(frame);
      if (live === undefined) return undefined;
      const slot = frameVariables(program, program.functions[live.function]!).indexOf(variable);
      return slot === -1 ? undefined : live.values[slot];
    },
  };
}
