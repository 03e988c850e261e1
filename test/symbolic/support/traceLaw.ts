import { type ObservationPoint, observe } from "../../../src/interpreter/observe.ts";
import type { RunOptions } from "../../../src/interpreter/run.ts";
import { recordTrace, type Trace } from "../../../src/interpreter/trace.ts";
import { printOperation } from "../../../src/ir/printOperation.ts";
import type { Program } from "../../../src/ir/program.ts";
import { type Assignment, arrayValue, evaluateAll, readArray, type Value } from "../../../src/logic/evaluate.ts";
import { bitsOfFloat } from "../../../src/logic/floatOperator.ts";
import type { Variable } from "../../../src/logic/term.ts";
import { createTerms } from "../../../src/logic/terms.ts";
import {
  assumedOnWay,
  type ExecutedTrace,
  executeTrace,
  type TracePosition,
  traceEnvironment,
} from "../../../src/recordedRun/executeTrace.ts";
import type { TraceStep } from "../../../src/recordedRun/run.ts";
import { runOf } from "../../../src/recordedRun/runOf.ts";
import { type ConcreteState, withStateAt } from "../../../src/recordedRun/sampleRun.ts";
import { startOfProgram, valueOf } from "../../../src/symbolic/symbolicState.ts";
import { assumptionsOf } from "../../../src/symbolic/symbolicStep.ts";
import { createSymbols, type Symbols, staticFrame } from "../../../src/symbolic/symbols.ts";

/** What a comparison found: mismatches with their places, and how much was compared. */
export type LawResult = {
  readonly mismatches: string[];
  compared: number;
  /** Values that the symbolic state leaves open. */
  open: number;
  readonly notes: Set<string>;
};

/** Runs longer than this are compared on a prefix. */
const stepLimit = 4000;

/**
 * The law: a recorded run, followed symbolically with its inputs as unknowns, has at the recorded inputs the state that
 * the interpreter has, at each of the chosen fractions of the run, and every assumption is true.
 */
export function checkTraceLaw(
  program: Program,
  options: RunOptions,
  fractions: readonly number[],
  computesFloats = false,
): LawResult {
  const trace = recordTrace(program, { maxSteps: 200_000, ...options });
  const terms = createTerms();
  const symbols = createSymbols(program, terms, { computesFloats });
  const result: LawResult = { mismatches: [], compared: 0, open: 0, notes: new Set() };
  const inputs = new Map<Variable, Value>();
  const along = traceEnvironment(symbols, runOf(trace), {
    symbolicInputs(_, input) {
      if (typeof input.value !== "bigint") return null;
      const operation = program.functions[input.function]!.edges[input.edge]!.operation;
      if (operation.kind !== "input") return null;
      const variable = symbols.fresh("input", operation.type);
      inputs.set(variable, input.value);
      return variable;
    },
    pointsTo: () => [],
    note: ({ reason }) => result.notes.add(reason),
  });
  const tagSteps = new Map<number, number>();
  const environment: typeof along = (step) => ({
    ...along(step),
    tag() {
      const tag = symbols.tag();
      tagSteps.set(tag, step);
      return tag;
    },
  });
  const end = Math.min(trace.steps, stepLimit);
  const { steps, stack } = runOf(trace).between(0, end);
  const addresses = addressBook(trace, steps);
  let position: TracePosition = { state: startOfProgram(symbols), stack };
  let done = 0;
  for (const fraction of fractions) {
    const step = Math.min(end - 1, Math.floor(fraction * end));
    if (step <= done) continue;
    const executed = executeTrace(symbols, steps.slice(done, step), position, environment);
    position = executed;
    done = step;
    const at = { step, location: steps[step]!.edge.from, stack: position.stack };
    const found = withStateAt(symbols, trace, at, (assignment, state) => {
      const origin = originAssignment(symbols, inputs, addresses, tagSteps, assignment);
      compareState(symbols, position, state, assignment, origin, result);
      checkAssumptions(trace, steps, executed, origin, result);
      return true;
    });
    if (found === null) result.mismatches.push(`step ${step} was not found again`);
  }
  return result;
}

/**
 * The law about other inputs: those that satisfy every assumption of a run's way lead along the same way, and those that
 * lead along it satisfy them. Only for runs where nothing is left open. null: nothing can be said.
 */
export function checkPathLaw(program: Program, options: RunOptions, other: RunOptions): string | null {
  const trace = recordTrace(program, { maxSteps: stepLimit, ...options });
  if (trace.outcome.kind === "limit") return null;
  const symbols = createSymbols(program, createTerms());
  const variables: Variable[] = [];
  let exact = true;
  const environment = traceEnvironment(symbols, runOf(trace), {
    symbolicInputs(index, input) {
      const operation = program.functions[input.function]!.edges[input.edge]!.operation;
      if (typeof input.value !== "bigint" || operation.kind !== "input") return null;
      variables[index] = symbols.fresh("input", operation.type);
      return variables[index]!;
    },
    pointsTo: () => [],
    note: () => {
      exact = false;
    },
  });
  const { steps, stack } = runOf(trace).between(0, trace.steps);
  const executed = executeTrace(symbols, steps, { state: startOfProgram(symbols), stack }, environment);
  const otherTrace = recordTrace(program, { maxSteps: stepLimit, ...other });
  if (!exact || otherTrace.outcome.kind === "limit" || otherTrace.inputs.length < trace.inputs.length) return null;
  const values = evaluateAll(assumedOnWay(executed), (variable) => {
    const index = variables.indexOf(variable);
    return index === -1 ? undefined : (otherTrace.inputs[index]!.value as bigint);
  });
  if (values.includes(null)) return null;
  const satisfied = values.every((value) => value === true);
  const otherSteps = runOf(otherTrace).between(0, Math.min(otherTrace.steps, trace.steps)).steps;
  const same = otherSteps.length === steps.length && steps.every(({ edge }, i) => otherSteps[i]!.edge === edge);
  if (satisfied === same) return same ? "same" : "different";
  return satisfied ? "the assumptions hold but the way differs" : "the way is the same but an assumption fails";
}

/** Values at the start of the program: the inputs; addresses; what is not initialised does not matter. */
function originAssignment(
  symbols: Symbols,
  inputs: ReadonlyMap<Variable, Value>,
  addresses: AddressBook,
  tagSteps: ReadonlyMap<number, number>,
  now: Assignment,
): Assignment {
  return (variable) => {
    const input = inputs.get(variable);
    if (input !== undefined) return input;
    const object = symbols.objectWithBase(variable);
    if (object !== null) {
      const { origin } = object;
      if (origin.kind !== "variable" || origin.frame === staticFrame) return now(variable);
      const life = /~(\d+)$/.exec(variable.name);
      return life === null
        ? addresses.first(origin.frame, origin.variable)
        : addresses.declared(tagSteps.get(Number(life[1]))!, origin.variable);
    }
    const cell = symbols.cellOf(variable);
    if (cell === null) return undefined;
    return variable.sort === "Array" ? arrayValue() : 0n;
  };
}

/** Where the local variables of a run were, in all their lives. */
type AddressBook = {
  /** When the frame was entered. */
  first(frame: number, variable: number): bigint | undefined;
  /** After the declaration at a step. */
  declared(step: number, variable: number): bigint | undefined;
};

function addressBook(trace: Trace, steps: readonly TraceStep[]): AddressBook {
  const { program } = trace;
  const points: ObservationPoint[] = [];
  for (const fn of program.functions) {
    points.push({ kind: "location", function: fn.id, location: fn.entry });
    for (const edge of fn.edges) {
      if (edge.operation.kind === "declare") points.push({ kind: "after", function: fn.id, edge: edge.id });
    }
  }
  const frameAt = new Map<number, number>([[0, 0]]);
  for (const { step, entered } of steps) if (entered !== undefined) frameAt.set(step + 1, entered.frame);
  const atEntry = new Map<string, bigint>();
  const atDeclaration = new Map<string, bigint>();
  observe(trace, points, (state) => {
    const fn = program.functions[state.point.function]!;
    for (const id of [...fn.parameters, ...fn.locals]) {
      const { storage, kind } = program.variables[id]!;
      if (storage !== "memory" || kind === "static") continue;
      const address = BigInt(state.addressOf(id));
      if (state.point.kind === "after") atDeclaration.set(`${state.step - 1}:${id}`, address);
      else if (frameAt.has(state.step)) atEntry.set(`${frameAt.get(state.step)}:${id}`, address);
    }
  });
  return {
    first: (frame, variable) => atEntry.get(`${frame}:${variable}`),
    declared: (step, variable) => atDeclaration.get(`${step}:${variable}`),
  };
}

function compareState(
  symbols: Symbols,
  position: TracePosition,
  state: ConcreteState,
  now: Assignment,
  origin: Assignment,
  result: LawResult,
): void {
  const places = placesToCompare(symbols, position);
  const values = evaluateAll(
    places.map((place) => valueOf(symbols, position.state, place)),
    origin,
  );
  for (const [i, place] of places.entries()) {
    const expected = concreteValue(symbols, state, now, place);
    if (expected === undefined) continue;
    const value = values[i]!;
    if (value === null) {
      result.open++;
      continue;
    }
    if (isOpenIn(value, expected)) result.open++;
    else result.compared++;
    const difference = differ(value, expected);
    if (difference !== null) result.mismatches.push(`${place.name}: ${difference}`);
  }
}

function concreteValue(symbols: Symbols, state: ConcreteState, now: Assignment, place: Variable): Value | undefined {
  const cell = symbols.cellOf(place);
  if (cell?.kind === "register" && cell.type.kind === "float") {
    const value =
      cell.frame === staticFrame ? state.readStatic(cell.variable) : state.readLocal(cell.frame, cell.variable);
    return value === undefined ? undefined : bitsOfFloat(Number(value));
  }
  return now(place);
}

/** An array of which some cell that the run has is left open; the others are compared all the same. */
function isOpenIn(value: Value, expected: Value): boolean {
  if (typeof value !== "object" || typeof expected !== "object") return false;
  return [...expected.entries.keys()].some((index) => readArray(value, index) === null);
}

function differ(value: Value, expected: Value): string | null {
  if (typeof value !== "object" || typeof expected !== "object") {
    return value === expected ? null : `is ${show(value)}, should be ${show(expected)}`;
  }
  for (const [index, cell] of expected.entries) {
    const got = readArray(value, index);
    if (got !== null && got !== cell) return `[${index}] is ${got}, should be ${cell}`;
  }
  return null;
}

function show(value: Value): string {
  return typeof value === "object" ? "an array" : `${value}`;
}

/** Registers of the live frames and statics, and every region that has been written or is static. */
function placesToCompare(symbols: Symbols, position: TracePosition): readonly Variable[] {
  const { program } = symbols;
  const places = new Set<Variable>();
  for (const variable of program.variables) {
    if (variable.kind !== "static") continue;
    if (variable.storage === "register") places.add(symbols.register(staticFrame, variable.id));
    else {
      const object = symbols.variableObject(staticFrame, variable.id);
      for (const region of object.regions ?? []) places.add(symbols.region(object, region));
    }
  }
  for (const { frame, function: fn } of position.stack) {
    for (const id of [...fn.parameters, ...fn.locals]) {
      const variable = program.variables[id]!;
      if (variable.kind === "static") continue;
      if (variable.storage === "register") places.add(symbols.register(frame, id));
      else {
        const object = symbols.variableObject(frame, id);
        for (const region of object.regions ?? []) places.add(symbols.region(object, region));
      }
    }
  }
  for (const place of position.state.values.keys()) if (symbols.cellOf(place)?.kind === "region") places.add(place);
  return [...places];
}

function checkAssumptions(
  trace: Trace,
  steps: readonly TraceStep[],
  { effects }: ExecutedTrace,
  origin: Assignment,
  result: LawResult,
): void {
  const assumptions = effects.flatMap((effect) =>
    assumptionsOf(effect).map((formula) => ({ step: effect.step, formula })),
  );
  const values = evaluateAll(
    assumptions.map(({ formula }) => formula),
    origin,
  );
  for (const [i, { step }] of assumptions.entries()) {
    if (values[i] === null) result.open++;
    else if (values[i] === true) result.compared++;
    else {
      const text = printOperation(trace.program, steps[step]!.edge.operation);
      result.mismatches.push(`the assumption of step ${step}, ${text}, is false`);
    }
  }
}
