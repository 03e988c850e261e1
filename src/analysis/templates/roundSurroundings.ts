import type { ScalarType } from "../../ir/type.ts";
import type { Variable } from "../../logic/term.ts";
import type { Surroundings } from "../../symbolic/surroundings.ts";
import type { Symbols } from "../../symbolic/symbols.ts";

/** What surrounds one round of a loop by itself: nothing is known of before. `isExact`: so far formulas say all that it does. */
export type RoundSurroundings = { readonly surroundings: Surroundings; isExact(): boolean };

export function roundSurroundings(
  symbols: Symbols,
  undefinedBehaviour: "stop" | "wrap",
  draw: (type: ScalarType, isInput: boolean) => Variable,
): RoundSurroundings {
  let isExact = true;
  const surroundings: Surroundings = {
    undefinedBehaviour,
    tag: symbols.tag,
    pointsTo: () => [],
    input: ({ type }) => draw(type, true),
    approximate: (_reason, type) => draw(type, false),
    note() {
      isExact = false;
    },
    allocate(bytes) {
      isExact = false;
      return symbols.heapObject(-symbols.tag(), bytes);
    },
    libraryCall: () => null,
    entryArguments: () => [],
  };
  return { surroundings, isExact: () => isExact };
}
