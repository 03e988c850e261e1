import type { SourceRange } from "../base/sourceRange.ts";
import type { UndefinedBehaviour } from "../ir/operation.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import type { ApproximationKind } from "./surroundings.ts";
import type { SymbolicState } from "./symbolicState.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";

/** Where an expression is translated: the state and frame it reads, and where what must hold for it goes. */
export type TranslationScope = {
  readonly symbols: Symbols;
  readonly frame: FrameId;
  readonly state: SymbolicState;
  readonly range: SourceRange;
  /** Signed overflow wraps instead of ending the run. */
  readonly wraps: boolean;
  /** The way that a run takes here: a branch, the function behind a pointer, an allocation that succeeds. */
  guard(condition: Term): void;
  /** An operation that violates this ends the run as undefined. */
  require(condition: Term, problem: UndefinedBehaviour): void;
  /** Holds whatever a run does: a cell has a value of its type, a name the value that it stands for. */
  learn(fact: Term): void;
  /** What the logic does not compute: any value of the type. The reason is reported once per place. */
  approximate(reason: string, type: ScalarType, kind?: ApproximationKind): Term;
  /** Something else that is not exact. */
  note(reason: string, kind?: ApproximationKind): void;
  /** A number that no other unknown write of the encoding has, larger than those before it. */
  tag(): number;
  /** An access through null ends the run, which is asked for where it is made. */
  readonly endsAtNull: boolean;
  /** Objects that an address with no named object in it may point into, from the recorded run; none if unknown. */
  pointsTo(address: Term): readonly SymbolicObject[];
  /** Whether a condition held when the recorded run was here; null where that is not known, or not to be relied on. */
  heldOnRun?(condition: Term): boolean | null;
};

/** The one named object in an address of the form `&object + …`. */
export function objectInAddress(symbols: Symbols, address: Term): SymbolicObject | null {
  if (address.kind === "variable") return symbols.objectWithBase(address);
  if (address.kind !== "sum") return null;
  let found: SymbolicObject | null = null;
  for (const { coefficient, term } of address.monomials) {
    const object = term.kind === "variable" ? symbols.objectWithBase(term) : null;
    if (object === null) continue;
    if (found !== null || coefficient !== 1n) return null;
    found = object;
  }
  return found;
}
