import type { SourceRange } from "../base/sourceRange.ts";
import type { Term } from "../logic/term.ts";
import type { Surroundings } from "./surroundings.ts";
import type { SymbolicObject, Symbols } from "./symbols.ts";

/** Something that the logic did not compute, said once per place. */
export type Approximation = { readonly reason: string; readonly range: SourceRange };

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
    input: (operation) => symbols.fresh(operation.source, operation.type),
    approximate(reason, type, range) {
      options.note({ reason, range });
      return symbols.fresh("unknown", type);
    },
    note: (reason, range) => options.note({ reason, range }),
    // Blocks that no recorded run has have negative numbers.
    allocate: (bytes) => symbols.heapObject(-symbols.tag(), bytes),
    libraryCall: () => null,
    entryArguments: () => [],
  };
}
