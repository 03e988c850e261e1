import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { type ObservationPoint, observe } from "../../interpreter/observe.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import { replayWrites, type Trace } from "../../interpreter/trace.ts";
import type { Edge, Function } from "../../ir/program.ts";
import { completeSize, isScalar } from "../../ir/type.ts";
import { parameter } from "../expr.ts";
import { createCells } from "./cells.ts";
import { compose } from "./compose.ts";
import { evaluateC } from "./evaluate.ts";
import { type CFrame, type CWorld, freshOpaque, rememberEntry } from "./frame.ts";
import { followLibraryCall, type LibraryWrite } from "./library.ts";
import { arrive } from "./loops.ts";
import { follow, setRegister } from "./steps.ts";
import { type CEnd, type CSummary, summarise } from "./summary.ts";
import { addressOf, type CValue, structParameter } from "./value.ts";

export type FollowOptions = {
  /** A call ended. */
  readonly ended: (frame: CFrame, summary: CSummary) => void;
  readonly stop: () => boolean;
  /** Steps that are followed. */
  readonly maxSteps: number;
};

/** Follows every call of a recorded run with terms over its entry state. False: not to the end. */
export function followRun(trace: Trace, options: FollowOptions): boolean {
  const { program } = trace;
  const libraryWrites = writesOfLibrary(trace);
  const points = program.functions.flatMap((fn) =>
    fn.id === program.initializer
      ? []
      : fn.edges.map(({ id }): ObservationPoint => ({ kind: "before", function: fn.id, edge: id })),
  );
  let world: CWorld | null = null;
  let top: CFrame | null = null;
  let calling: readonly CValue[] | null = null;
  let stopped = false;

  function end(frame: CFrame, how: CEnd): CFrame | null {
    const summary = summarise(frame, how);
    options.ended(frame, summary);
    const { caller } = frame;
    if (caller === null) return null;
    const value = compose(caller, frame, summary);
    const operation = caller.last?.operation;
    if (operation?.kind === "call" && operation.target !== null) setRegister(caller, operation.target, value);
    return caller;
  }

  observe(trace, points, (state) => {
    if (state.step > options.maxSteps || ((state.step & 0xfff) === 0 && options.stop())) {
      stopped = true;
      return "stop";
    }
    const { function: id, edge: number } = state.point as Extract<ObservationPoint, { kind: "before" }>;
    const fn = nth(program.functions, id);
    const edge = nth(fn.edges, number);
    world ??= { program, wraps: trace.settings.undefinedBehaviour === "wrap", pointers: new Map(), state };
    if (top === null || calling !== null || isCalledBack(top, fn, edge)) {
      top = startFrame(world, fn, top, calling);
      calling = null;
    }
    top.pending?.(top);
    top.pending = null;
    arrive(top, edge);
    const { operation } = edge;
    top.last = edge;
    if (operation.kind === "call") calling = operation.arguments.map((one) => evaluateC(top!, one));
    else if (operation.kind === "callLibrary") followLibraryCall(top, operation, libraryWrites.get(state.step) ?? []);
    else if (operation.kind === "return")
      top = end(top, { kind: "return", value: operation.value === null ? null : evaluateC(top, operation.value) });
    else follow(top, edge, operation);
    return undefined;
  });
  const reason = stopped ? null : reasonOf(trace.outcome);
  // The callers did not go on either.
  if (reason !== null) for (let at: CFrame | null = top; at !== null; ) at = end(at, { kind: "stop", reason });
  return !stopped;
}

/** A library function calls back: the next step is not the one behind the call. */
function isCalledBack({ fn, last }: CFrame, now: Function, edge: Edge): boolean {
  return last?.operation.kind === "callLibrary" && (now !== fn || edge.from !== last.to);
}

function writesOfLibrary(trace: Trace): ReadonlyMap<number, readonly LibraryWrite[]> {
  const found = new Map<number, LibraryWrite[]>();
  const { program } = trace;
  replayWrites(trace, 0, trace.steps, {
    register: () => {},
    memory(step, fn, edge, pointer, size) {
      if (nth(program.functions, fn).edges[edge]?.operation.kind !== "callLibrary") return;
      const known = found.get(step);
      if (known === undefined) found.set(step, [{ pointer, size }]);
      else known.push({ pointer, size });
    },
  });
  return found;
}

/** `args` is null where a library function calls. */
function startFrame(world: CWorld, fn: Function, caller: CFrame | null, args: readonly CValue[] | null): CFrame {
  const frame: CFrame = {
    ...{ world, fn, caller, args: args ?? [], isCallback: caller !== null && args === null },
    registers: new Map(),
    localNames: new Map(),
    cells: createCells(
      (place, raw) => rememberEntry(frame, place.term, raw, place.type, { kind: "place", place }),
      (text) => freshOpaque(frame, text),
    ),
    entry: new Map(),
    origins: new Map(),
    definitions: new Map(),
    delegated: [],
    rounds: new Map(),
    blocks: new Map(),
    loops: [],
    conditions: [],
    ...{ loopStart: null, opaques: 0, fresh: 0, last: null, pending: null },
  };
  fn.parameters.forEach((variable, index) => {
    const given = nth(world.program.variables, variable);
    const { type, storage } = given;
    if (!isScalar(type)) return;
    const whole = structParameter(given);
    if (whole !== null) {
      // A struct is passed by where it is.
      const raw = world.state.register(variable);
      frame.registers.set(variable, { raw, term: addressOf(whole), scale: null });
      frame.origins.set(whole.key, { kind: "parameter", index });
      return;
    }
    const term = parameter(given.name);
    if (storage === "register") {
      const raw = world.state.register(variable);
      frame.registers.set(variable, { raw, term, scale: null });
      rememberEntry(frame, term, raw, type, { kind: "parameter", index });
      return;
    }
    const at = world.state.addressOf(variable);
    frame.cells.markFresh(at);
    const raw = world.state.load(at, type);
    const size = completeSize(type, world.program.pointerBytes);
    frame.cells.write({ at, size, type, term }, { raw, term, scale: null });
    rememberEntry(frame, term, raw, type, { kind: "parameter", index });
  });
  return frame;
}

/** The early end of the run; null if the program ended its calls. */
function reasonOf(outcome: Outcome): string | null {
  switch (outcome.kind) {
    case "assertion":
      return `assert(${outcome.text})`;
    case "error-location":
    case "abort":
      return outcome.text;
    case "exit":
      return outcome.at === null ? null : `exit(${outcome.code})`;
    case "undefined-behaviour":
      return outcome.problem.replaceAll("-", " ");
    case "assumption-violated":
    case "wrong-output":
    case "wrong-exit":
    case "limit":
    case "needs-input":
      return null;
    default:
      return assertNever(outcome, "outcome");
  }
}
