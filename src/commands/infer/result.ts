import type { LanguageName } from "../../ir/language.ts";
import type { CommonReport } from "../common/result.ts";

/** The result of `tracefold infer`. Conditions are in the syntax of the source language. */
export type InferReport = Omit<CommonReport, "command"> & {
  readonly command: "infer";
  /** Conditions are in its syntax. */
  readonly language: LanguageName;
  /** How the tests ended; null: there was no command to run. */
  readonly tests: { readonly command: readonly string[]; readonly exitCode: number | null } | null;
  readonly classes: readonly ReportedClass[];
  readonly functions: readonly ReportedFunction[];
  readonly without: readonly { readonly name: string; readonly file: string; readonly reason: string }[];
  readonly recording: RecordingFigures;
  readonly diff: ContractDifference | null;
  /** Null if no properties were asked for. */
  readonly properties: WrittenProperties | null;
};

export type WrittenProperties = {
  readonly path: string;
  readonly count: number;
  /** Properties that failed for values other than those of the tests, and were left out. */
  readonly failed: readonly string[];
  /** Why they could not be run; null if they ran and pass. */
  readonly notRun: string | null;
};

type Named = { readonly name: string; readonly file: string };

export type ContractDifference = {
  /** Statements about functions that are in both. */
  readonly gone: readonly (Named & { readonly statement: string })[];
  readonly new: readonly (Named & { readonly statement: string })[];
  /** Functions and classes that are in only one. */
  readonly removed: readonly Named[];
  readonly added: readonly Named[];
};

export type RecordingFigures = {
  /** The number of calls whose events were kept, out of `calls`. */
  readonly replayed: number;
  readonly calls: number;
  readonly events: number;
  /** The number of calls that could not be replayed. */
  readonly lost: number;
  readonly wrongDecisions: number;
  /** Terms compared with recorded values: equal, unequal (and withheld), or not comparable. */
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
  /** True if its result is the value of a promise, and an exception a rejection. */
  readonly async: boolean;
  /** The name by which its file exports it, or a method's class: `default` is one of them. Null if it is not exported. */
  readonly exported: string | null;
  readonly params: readonly { readonly name: string; readonly seen: string }[];
  /** True if each parameter is one name: no pattern, no rest. */
  readonly isPositional: boolean;
  readonly returns: string;
  readonly pre: readonly { readonly condition: string; readonly origin: "needed" | "observed" }[];
  /** Conditions after every call that returns. */
  readonly post: readonly string[];
  /** Conditions that hold in some cases; with `ordered`, each case assumes that the earlier ones do not apply. */
  readonly cases: readonly ReportedCase[];
  readonly ordered: boolean;
  readonly pure: boolean;
  readonly modifies: readonly string[];
  /** One for each kind of error. */
  readonly throws: readonly {
    readonly error: string;
    readonly when: readonly string[];
    /** True if some conditions cannot be expressed: it may return although those of `when` hold. */
    readonly partial: boolean;
  }[];
  /** Called functions whose effects are in their own contracts. */
  readonly calls: readonly string[];
  readonly paths: number;
  readonly evidence: {
    readonly calls: number;
    readonly replayed: number;
    readonly tests: number;
    /** Some of the calls: `divide(7, 2) is 3`. */
    readonly examples: readonly string[];
  };
  /** The number of terms that disagreed with the run. */
  readonly withheld: number;
  /** True if a condition or value describes one round of a loop. */
  readonly rounds: boolean;
};

export type ReportedCase = {
  readonly guard: readonly string[];
  readonly effects: readonly string[];
  readonly calls: number;
  /** True if some conditions or effects cannot be expressed. */
  readonly partial: boolean;
};
