import type { SourceRange } from "../../base/sourceRange.ts";
import type { CheckedProof } from "../../proof/checkObligations.ts";
import type { ByteCondition } from "../../search/byteConditions.ts";
import type { Formula, JsonNumber, ReportHead, UnknownPart } from "../common/result.ts";
import type { OutputDifference, RunOutcome, TestReport, TimedInput } from "../run/result.ts";

/**
 * The result of `tracefold explain` and `tracefold compress`. All formats are functions of this and the source text.
 */
export type Explanation = Explained | DoesNotFail | NotExplained | Interrupted;

export type ExplanationHead = Omit<ReportHead, "status"> & {
  readonly command: "explain" | "compress";
  readonly status: "ok" | "unknown";
  readonly dataModel: "ILP32" | "LP64";
  /** The outcome of the run. */
  readonly outcome: RunOutcome;
  readonly inputs: readonly TimedInput[];
  readonly trace: { readonly steps: number };
  /** With `--tests`: how all tests end. */
  readonly tests?: SuiteResult;
};

/** `explained` is the name of the test that the explanation is about. */
export type SuiteResult = { readonly explained: string; readonly list: readonly TestReport[] };

/** The run does not fail, and no condition was asked about. */
export type DoesNotFail = ExplanationHead & { readonly kind: "doesNotFail" };

/** The cause is unknown; `unknowns` lists the reasons. */
export type NotExplained = ExplanationHead & { readonly kind: "notExplained"; readonly failure: Failure | null };

/** The work was stopped before any cause was found. */
export type Interrupted = ExplanationHead & { readonly kind: "interrupted"; readonly failure: Failure | null };

export type Explained = ExplanationHead & {
  readonly kind: "explained";
  readonly failure: Failure;
  /** The questions that the nodes answer, in order: `why byte is 0x48`. */
  readonly questions: readonly string[];
  /** The events of the run and their dependences. */
  readonly graph: WhyGraph;
  readonly suspects: readonly Suspect[];
  /** The run with folded loops; null if no formula describes the run. */
  readonly folding: Folding | null;
  readonly loops: readonly LoopResult[];
  /** The statements that imply the failure, with proved facts between them; null without such a proof. */
  readonly argument: Argument | null;
  readonly inputCondition: InputCondition | null;
  readonly reproducer: Reproducer | null;
  readonly proof: ProofResult;
  /** The reasons why the explanation is incomplete; empty if it is complete. */
  readonly missing: readonly Missing[];
  /** After a search: other failures that were seen, one of each kind. */
  readonly otherFailures?: readonly RunOutcome[];
};

/**
 * `time`: the budget ran out; `logic`: no formula describes it; `recording`: only the log is known; `proof`: nothing was
 * proved yet, or no proof was requested.
 */
export type Missing = { readonly kind: "time" | "logic" | "recording" | "proof"; readonly reason: string };

export type Failure = {
  /** How the run ends, or `condition` if the user asked why a condition holds. */
  readonly kind: RunOutcome["kind"] | "condition";
  readonly message: string;
  /** For undefined behaviour: the problem, in one sentence. */
  readonly problem?: string;
  /** For wrong output: the first difference. */
  readonly difference?: OutputDifference;
  readonly location: SourceRange;
  readonly function: string;
  /** True if a test of the program detected the failure: its own functions are mostly right. */
  readonly isTested: boolean;
  /** The active calls, innermost first, without the failing place. */
  readonly stack: readonly CallSite[];
  /** The test that failed; null if there is none. */
  readonly condition: FailedCondition | null;
  readonly places: readonly CallPath[];
  /** Where the variable is declared that is too small for the access. */
  readonly declaration?: SourceRange;
  /** The last line that the program printed before the failure; null if it printed nothing. */
  readonly printed: string | null;
};

export type FailedCondition = {
  readonly text: string;
  readonly location: SourceRange;
  /** The operands of the comparison, or the whole condition, with their values on the run. */
  readonly operands: readonly {
    readonly text: string;
    readonly value: string;
    readonly location: SourceRange | null;
  }[];
};

export type CallSite = { readonly function: string; readonly location: SourceRange };

/** `freed message_release:34 <- send_message:40 <- main:65`. */
export type CallPath = { readonly what: string; readonly calls: readonly CallSite[] };

export type WhyGraph = {
  /** `run`: dependences of a run of the model; `recording`: of a run in its own runtime, which is shown farther. */
  readonly source: "run" | "recording";
  /**
   * The first causes of a failure that is not a value: the step that freed the block, the branch that chose the text.
   */
  readonly starts: readonly number[];
  /** A branch that passed by a write of the value that failed. */
  readonly passed?: number;
  /** Lines that are part of the failure's own description: the `line` of their other executions. */
  readonly failingLines: readonly number[];
  /** In the order of the run; the `id` of a node is its index. */
  readonly nodes: readonly WhyNode[];
  readonly edges: readonly WhyEdge[];
  /** The number of relevant executions outside of the graph: those farthest from the failure. */
  readonly left: number;
};

export type WhyNode = {
  readonly id: number;
  readonly kind: "statement" | "condition" | "call" | "loop" | "omission" | "input" | "library" | "return";
  /** Its steps on the recorded run, from 1. */
  readonly steps: readonly number[];
  /** Call depth, 0 in the entry function. */
  readonly depth: number;
  readonly function: string;
  readonly location: SourceRange;
  /** Equal for all executions of one line. */
  readonly line: number;
  readonly text: string;
  readonly values: readonly ShownValue[];
  readonly tests: readonly { readonly text: string; readonly holds: boolean }[];
  /** What neither its text nor its values show: `falls through from line 6`, `from and to are the same`. */
  readonly remarks?: readonly string[];
  /** The number of this execution and of all executions of the line. */
  readonly visit: { readonly number: number; readonly of: number };
  /** True if it does more than test a condition. */
  readonly acts: boolean;
  /** The index in `questions` of the question that it helps to answer. */
  readonly question: number;
  /** The ranks of its steps by distance to the failure, nearest first; empty if it is far away. */
  readonly near: readonly number[];
  /** The operands of the failed condition that its values reach by data flow alone, with the rank of that flow. */
  readonly flowsInto: readonly { readonly operand: number; readonly near: number }[];
  /** True for `return x;`, which passes on a value that other nodes show. */
  readonly handsOn: boolean;
  /**
   * The next node on the shortest way to the failure, null for the failure itself; absent if the node does not lead
   * there.
   */
  readonly next?: { readonly node: number | null; readonly edge: WhyEdge["kind"] };
  /** The node of the active call. */
  readonly calledBy: number | null;
  /** `proved`: it is part of the checked proof; `observed`: it happened on this run. */
  readonly evidence: "proved" | "observed";
};

/** The effect `to` depends on the cause `from`; null is the failure. */
export type WhyEdge = {
  readonly from: number;
  readonly to: number | null;
  readonly kind: "data" | "control" | "identity" | "omission" | "call";
};

export type ShownValue = {
  readonly role: "read" | "written" | "argument" | "returned";
  readonly text: string;
  readonly value: string;
  /** The previous value of the place. */
  readonly was?: string;
};

export type Suspect = {
  readonly location: SourceRange;
  readonly function: string;
  /** The changed source text. */
  readonly text: string;
  /** The statement that contains it. */
  readonly statement: string;
  /** The probability that it is the cause, estimated by experiments; the sum over all suspects is 1. */
  readonly weight: number;
  /**
   * `sure`: no other line has a change that passes all tests, or none is nearly as likely. `possible`: a change here
   * passes all tests. `none`: no change here does.
   */
  readonly certainty: "sure" | "possible" | "none";
  /** The most informative execution; null if it is not in the graph. */
  readonly node: number | null;
  /** The operand of the failed condition that its way leads to. */
  readonly operand: number | null;
  /**
   * For the first suspects: the nodes on the way to the failure, without those that only pass on a value; null for the
   * others.
   */
  readonly way: readonly number[] | null;
  /** The best experiment of each kind that makes the run pass or get past its failure; the first one is shown. */
  readonly whatIfs: readonly WhatIf[];
  /** All small changes of the source text here with which the run passes or gets past its failure, best first. */
  readonly changes: readonly TextChange[];
  /** The statement that this condition skipped and that would have mattered. */
  readonly skips?: string;
};

export type WhatIf = {
  readonly kind: "flip" | "value" | "change";
  /** ``with `i >= n` instead of `i > n` ``, ``with 7 instead of 8 for `count` ``. */
  readonly text: string;
  /** A shorter form: ``with `i >= n` ``. */
  readonly short: string;
  readonly level: "passes" | "getsPast";
  /** The other tests: how many ran and passed before, how many of them fail now, how many failed before and still fail. */
  readonly passingRuns: { readonly asked: number; readonly broken: number; readonly stillFailing: number };
};

/** A small change of the source text that was run. */
export type TextChange = {
  /** `boundary`, `otherVariable`, `insertedReset`, …: docs/changes.md. */
  readonly kind: string;
  readonly text: string;
  /** The text between the ends of a location is replaced. */
  readonly edits: readonly { readonly location: SourceRange; readonly text: string }[];
  readonly level: "same" | "getsPast" | "passes";
  /** True if the run passes only because it does not reach the failed check. */
  readonly avoids: boolean;
  /** The number of other tests that were run with it, and the names of those that fail then; it stops at the first. */
  readonly tests: {
    readonly asked: number;
    readonly broken: readonly string[];
    /** Tests that failed before, in another way, and still fail; known if it is confirmed. */
    readonly stillFailing: readonly string[];
  };
  /** True if the changed text was loaded as a program of its own and run with all tests. */
  readonly confirmed: boolean;
};

export type Folding = {
  /** The conclusion of the folded run; `asked`: the user asked why it holds, otherwise it is the failure. */
  readonly target: {
    readonly formula: string;
    readonly location: SourceRange;
    readonly asked: boolean;
    /** For a condition that was asked about on a line with several visits: the last visit at which it holds. */
    readonly visit?: { readonly number: number; readonly of: number };
  };
  /** The number of steps; a folded loop counts as one. */
  readonly length: number;
  /** Iterations that were unrolled before folding. */
  readonly unrolls: number;
  readonly innerUnrolls: number;
  /** If there are more than 20,000: the first and the last ones, unless all are requested. */
  readonly steps: readonly FoldedStep[];
};

export type FoldedStep =
  | {
      readonly kind: "step";
      /** Its number on the recorded run. */
      readonly step: number;
      readonly depth: number;
      readonly function: string;
      readonly text: string;
      readonly value?: string;
      readonly location: SourceRange;
    }
  | {
      readonly kind: "loop";
      readonly step: number;
      readonly depth: number;
      readonly function: string;
      /** Index in `loops`. */
      readonly loop: number;
      /** The iterations of the recorded run that this step replaces, and their steps. */
      readonly iterations: number;
      readonly steps: number;
      readonly invariant: readonly Formula[];
      /** As in its loop. */
      readonly left?: readonly Formula[];
      readonly location: SourceRange;
    };

/** One execution of a loop on the run. */
export type LoopResult = {
  readonly location: SourceRange;
  readonly function: string;
  /** The number of arrivals at the loop head, minus one. */
  readonly iterations: number;
  /** The number of iterations before the fold; null if the loop was not folded. */
  readonly foldedFrom: number | null;
  /** The conjuncts that hold at the loop head. */
  readonly invariant: readonly Formula[];
  /** The number of rounds after the fold, if the invariant mentions it as `#rounds`. */
  readonly rounds?: number;
  /** The condition after the loop, if the exit is part of the fold, for all exits. */
  readonly left?: readonly Formula[];
  /** The invariants of nested loops. */
  readonly inner: readonly { readonly location: SourceRange; readonly invariant: readonly Formula[] }[];
  readonly proof: { readonly triples: number; readonly checked: boolean };
  /** The reason why it was not folded, the attempts, and the best invariant that was not safe. */
  readonly failure: LoopFailure | null;
};

export type LoopFailure = {
  readonly reason: string;
  readonly tried: readonly { readonly from: number; readonly candidates: number }[];
  readonly best: { readonly from: number; readonly invariant: readonly Formula[] } | null;
  /** A fact that would have been enough, and a statement that may invalidate it. */
  readonly lost: { readonly fact: Formula; readonly text: string; readonly location: SourceRange } | null;
};

/** The statements that imply the failure, with proved facts between them. */
export type Argument = {
  readonly steps: readonly ArgumentStep[];
  readonly size: ArgumentSize;
  /** The number of irrelevant steps of the folded run. */
  readonly dropped: number;
  readonly unknowns: readonly UnknownPart[];
};

export type ArgumentSize = {
  /** The number of statements that change the known facts. */
  readonly statements: number;
  /** The number of statements between which the same fact holds. */
  readonly between: number;
  /** The number of facts between the statements. */
  readonly facts: number;
  /** The number of variables in facts and kept statements. */
  readonly variables: number;
};

export type ArgumentStep =
  | {
      readonly kind: "statement";
      /** Unique in the argument; `because` refers to it. */
      readonly id: number;
      /**
       * `between`: it matters, but the fact before it holds again after it. `way`: a condition that led to the next
       * statement; not part of the proof. Absent: a statement that changes the known facts.
       */
      readonly role?: "between" | "way";
      readonly step: number;
      /** Call depth, 0 in the entry function. */
      readonly depth: number;
      readonly function: string;
      readonly text: string;
      readonly location: SourceRange;
      /** The numbers that it wrote on this run. */
      readonly writes: readonly VariableValue[];
      /** The facts and statements that need it, with the reason in words. */
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "loop";
      readonly id: number;
      readonly step: number;
      readonly depth: number;
      readonly function: string;
      /** `while (i != n)`. */
      readonly text: string;
      readonly invariant: readonly Formula[];
      readonly iterations: number;
      readonly location: SourceRange;
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "fact";
      readonly id: number;
      /** The function whose variables it mentions. */
      readonly function: string;
      readonly formulas: readonly Formula[];
      readonly values: readonly VariableValue[];
      /** The location of the statement before the fact. */
      readonly location: SourceRange | null;
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "target";
      readonly id: number;
      readonly depth: number;
      readonly function: string;
      readonly text: string;
      readonly formula: Formula;
      readonly location: SourceRange;
      readonly because: readonly StepReason[];
    };

export type StepReason = { readonly for: number; readonly text: string };

export type VariableValue = { readonly name: string; readonly value: JsonNumber };

export type ProofResult = {
  readonly triples: number;
  /** True if all conditions were rebuilt from the program and proved by a solver that did not find them. */
  readonly checked: boolean;
  /** The checking solver: `cvc5`, `z3`, `z3 (embedded)`; null if nothing was checked. */
  readonly checker: string | null;
  /** The conditions that the checker did not accept. */
  readonly failures: readonly ProofFailure[];
};

export type ProofFailure = {
  readonly name: string;
  /** `unknown`: the checker could not decide. */
  readonly answer: "refuted" | "vacuous" | "unknown";
  readonly by: string;
};

/** An unproved assumption: a loop ends, an operation is defined, or a branch goes the same way. */
export type OpenClaim = {
  readonly kind: "ends" | "undefined" | "way";
  readonly text: string;
  readonly location: SourceRange;
};

/** A claim is proved only if solvers that did not find it accepted every condition of its proof. */
export type ClaimProof =
  | ({ readonly status: "checked" } & CheckedProof)
  | { readonly status: "not checked"; readonly reason: string };

/** The claim about other runs, exactly as far as it is proved. */
export type InputCondition = {
  /**
   * The number of leading bytes of standard input that count as inputs (`byte 1`); all these runs have standard input
   * of the same length.
   */
  readonly bytes?: number;
  /** Conjuncts over the inputs; `[]`: any inputs. */
  readonly formulas: readonly string[];
  /**
   * `total`: every run with such inputs ends, has no undefined behaviour before, and fails here in this way.
   * `ifTerminates`: the same, provided that the loops in `open` end and the operations in `open` are defined.
   * `samePath`: also, the branches in `open` must go the same way. `none`: nothing is claimed.
   */
  readonly claims: "total" | "ifTerminates" | "samePath" | "none";
  readonly open: readonly OpenClaim[];
  readonly proved: boolean;
  readonly proof: ClaimProof;
  /** One sentence: `fails the same way whenever n >= 1; input 2 does not matter`. */
  readonly text: string;
  /** Indices (from 0) of the inputs that do not matter. */
  readonly irrelevant: readonly number[];
};

/** The standard input and arguments of a run, if any. */
export type InputText = {
  readonly stdin?: string;
  /** The exact bytes, if they are not UTF-8. */
  readonly stdinBase64?: string;
  readonly arguments?: readonly string[];
};

export type Reproducer = InputText & {
  readonly inputs: readonly JsonNumber[];
  readonly command: string;
  readonly steps: number;
  /** True if a second run failed in the same way at the same place. */
  readonly confirmed: boolean;
  /** For a short text: the values of each single byte with which the same failure happens. All of them were run. */
  readonly bytes?: readonly ByteCondition[];
};
