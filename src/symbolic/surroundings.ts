import type { SourceRange } from "../base/sourceRange.ts";
import type { Operation } from "../ir/operation.ts";
import type { ScalarType } from "../ir/type.ts";
import type { Term } from "../logic/term.ts";
import type { RecordedCall } from "./recordedCall.ts";
import type { SymbolicObject } from "./symbols.ts";

/** What is not exact beside a value: where an access goes. */
export type ApproximationKind = "access";

/** What a symbolic step cannot know from the program alone. */
export type Surroundings = {
  /** What signed overflow does in the run that is followed. */
  readonly undefinedBehaviour: "stop" | "wrap";
  /** Nobody has seen addresses: a variable-length array that is declared once has one, from the start. */
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
  /** What the step does to the event of a recorded run (`RunEvent`). */
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
  /** Throws once nobody wants to know what all of this comes to. */
  wanted?(): void;
  /** What the program's entry function is called with; null for what is not known. */
  entryArguments(): readonly (Term | null)[];
};
