import { nth } from "../base/checked.ts";
import { Defect } from "../base/errors.ts";
import type { RecordedInput } from "../interpreter/machine.ts";
import { objectIdOf } from "../interpreter/memory/pointer.ts";
import type { Edge } from "../ir/program.ts";
import { isTrue, type Term, type Variable } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import { isCallEdge } from "../symbolic/followEdge.ts";
import type { Approximation, StepEnvironment, TranslationScope } from "../symbolic/stepEnvironment.ts";
import { originState, type SymbolicState, write } from "../symbolic/symbolicState.ts";
import {
  assumptionsOf,
  enterCall,
  enterProgram,
  leaveCall,
  openScope,
  type SymbolicStep,
  symbolicStep,
} from "../symbolic/symbolicStep.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import type { LiveFrame, Run, RunPoint, TraceStep } from "./run.ts";

export type TracePosition = { readonly state: SymbolicState; readonly stack: readonly LiveFrame[] };

/** The location of a step, its requirements and its facts; see `SymbolicStep`. */
export type StepEffect = Omit<SymbolicStep, "state"> & Pick<TraceStep, "step" | "edge">;

/** The state after a stretch of a recorded run, and the steps with requirements or facts. */
export type ExecutedTrace = TracePosition & { readonly effects: readonly StepEffect[] };

/** The conditions that every run on the same path satisfies. */
export function assumedOnWay({ effects }: ExecutedTrace): readonly Term[] {
  return effects.flatMap(assumptionsOf);
}

/** The environment of each step. */
export type TraceEnvironment = (step: number) => StepEnvironment;

/**
 * Follows a recorded run symbolically from a position: assignments by substitution, so that the state is always in
 * terms of the values at the start; what each step requires of a run that takes it is kept step by step.
 */
export function executeTrace(
  symbols: Symbols,
  steps: Iterable<TraceStep>,
  start: TracePosition,
  environment: TraceEnvironment,
  look: (traced: TraceStep, before: TracePosition, around: StepEnvironment) => void = () => {},
): ExecutedTrace {
  let { state } = start;
  const stack = [...start.stack];
  const effects: StepEffect[] = [];
  for (const traced of steps) {
    const around = environment(traced.step);
    look(traced, { state, stack }, around);
    const effect = withEvent(symbols, executeStep(symbols, traced, state, stack, around), around);
    const { guard, obligations, facts } = effect;
    state = effect.state;
    if (isTrue(guard) && obligations.length === 0 && facts.length === 0) continue;
    effects.push({ step: traced.step, edge: traced.edge, guard, obligations, facts });
  }
  return { state, stack, effects };
}

/** The event of a run is a condition: one step makes it true, and branches keep it only because they went that way. */
function withEvent(symbols: Symbols, effect: SymbolicStep, environment: StepEnvironment): SymbolicStep {
  const event = environment.event?.() ?? null;
  if (event === null) return effect;
  const { terms } = symbols;
  const place = eventPlace(symbols, event.name);
  const value =
    event.effect === "begins"
      ? terms.bool(true)
      : terms.ite(
          terms.all(assumptionsOf(effect)),
          effect.state.values.get(place) ?? place,
          symbols.approximated("condition"),
        );
  return { ...effect, state: write(effect.state, place, value) };
}

export function eventPlace(symbols: Symbols, name: string): Variable {
  return symbols.terms.variable(name, "Bool");
}

/** One step; calls and returns change the stack. */
function executeStep(
  symbols: Symbols,
  traced: TraceStep,
  state: SymbolicState,
  stack: LiveFrame[],
  environment: StepEnvironment,
): SymbolicStep {
  const { edge } = traced;
  const top = stack[stack.length - 1];
  if (top === undefined) throw new Defect("a step after the last frame was left");
  if (isCallEdge(edge)) {
    const entered = traced.entered;
    if (entered === undefined) throw new Defect("a call without the frame that it enters");
    stack.push(entered);
    return enterCall(symbols, top.frame, entered, state, edge, environment);
  }
  if (edge.operation.kind !== "return") return symbolicStep(symbols, top.frame, state, edge, environment);
  stack.pop();
  const caller = stack[stack.length - 1];
  if (traced.entered !== undefined) {
    stack.push(traced.entered);
    const entered = enterProgram(symbols, traced.entered, state, environment);
    return { state: entered, guard: symbols.terms.bool(true), obligations: [], facts: [] };
  }
  const returning = { ...edge, operation: edge.operation };
  if (caller === undefined || top.call === null) {
    const { scope, collected } = openScope(symbols, top.frame, state, edge.range, environment);
    if (edge.operation.value !== null) translateExpression(scope, edge.operation.value);
    return collected(state);
  }
  return leaveCall(symbols, { frame: caller.frame, edge: top.call }, top, state, returning, environment);
}

export type EnvironmentOptions = {
  /** The steps begin at the start of the program, so that with the same inputs every library call does what it did. */
  readonly isWholeRun?: boolean;
  /** Inputs as unknowns of their own rather than as their recorded values; null keeps the recorded one. */
  readonly symbolicInputs?: (index: number, input: RecordedInput) => Term | null;
  /** The byte of standard input that a step reads, where it may be another one. */
  readonly symbolicByte?: (step: number) => Term | null;
  /** Objects that an address over the origin's places pointed into there. */
  pointsTo(address: Term): readonly SymbolicObject[];
  /** The steps are those of the recorded run, and an access to an array stays an access to that array. */
  heldOnRun?(condition: Term): boolean | null;
  note(approximation: Approximation): void;
  /** Throws when cancelled. */
  wanted?(): void;
};

/** A recorded run knows what its inputs were and what its library calls did. */
export function traceEnvironment(symbols: Symbols, run: Run, options: EnvironmentOptions): TraceEnvironment {
  const { terms } = symbols;
  const repeats = options.isWholeRun === true && options.symbolicInputs === undefined;
  const environmentAt = (step: number): StepEnvironment => ({
    undefinedBehaviour: run.undefinedBehaviour,
    tag: symbols.tag,
    event: () => eventAt(run, step),
    pointsTo: options.pointsTo,
    ...(options.heldOnRun === undefined ? {} : { heldOnRun: options.heldOnRun }),
    input(operation) {
      const index = inputReadAt(run.inputs, step);
      if (index === null) return symbols.fresh(operation.source, operation.type);
      const read = nth(run.inputs, index);
      const symbolic = options.symbolicInputs?.(index, read) ?? null;
      if (symbolic !== null) return symbolic;
      return typeof read.value === "bigint" ? terms.int(read.value) : terms.floatLiteral(read.value);
    },
    inputByte: () => options.symbolicByte?.(step) ?? null,
    approximate(reason, type, range) {
      options.note({ reason, range });
      return symbols.approximated(type);
    },
    note: (reason, range) => options.note({ reason, range }),
    allocate(bytes) {
      const call = run.libraryCall(step);
      if (call?.result === undefined) return symbols.heapObject(-symbols.tag(), bytes);
      return symbols.heapObject(objectIdOf(Number(call.result)), bytes, call.use);
    },
    libraryCall() {
      const call = run.libraryCall(step);
      return call === undefined ? null : { ...call, repeats };
    },
    entryArguments: () => [terms.int(run.argumentCount), null, null],
  });
  return (step) => {
    options.wanted?.();
    return environmentAt(step);
  };
}

/** Inputs are in the order of the run: a table of all of them would cost more than the few that are looked up. */
function inputReadAt(inputs: readonly RecordedInput[], step: number): number | null {
  let [low, high] = [0, inputs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nth(inputs, middle).step <= step) low = middle + 1;
    else high = middle;
  }
  return inputs[low - 1]?.step === step ? low - 1 : null;
}

/** The effect of a step on the run's event. */
function eventAt(run: Run, step: number): ReturnType<NonNullable<StepEnvironment["event"]>> {
  const event = run.event();
  if (event === null) return null;
  if (event.step === step) return { name: event.name, effect: "begins" };
  return event.passed.has(step) ? { name: event.name, effect: "passes" } : null;
}

/** The facts and notes of an encoding in progress. */
export type RunEncoding = {
  /** Objects that an address over places points into; see `Scope.pointsTo`. */
  pointsTo(address: Term): readonly SymbolicObject[];
  note(approximation: Approximation): void;
  /** Throws when cancelled. */
  wanted?(): void;
};

export type Encoder = <Result>(work: (encoding: RunEncoding) => Result) => {
  readonly result: Result;
  readonly notes: readonly Approximation[];
};

/**
 * Encodes code that begins at a point of the run, again and again until what the pointers point to that it asks about is
 * known; only the last time counts for what is noted. At the start of the program (null) pointers are not looked up: all
 * that they point to is known from how they were made.
 */
export function encodeAt(symbols: Symbols, run: Run, point: RunPoint | null): Encoder {
  const hints = point === null ? null : pointerHints(symbols, run, point);
  return (work) => {
    const once = (pointsTo: RunEncoding["pointsTo"]) => {
      const notes: Approximation[] = [];
      return { result: work({ pointsTo, note: (approximation) => notes.push(approximation) }), notes };
    };
    return hints === null ? once(() => []) : hints.until(once);
  };
}

/** The targets of pointers at a point of a recorded run. They only guide an encoding; nothing is assumed from them. */
export type PointerHints = {
  /** Encodes again, with what was looked up in one replay, until the encoding asks for nothing new. */
  until<Result>(encode: (pointsTo: (address: Term) => readonly SymbolicObject[]) => Result): Result;
};

/** What `use` makes of the scope of an operation at a point of the run: its terms are over the values there. */
export function inScopeAt<Result>(
  symbols: Symbols,
  run: Run,
  at: RunPoint,
  { range }: Edge,
  use: (scope: TranslationScope, environment: StepEnvironment) => Result,
): Result {
  const { frame } = nth(at.stack, at.stack.length - 1);
  return pointerHints(symbols, run, at).until((pointsTo) => {
    const environment = traceEnvironment(symbols, run, { pointsTo, note: () => {} })(at.step);
    return use(openScope(symbols, frame, originState, range, environment).scope, environment);
  });
}

/** Chains of pointers are followed up to this length. */
const roundLimit = 12;

export function pointerHints(symbols: Symbols, run: Run, at: RunPoint): PointerHints {
  const known = new Map<Term, readonly SymbolicObject[]>();
  const lookUp = (asked: readonly Term[]) => {
    for (const [i, object] of run.objectsAt(symbols, at, asked).entries()) {
      known.set(nth(asked, i), object === null ? [] : [object]);
    }
  };
  return {
    until(encode) {
      for (let round = 0; ; round++) {
        const asked = new Set<Term>();
        const result = encode((address) => {
          const pointer = pointerIn(symbols, address);
          if (pointer === null) return [];
          const objects = known.get(pointer);
          if (objects === undefined) asked.add(pointer);
          return objects ?? [];
        });
        if (asked.size === 0 || round === roundLimit) return result;
        lookUp([...asked]);
      }
    },
  };
}

/** The part of an address that says which object it points into, over places alone; null if there is none. */
function pointerIn(symbols: Symbols, address: Term): Term | null {
  const parts = address.kind === "sum" ? address.monomials : [{ coefficient: 1n, term: address }];
  const pointers = parts.filter(({ coefficient, term }) => coefficient === 1n && isPointer(symbols, term));
  const pointer = pointers.length === 1 ? nth(pointers, 0).term : address;
  return freeVariables(pointer).every((variable) => symbols.cellOf(variable) !== null) ? pointer : null;
}

function isPointer(symbols: Symbols, term: Term): boolean {
  if (term.kind === "select") {
    let array = term.array;
    while (array.kind === "store") array = array.array;
    return isPointer(symbols, array);
  }
  if (term.kind !== "variable") return false;
  const cell = symbols.cellOf(term);
  const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
  return type?.kind === "pointer";
}
