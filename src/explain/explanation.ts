import type { SourceRange } from "../base/sourceRange.ts";
import type { JsonNumber, Unknown } from "../jobs/commonReport.ts";
import type { LoopResult, ProofResult, RecordedInput } from "../jobs/compress/compressReport.ts";
import type { Formula } from "../jobs/formula.ts";
import type { RunOutcome } from "../jobs/run/runReport.ts";
import type { CheckedProof } from "../proof/checkObligations.ts";
import type { ByteCondition } from "../search/byteConditions.ts";
import type { Argument } from "./argument.ts";
import type { InputText } from "./describeText.ts";

/**
 * The result of `tracefold explain` (`schema/explain.schema.json`): a chain of whys. Text, SARIF and witnesses are made from this
 * and from the source text, and from nothing else.
 */
export type Explanation = Explained | DoesNotFail | NotExplained | Interrupted;

export type ExplanationHead = {
  readonly schema: 2;
  readonly tool: { readonly name: "tracefold"; readonly version: string };
  readonly command: "explain";
  readonly status: "ok" | "unknown";
  readonly program: {
    readonly files: readonly { readonly path: string; readonly sha256: string }[];
    readonly entry: string;
  };
  readonly dataModel: "ILP32" | "LP64";
  /** How the run ends. */
  readonly outcome: RunOutcome;
  readonly inputs: readonly RecordedInput[];
  readonly trace: { readonly steps: number };
  readonly notes: readonly { readonly message: string; readonly location: SourceRange }[];
  readonly stats: { readonly ms: number; readonly solver: { readonly queries: number; readonly ms: number } };
  readonly unknowns: readonly Unknown[];
};

/** The run does not fail, and nobody asked about a condition. */
export type DoesNotFail = ExplanationHead & { readonly kind: "doesNotFail" };

/** Nothing is known about why; `unknowns` says what stood in the way. */
export type NotExplained = ExplanationHead & { readonly kind: "notExplained"; readonly failure: Failure | null };

/** Stopped before anything could be said about why. */
export type Interrupted = ExplanationHead & { readonly kind: "interrupted"; readonly failure: Failure | null };

export type Explained = ExplanationHead & {
  readonly kind: "explained";
  readonly failure: Failure;
  readonly sections: readonly Section[];
  /** Where a change would have helped, the likeliest first. */
  readonly suspects: readonly Suspect[];
  /** Those that the screen names without a row, as indices. */
  readonly also: readonly number[];
  /** Rows that were found and are not on the screen, unless `--all` asks for them. */
  readonly cut: { readonly rows: number; readonly suspects: number };
  /** What logic proved, in its complete form; null where no formula stands for what the run does. */
  readonly argument: Argument | null;
  readonly loops: readonly LoopResult[];
  readonly inputCondition: InputCondition | null;
  readonly reproducer: Reproducer | null;
  readonly proof: ProofResult;
  /** What was left out because the time was up, in words; empty for a complete explanation. */
  readonly missing: readonly string[];
  /** Where the run was searched for: other ways in which runs failed, one each. */
  readonly otherFailures?: readonly RunOutcome[];
};

/** What there is to explain. */
export type Failure = {
  /** How the run ends, or `condition` where someone asked why a condition holds. */
  readonly kind: RunOutcome["kind"] | "condition";
  readonly message: string;
  readonly location: SourceRange;
  readonly function: string;
  /** The calls under way, the innermost first, the failing place not among them. */
  readonly stack: readonly CallSite[];
  /** The test that decided; null where there is none. */
  readonly condition: FailedCondition | null;
  /** For a block that was used after its end, and the like: where that happened. */
  readonly places: readonly CallPath[];
  /** The last line that the program printed before; null where it printed nothing. */
  readonly printed: string | null;
};

export type FailedCondition = {
  /** As written. */
  readonly text: string;
  readonly location: SourceRange;
  /** What it compares, or its only part, with the values of the run. */
  readonly operands: readonly {
    readonly text: string;
    readonly value: string;
    readonly location: SourceRange | null;
  }[];
};

export type CallSite = { readonly function: string; readonly location: SourceRange };

/** `freed message_release:34 <- send_message:40 <- main:65`. */
export type CallPath = { readonly what: string; readonly calls: readonly CallSite[] };

/** Everything that answers one question, in the order of the run. */
export type Section = {
  /** `why byte is 0x48`. */
  readonly question: string;
  readonly rows: readonly Row[];
};

/** Something that happened in the run, or did not. */
export type Row = {
  /** Unique in the explanation: what `because` refers to. */
  readonly id: number;
  readonly kind: "statement" | "condition" | "call" | "loop" | "omission" | "input" | "library" | "return";
  /** Its (last) number on the recorded run, from 1. */
  readonly step: number;
  /** Call depth, 0 in the entry function. */
  readonly depth: number;
  readonly function: string;
  readonly location: SourceRange;
  /** As written, on one line. */
  readonly text: string;
  readonly values: readonly ShownValue[];
  /** The tests that decided, with their values: `8 > 8 is false`, `found is 1`. */
  readonly tests: readonly { readonly text: string; readonly holds: boolean }[];
  /** Which execution of how many it is, where there are several. */
  readonly visit: { readonly number: number; readonly of: number };
  /** Executions before this one that the row stands for, too; null for one alone. */
  readonly rounds: Rounds | null;
  readonly because: readonly Because[];
  /** `proved`: what it did is part of the checked proof; `observed`: it is so on this run. */
  readonly evidence: "proved" | "observed";
  /** What carries the failure from here on, proved both ways. */
  readonly facts: readonly Formula[];
  /** Index in `suspects`; null for a row that is none. */
  readonly suspect: number | null;
};

export type ShownValue = {
  readonly role: "read" | "written" | "argument" | "returned";
  readonly text: string;
  readonly value: string;
  /** What the place held before. */
  readonly was?: string;
};

/** Executions of one line, in one line. */
export type Rounds = {
  readonly count: number;
  /** What the line wrote, from the first of them to the last; of very many the first and the last few. */
  readonly changes: readonly { readonly text: string; readonly values: readonly string[] }[];
};

export type Because = {
  /** The row that it leads to; null for the failure itself. */
  readonly for: number | null;
  readonly edge: "data" | "address" | "control" | "omission";
};

export type Suspect = {
  readonly location: SourceRange;
  readonly function: string;
  /** What was changed. */
  readonly text: string;
  /** The statement around it. */
  readonly statement: string;
  /** How likely it is the cause, as far as experiments can tell; those of all suspects are 1 together. */
  readonly weight: number;
  /** The row that shows it; null where it is not on the screen. */
  readonly row: number | null;
  readonly whatIfs: readonly WhatIf[];
  /** The statement that this condition passed by, and that would have mattered. */
  readonly skips?: string;
};

/** A change that was tried, and what it did. */
export type WhatIf = {
  readonly kind: "flip" | "value" | "edit";
  /** ``with `i >= n` instead of `i > n` ``, ``with 7 instead of 8 for `count` ``. */
  readonly text: string;
  /** The same where there is little room: ``with `i >= n` ``. */
  readonly short: string;
  readonly level: "passes" | "getsPast";
  readonly passingRuns: { readonly asked: number; readonly broken: number };
};

/** That a loop ends, an operation is not undefined, or a branch goes the same way. */
export type OpenClaim = {
  readonly kind: "ends" | "undefined" | "way";
  readonly text: string;
  readonly location: SourceRange;
};

/** Solvers that took no part in finding the claim have accepted every condition of its proof, or else it is not proved. */
export type ClaimProof =
  | ({ readonly status: "checked" } & CheckedProof)
  | { readonly status: "not checked"; readonly reason: string };

/** What is said of other runs, exactly as far as it is proved. */
export type InputCondition = {
  /** So many bytes of standard input, from the first on, are inputs, too (`byte 1`); it has the same length on all of these runs. */
  readonly bytes?: number;
  /** Conjuncts over the inputs; `[]`: nothing is asked of the inputs. */
  readonly formulas: readonly string[];
  /**
   * `total`: every run with such inputs ends, does nothing undefined before, and fails at this place in this way.
   * `ifTerminates`: so does every such run in which the loops in `open` end, and what is in `open` is not undefined.
   * `samePath`: moreover the branches in `open` have to go the same way. `none`: nothing is claimed.
   */
  readonly claims: "total" | "ifTerminates" | "samePath" | "none";
  /** What the claim leaves open. */
  readonly open: readonly OpenClaim[];
  /** The claim has a proof that was checked. */
  readonly proved: boolean;
  readonly proof: ClaimProof;
  /** One sentence: `fails the same way whenever n >= 1; input 2 does not matter`. */
  readonly text: string;
  /** Indices (from 0) of the inputs read that do not matter at all. */
  readonly irrelevant: readonly number[];
};

export type Reproducer = InputText & {
  readonly inputs: readonly JsonNumber[];
  /** The command line that replays it. */
  readonly command: string;
  readonly steps: number;
  /** It was run once more, and failed in the same way at the same place. */
  readonly confirmed: boolean;
  /** Of a short text: with which values of each byte on its own it fails in the same way. All of them were run. */
  readonly bytes?: readonly ByteCondition[];
};
