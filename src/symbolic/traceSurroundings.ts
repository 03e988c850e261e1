import type { SourceRange } from "../base/sourceRange.ts";
import type { CallLibrary } from "../ir/operation.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { RecordedInput } from "../trace/machine.ts";
import { objectIdOf } from "../trace/memory/pointer.ts";
import type { Value as RunValue } from "../trace/value.ts";
import type { TraceSurroundings } from "./executeTrace.ts";
import type { Surroundings } from "./symbolicStep.ts";
import type { SymbolicObject, Symbols } from "./symbols.ts";

/** Something that the logic did not compute, said once per place. */
export type Approximation = { readonly reason: string; readonly range: SourceRange };

export type RunFacts = {
  readonly inputs: readonly RecordedInput[];
  /** What a library call returned at a step. */
  libraryResult(step: number): RunValue | undefined;
};

/** Library functions whose result does not depend on the program's state: like an input, it is part of the run. */
const reading = new Set("getchar fgetc getc rand getenv time clock scanf fscanf".split(" "));

function resultReason(operation: CallLibrary): string {
  return `the result of ${operation.name}`;
}

export type SurroundingsOptions = {
  /** The steps begin at the start of the program, so that every library call returns what it did on the run. */
  readonly isWholeRun?: boolean;
  /** Inputs as unknowns of their own rather than as their recorded values. */
  readonly symbolicInputs?: (index: number, input: RecordedInput) => Term | null;
  /** Objects that a pointer place pointed into at the origin. */
  pointsTo(place: Variable): readonly SymbolicObject[];
  note(approximation: Approximation): void;
};

/** A recorded run knows what its inputs were and what its library calls returned. */
export function traceSurroundings(symbols: Symbols, facts: RunFacts, options: SurroundingsOptions): TraceSurroundings {
  const { terms } = symbols;
  const inputs = new Map(facts.inputs.map((input, index) => [input.step, { input, index }]));
  return (step): Surroundings => ({
    tag: symbols.tag,
    pointsTo: (address) => pointerPlaces(symbols, address).flatMap((place) => options.pointsTo(place)),
    input(operation) {
      const read = inputs.get(step);
      if (read === undefined) return symbols.fresh(operation.source, operation.type);
      const symbolic = options.symbolicInputs?.(read.index, read.input) ?? null;
      if (symbolic !== null) return symbolic;
      return typeof read.input.value === "bigint"
        ? terms.int(read.input.value)
        : symbols.floatConstant(read.input.value);
    },
    approximate(reason, type, range) {
      options.note({ reason, range });
      return symbols.fresh("unknown", type);
    },
    result(operation, type, range) {
      const result = facts.libraryResult(step);
      const isGiven = options.isWholeRun === true || reading.has(operation.name);
      if (result !== undefined && isGiven && type.kind !== "float" && type.kind !== "pointer") {
        return terms.int(BigInt(result));
      }
      options.note({ reason: resultReason(operation), range });
      return symbols.fresh("unknown", type);
    },
    allocate(size) {
      const result = facts.libraryResult(step);
      const bytes = size.kind === "int" ? Number(size.value) : null;
      return symbols.heapObject(result === undefined ? freshBlock(symbols) : objectIdOf(Number(result)), bytes);
    },
  });
}

/** In a loop's body everything that the program does not determine is unknown. */
export function bodySurroundings(
  symbols: Symbols,
  options: Pick<SurroundingsOptions, "pointsTo" | "note">,
): Surroundings {
  const { terms } = symbols;
  return {
    tag: symbols.tag,
    pointsTo: (address) => pointerPlaces(symbols, address).flatMap((place) => options.pointsTo(place)),
    input(operation) {
      const value = symbols.fresh(operation.source, operation.type);
      if (operation.within === undefined) return value;
      // An unknown within an interval: clamp it, so that the interval is part of the value.
      const [low, high] = operation.within;
      const [least, most] = [terms.int(low), terms.int(high)];
      return terms.ite(terms.lt(value, least), least, terms.ite(terms.gt(value, most), most, value));
    },
    approximate(reason, type, range) {
      options.note({ reason, range });
      return symbols.fresh("unknown", type);
    },
    result(operation, type, range) {
      options.note({ reason: resultReason(operation), range });
      return symbols.fresh("unknown", type);
    },
    allocate: (size) => symbols.heapObject(freshBlock(symbols), size.kind === "int" ? Number(size.value) : null),
  };
}

/** Blocks that no recorded run has have negative numbers. */
function freshBlock(symbols: Symbols): number {
  return -symbols.tag();
}

/** Variables of an address that may hold a pointer: those with coefficient one. */
function pointerPlaces(symbols: Symbols, address: Term): Variable[] {
  const parts = address.kind === "sum" ? address.monomials : [{ coefficient: 1n, term: address }];
  const places: Variable[] = [];
  for (const { coefficient, term } of parts) {
    if (coefficient !== 1n || term.kind !== "variable") continue;
    const cell = symbols.cellOf(term);
    const type = cell?.kind === "register" ? cell.type : cell?.kind === "region" ? cell.region.type : null;
    if (type?.kind === "pointer") places.push(term);
  }
  return places;
}
