import type { LocationId } from "../ir/ids.ts";
import type { Variable } from "../logic/term.ts";
import type { Trace } from "../trace/trace.ts";
import type { LiveFrame } from "./executeTrace.ts";
import { objectAt } from "./objectAt.ts";
import { withStateAt } from "./sampleRun.ts";
import type { SymbolicObject, Symbols } from "./symbols.ts";

/** Where pointers point at a point of a recorded run. They guide an encoding; nothing is assumed from them. */
export type PointerHints = {
  /** Encodes again, with what was looked up in one replay, until the encoding asks for nothing new. */
  until<Result>(encode: (pointsTo: (place: Variable) => readonly SymbolicObject[]) => Result): Result;
};

export function pointerHints(
  symbols: Symbols,
  trace: Trace,
  at: { readonly step: number; readonly location: LocationId; readonly stack: readonly LiveFrame[] },
): PointerHints {
  const known = new Map<Variable, readonly SymbolicObject[]>();
  const lookUp = (asked: readonly Variable[]) => {
    withStateAt(symbols, trace, at, (assignment, state) => {
      for (const place of asked) {
        const value = assignment(place);
        const object = typeof value === "bigint" ? objectAt(symbols, state, at.stack, value) : null;
        known.set(place, object === null ? [] : [object]);
      }
    });
    for (const place of asked) if (!known.has(place)) known.set(place, []);
  };
  return {
    until(encode) {
      for (;;) {
        const asked = new Set<Variable>();
        const result = encode((place) => {
          const objects = known.get(place);
          if (objects === undefined) asked.add(place);
          return objects ?? [];
        });
        if (asked.size === 0) return result;
        lookUp([...asked]);
      }
    },
  };
}
