import { Defect } from "../base/errors.ts";
import { isTrue, type Term, type Variable } from "../logic/term.ts";
import { isCallEdge } from "../symbolic/inlinedNode.ts";
import type { Surroundings } from "../symbolic/surroundings.ts";
import { type SymbolicState, writeAll } from "../symbolic/symbolicState.ts";
import {
  assumptionsOf,
  enterCall,
  leaveCall,
  openScope,
  type SymbolicStep,
  symbolicStep,
} from "../symbolic/symbolicStep.ts";
import type { Symbols } from "../symbolic/symbols.ts";
import { translateExpression } from "../symbolic/translateExpression.ts";
import type { LiveFrame, TraceStep } from "./run.ts";

export type TracePosition = { readonly state: SymbolicState; readonly stack: readonly LiveFrame[] };

/** Where a step was taken, what it requires, and what is known by it; see `SymbolicStep`. */
export type StepEffect = Omit<SymbolicStep, "state"> & Pick<TraceStep, "step" | "edge">;

/** The state after a stretch of a recorded run, and the steps that said something about the runs that take the same way. */
export type ExecutedTrace = TracePosition & { readonly effects: readonly StepEffect[] };

/** What every run that takes the same way satisfies. */
export function assumedOnWay({ effects }: ExecutedTrace): readonly Term[] {
  return effects.flatMap(assumptionsOf);
}

/** What depends on the step is asked with its number. */
export type TraceSurroundings = (step: number) => Surroundings;

/**
 * Follows a recorded run symbolically from a position: assignments by substitution, so that the state is always in
 * terms of the values at the start; what each step requires of a run that takes it is kept step by step.
 */
export function executeTrace(
  symbols: Symbols,
  steps: Iterable<TraceStep>,
  start: TracePosition,
  surroundings: TraceSurroundings,
  /** Called in front of each step. */
  look: (traced: TraceStep, before: TracePosition, around: Surroundings) => void = () => {},
): ExecutedTrace {
  let { state } = start;
  const stack = [...start.stack];
  const effects: StepEffect[] = [];
  for (const traced of steps) {
    const around = surroundings(traced.step);
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
function withEvent(symbols: Symbols, effect: SymbolicStep, surroundings: Surroundings): SymbolicStep {
  const event = surroundings.event?.() ?? null;
  if (event === null) return effect;
  const { terms } = symbols;
  const place = eventPlace(symbols, event.name);
  const value =
    event.effect === "begins"
      ? terms.bool(true)
      : terms.ite(
          terms.all(assumptionsOf(effect)),
          effect.state.values.get(place) ?? place,
          symbols.fresh("unknown", "condition"),
        );
  return { ...effect, state: writeAll(effect.state, [[place, value]]) };
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
  surroundings: Surroundings,
): SymbolicStep {
  const { edge } = traced;
  const top = stack[stack.length - 1];
  if (top === undefined) throw new Defect("a step after the last frame was left");
  if (isCallEdge(edge)) {
    const entered = traced.entered;
    if (entered === undefined) throw new Defect("a call without the frame that it enters");
    stack.push(entered);
    return enterCall(symbols, top.frame, entered, state, edge, surroundings);
  }
  if (edge.operation.kind !== "return") return symbolicStep(symbols, top.frame, state, edge, surroundings);
  stack.pop();
  const caller = stack[stack.length - 1];
  if (traced.entered !== undefined) {
    stack.push(traced.entered);
    const entered = enterProgram(symbols, traced.entered, state, surroundings);
    return { state: entered, guard: symbols.terms.bool(true), obligations: [], facts: [] };
  }
  const returning = { ...edge, operation: edge.operation };
  if (caller === undefined || top.call === null) {
    const { scope, collected } = openScope(symbols, top.frame, state, edge.range, surroundings);
    if (edge.operation.value !== null) translateExpression(scope, edge.operation.value);
    return collected(state);
  }
  return leaveCall(symbols, { frame: caller.frame, edge: top.call }, top, state, returning, surroundings);
}

/** The initialiser has returned: the entry function starts with what the environment passes. */
function enterProgram(
  symbols: Symbols,
  entered: LiveFrame,
  state: SymbolicState,
  surroundings: Surroundings,
): SymbolicState {
  const values = surroundings.entryArguments();
  const writes: [Variable, Term][] = [];
  entered.function.parameters.forEach((parameter, i) => {
    const value = values[i] ?? null;
    if (value === null || symbols.program.variables[parameter]!.storage !== "register") return;
    writes.push([symbols.register(entered.frame, parameter), value]);
  });
  return writeAll(state, writes);
}
