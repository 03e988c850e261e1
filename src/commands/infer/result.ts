import type { Language } from "../../concolic/summary.ts";
import type { CommonReport } from "../common/result.ts";

/** The result of `tracefold infer`. Conditions are in the syntax of the source. */
export type InferReport = Omit<CommonReport, "command"> & {
  readonly command: "infer";
  /** Conditions are in its syntax. */
  readonly language: Language;
  /** How the tests ended; null: there was no command to run. */
  readonly tests: { readonly command: readonly string[]; readonly exitCode: number | null } | null;
  readonly classes: readonly ReportedClass[];
  readonly functions: readonly ReportedFunction[];
  /** Functions that were called and have no contract. */
  readonly without: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
  readonly recording: RecordingFigures;
  /** With `--diff`. */
  readonly diff: ContractDifference | null;
};

type Named = { readonly name: string; readonly file: string };

export type ContractDifference = {
  /** Statements about functions that both have. */
  readonly gone: readonly (Named & { readonly statement: string })[];
  readonly new: readonly (Named & { readonly statement: string })[];
  /** Functions and classes that only one has. */
  readonly removed: readonly Named[];
  readonly added: readonly Named[];
};

export type RecordingFigures = {
  /** Calls whose events were kept, of `calls`. */
  readonly replayed: number;
  readonly calls: number;
  readonly events: number;
  /** Calls that the replay could not follow. */
  readonly lost: number;
  readonly wrongDecisions: number;
  /** Terms compared with recorded values: equal, not equal (and withheld), not comparable. */
  readonly agreed: number;
  readonly disagreed: number;
  readonly open: number;
};

export type ReportedClass = {
  readonly name: string;
  readonly file: string;
  readonly fields: readonly { readonly name: string; readonly seen: string }[];
  readonly invariants: readonly string[];
  readonly states: number;
};

export type ReportedFunction = {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly className: string | null;
  readonly static: boolean;
  /** By this name, from its file; of a method, its class. */
  readonly exported: boolean;
  readonly params: readonly { readonly name: string; readonly seen: string }[];
  readonly returns: string;
  readonly pre: readonly { readonly condition: string; readonly origin: "needed" | "observed" }[];
  /** What holds after every call that returns. */
  readonly post: readonly string[];
  /** What holds in some cases; with `ordered`, each as if those before did not apply. */
  readonly cases: readonly ReportedCase[];
  readonly ordered: boolean;
  readonly pure: boolean;
  readonly modifies: readonly string[];
  readonly throws: readonly { readonly error: string; readonly when: readonly string[] }[];
  /** Calls whose effects are theirs to say. */
  readonly calls: readonly string[];
  readonly paths: number;
  readonly evidence: { readonly calls: number; readonly replayed: number; readonly tests: number };
  /** Terms that disagreed with the run. */
  readonly withheld: number;
  /** Some condition or value stands for one round of a loop. */
  readonly rounds: boolean;
};

export type ReportedCase = {
  readonly guard: readonly string[];
  readonly effects: readonly string[];
  readonly calls: number;
  /** There is more to it than conditions and effects that can be said. */
  readonly partial: boolean;
};
