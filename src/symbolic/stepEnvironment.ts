import type { SourceRange } from "../base/sourceRange.ts";
import type { Operation, UndefinedBehaviour } from "../ir/operation.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import type { RecordedCall } from "./library/libraryCall.ts";
import type { SymbolicState } from "./symbolicState.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";

/** An approximation of the target of an access, not of a value. */
export type ApproximationKind = "access";

/** The information that a symbolic step needs beyond the program. */
export type StepEnvironment = {
  /** The meaning of signed overflow in the run. */
  readonly undefinedBehaviour: "stop" | "wrap";
  /** Addresses are unknown: a variable-length array that is declared once has one from the start. */
  readonly hasNoAddresses?: boolean;
  /** See `Scope.endsAtNull`. */
  readonly endsAtNull?: boolean;
  /** See `Scope.pointsTo`. */
  pointsTo(address: Term): readonly SymbolicObject[];
  /** See `Scope.heldOnRun`. */
  heldOnRun?(condition: Term): boolean | null;
  /** The value of a nondeterministic read: recorded on a trace, unknown in a loop body. */
  input(operation: Operation & { kind: "input" }): Term;
  /** The byte of standard input that a call of `getchar` reads, where it may be another one on other runs; else null. */
  inputByte?(): Term | null;
  /** The value of something that the logic does not compute. */
  approximate(reason: string, type: ScalarType, range: SourceRange, kind?: ApproximationKind): Term;
  /** Something else is not exact. */
  note(reason: string, range: SourceRange, kind?: ApproximationKind): void;
  /** The effect of the step on the event of a recorded run (`RunEvent`). */
  event?(): { readonly name: string; readonly effect: "begins" | "passes" } | null;
  /** A number larger than all before it: it names the unknowns that an unknown write leaves behind. */
  tag(): number;
  /** The object that an allocation of so many bytes (null: not known) makes. */
  allocate(bytes: number | null): SymbolicObject;
  /**
   * What the library call at this step did on the recorded run, or null where none is followed. `repeats`: every run that
   * is looked at does the same, because it is this one.
   */
  libraryCall(): (RecordedCall & { readonly repeats: boolean }) | null;
  /** Throws when cancelled. */
  wanted?(): void;
  /** The arguments of the program's entry function; null for an unknown one. */
  entryArguments(): readonly (Term | null)[];
};

/** An approximation of the logic, reported once per place. */
export type Approximation = {
  readonly reason: string;
  readonly range: SourceRange;
  /** `access`: memory was taken to be accessed inside of some object, without a condition that says so. */
  readonly kind?: ApproximationKind;
};

/** In a loop's body everything that the program does not determine is unknown; `settings` are those of the run. */
export function bodyEnvironment(
  symbols: Symbols,
  settings: { readonly undefinedBehaviour: StepEnvironment["undefinedBehaviour"] },
  options: {
    /** Objects that an address may point into. */
    pointsTo(address: Term): readonly SymbolicObject[];
    note(approximation: Approximation): void;
    wanted?(): void;
  },
): StepEnvironment {
  return {
    undefinedBehaviour: settings.undefinedBehaviour,
    tag: symbols.tag,
    pointsTo: options.pointsTo,
    ...(options.wanted === undefined ? {} : { wanted: options.wanted }),
    // The source name of an input need not be a name for solvers.
    input: (operation) => symbols.fresh(operation.source.replace(/[|\\]/g, "_"), operation.type),
    approximate(reason, type, range, kind) {
      options.note({ reason, range, ...(kind === undefined ? {} : { kind }) });
      return symbols.approximated(type);
    },
    note: (reason, range, kind) => options.note({ reason, range, ...(kind === undefined ? {} : { kind }) }),
    // Blocks that no recorded run has have negative numbers.
    allocate: (bytes) => symbols.heapObject(-symbols.tag(), bytes),
    libraryCall: () => null,
    entryArguments: () => [],
  };
}

/** The context of a translation: the state and frame that it reads, and the receiver of its obligations. */
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
  /** A value that the logic does not compute: any value of the type. The reason is reported once per place. */
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
