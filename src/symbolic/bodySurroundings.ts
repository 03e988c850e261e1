import type { SourceRange } from "../base/sourceRange.ts";
import type { Term } from "../logic/term.ts";
import type { ApproximationKind, Surroundings } from "./surroundings.ts";
import type { SymbolicObject, Symbols } from "./symbols.ts";

/** Something that the logic did not compute, said once per place. */
export type Approximation = {
  readonly reason: string;
  readonly range: SourceRange;
  /** `access`: memory was taken to be accessed inside of some object, without a condition that says so. */
  readonly kind?: ApproximationKind;
};

/** In a loop's body everything that the program does not determine is unknown; `settings` are those of the run. */
export function bodySurroundings(
  symbols: Symbols,
  settings: { readonly undefinedBehaviour: Surroundings["undefinedBehaviour"] },
  options: {
    /** Objects that an address may point into. */
    pointsTo(address: Term): readonly SymbolicObject[];
    note(approximation: Approximation): void;
    wanted?(): void;
  },
): Surroundings {
  return {
    undefinedBehaviour: settings.undefinedBehaviour,
    tag: symbols.tag,
    pointsTo: options.pointsTo,
    ...(options.wanted === undefined ? {} : { wanted: options.wanted }),
    // What the source calls an input need not be a name to solvers.
    input: (operation) => symbols.fresh(operation.source.replace(/[|\\]/g, "_"), operation.type),
    approximate(reason, type, range, kind) {
      options.note({ reason, range, ...(kind === undefined ? {} : { kind }) });
      return symbols.fresh("unknown", type);
    },
    note: (reason, range, kind) => options.note({ reason, range, ...(kind === undefined ? {} : { kind }) }),
    // Blocks that no recorded run has have negative numbers.
    allocate: (bytes) => symbols.heapObject(-symbols.tag(), bytes),
    libraryCall: () => null,
    entryArguments: () => [],
  };
}
