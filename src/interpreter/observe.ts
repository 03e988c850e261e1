import { nth, present } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import type { EdgeId, FunctionId, LocationId, VariableId } from "../ir/program.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import type { ScalarType } from "../ir/type.ts";
import type { RunningProgram } from "./compile/compileProgram.ts";
import type { FunctionHooks, Hooks } from "./compile/context.ts";
import { frameVariables } from "./compile/emitFunction.ts";
import { describeObject, type ObjectDescription } from "./describeObject.ts";
import type { Machine } from "./machine.ts";
import { offsetOf } from "./memory/pointer.ts";
import { staticLayoutOf } from "./memory/staticLayout.ts";
import { readScalar } from "./memoryInputs.ts";
import { StopReplay } from "./run.ts";
import { replay, type Trace } from "./trace.ts";

export type ObservationPoint =
  /** Each arrival at the location. */
  | { readonly kind: "location"; readonly function: FunctionId; readonly location: LocationId }
  /** Before the edge's operation; for a branch after the choice. */
  | { readonly kind: "before"; readonly function: FunctionId; readonly edge: EdgeId }
  /** After it; for a call after its return. Not for `return` and `fail`. */
  | { readonly kind: "after"; readonly function: FunctionId; readonly edge: EdgeId };

/** The state at an observation point. Valid only during the callback. */
export type ObservedState = {
  readonly point: ObservationPoint;
  readonly pointIndex: number;
  /** Steps completed so far. */
  readonly step: number;
  /** A register of the current function, or a static one; undefined while indeterminate. */
  register(variable: VariableId): ScalarValue | undefined;
  /** Pointer to a memory variable of the current function or a static one; 0 while it does not exist. */
  addressOf(variable: VariableId): number;
  /** The content of memory; undefined if unreadable or indeterminate. */
  load(pointer: number, type: ScalarType): ScalarValue | undefined;
  object(pointer: number): (ObjectDescription & { readonly offset: number }) | null;
};

/** Replays the trace and calls back at each visit of the (distinct) points, in order; `"stop"` ends the replay. */
export function observe(
  trace: Trace,
  points: readonly ObservationPoint[],
  callback: (state: ObservedState) => unknown,
): void {
  if (points.length === 0) return;
  const { program } = trace;
  let machine: Machine | undefined;
  let running: RunningProgram | undefined;
  const slots = new Map<FunctionId, ReadonlyMap<number, number>>();
  for (const { function: fn } of points) {
    if (slots.has(fn)) continue;
    const variables = frameVariables(program, nth(program.functions, fn));
    slots.set(fn, new Map(variables.map((variable, i) => [variable, i])));
  }
  const statics = staticLayoutOf(program);
  const state = {
    point: nth(points, 0),
    pointIndex: 0,
    step: 0,
    register(variable: VariableId): ScalarValue | undefined {
      const { kind } = nth(program.variables, variable);
      if (kind === "static") return running!.readStatic(variable);
      return machine!.frame[slotOf(variable)];
    },
    addressOf(variable: VariableId): number {
      return statics.variables.get(variable)?.pointer ?? (machine!.frame[slotOf(variable)] as number);
    },
    load: (pointer: number, type: ScalarType) => readScalar(machine!.memory, pointer, type),
    object(pointer: number) {
      const object = describeObject(program, machine!.sites, machine!.memory, pointer);
      return object === null ? null : { ...object, offset: offsetOf(pointer) };
    },
  };
  const slotOf = (variable: VariableId): number => {
    const slot = present(slots.get(state.point.function)).get(variable);
    if (slot === undefined) throw new Defect(`${nth(program.variables, variable).name} is not in scope`);
    return slot;
  };
  replay(
    trace,
    { record: false, writes: false, hooks: hooksFor(points) },
    {
      begin(startedMachine, startedProgram) {
        machine = startedMachine;
        running = startedProgram;
      },
      observer(hook, step) {
        if (step > trace.steps) throw new StopReplay();
        state.point = nth(points, hook);
        state.pointIndex = hook;
        state.step = step;
        if (callback(state) === "stop") throw new StopReplay();
      },
    },
  );
}

function hooksFor(points: readonly ObservationPoint[]): Hooks {
  const hooks = new Map<number, { [K in keyof FunctionHooks]: Map<number, number> }>();
  points.forEach((point, i) => {
    let own = hooks.get(point.function);
    if (own === undefined) {
      own = { locations: new Map(), before: new Map(), after: new Map() };
      hooks.set(point.function, own);
    }
    if (point.kind === "location") own.locations.set(point.location, i);
    else own[point.kind].set(point.edge, i);
  });
  return hooks;
}
