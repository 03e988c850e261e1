import type { RecordedInput } from "../interpreter/machine.ts";
import { objectIdOf } from "../interpreter/memory/pointer.ts";
import type { Term } from "../logic/term.ts";
import type { Approximation } from "../symbolic/bodySurroundings.ts";
import type { Surroundings } from "../symbolic/surroundings.ts";
import type { SymbolicObject, Symbols } from "../symbolic/symbols.ts";
import type { TraceSurroundings } from "./executeTrace.ts";
import type { Run } from "./run.ts";

export type SurroundingsOptions = {
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
  /** Throws once nobody wants to know any more. */
  wanted?(): void;
};

/** A recorded run knows what its inputs were and what its library calls did. */
export function traceSurroundings(symbols: Symbols, run: Run, options: SurroundingsOptions): TraceSurroundings {
  const { terms } = symbols;
  const repeats = options.isWholeRun === true && options.symbolicInputs === undefined;
  const surroundingsAt = (step: number): Surroundings => ({
    undefinedBehaviour: run.undefinedBehaviour,
    tag: symbols.tag,
    event: () => eventAt(run, step),
    pointsTo: options.pointsTo,
    ...(options.heldOnRun === undefined ? {} : { heldOnRun: options.heldOnRun }),
    input(operation) {
      const index = inputReadAt(run.inputs, step);
      if (index === null) return symbols.fresh(operation.source, operation.type);
      const read = run.inputs[index]!;
      const symbolic = options.symbolicInputs?.(index, read) ?? null;
      if (symbolic !== null) return symbolic;
      return typeof read.value === "bigint" ? terms.int(read.value) : terms.floatLiteral(read.value);
    },
    inputByte: () => options.symbolicByte?.(step) ?? null,
    approximate(reason, type, range) {
      options.note({ reason, range });
      return symbols.fresh("unknown", type);
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
    return surroundingsAt(step);
  };
}

/** Inputs are in the order of the run: a table of all of them would cost more than the few that are looked up. */
function inputReadAt(inputs: readonly RecordedInput[], step: number): number | null {
  let [low, high] = [0, inputs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inputs[middle]!.step <= step) low = middle + 1;
    else high = middle;
  }
  return inputs[low - 1]?.step === step ? low - 1 : null;
}

/** What a step does to the run's event. */
function eventAt(run: Run, step: number): ReturnType<NonNullable<Surroundings["event"]>> {
  const event = run.event();
  if (event === null) return null;
  if (event.step === step) return { name: event.name, effect: "begins" };
  return event.passed.has(step) ? { name: event.name, effect: "passes" } : null;
}
