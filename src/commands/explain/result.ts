import type { SourceRange } from "../../base/sourceRange.ts";
import type { CheckedProof } from "../../proof/checkObligations.ts";
import type { ByteCondition } from "../../search/byteConditions.ts";
import type { Formula, JsonNumber, ReportHead, UnknownPart } from "../common/result.ts";
import type { RunOutcome, TimedInput } from "../run/result.ts";

/** The result of `tracefold explain` and `tracefold compress`. All formats are made from this and from the source text, and from nothing else. */
export type Explanation = Explained | DoesNotFail | NotExplained | Interrupted;

export type ExplanationHead = Omit<ReportHead, "status"> & {
  readonly command: "explain" | "compress";
  readonly status: "ok" | "unknown";
  readonly dataModel: "ILP32" | "LP64";
  /** How the run ends. */
  readonly outcome: RunOutcome;
  readonly inputs: readonly TimedInput[];
  readonly trace: { readonly steps: number };
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
  /** What the nodes of the graph answer, in order: `why byte is 0x48`. */
  readonly questions: readonly string[];
  /** The whys: what happened, and what led to what. */
  readonly graph: WhyGraph;
  /** Where a change would have helped, the likeliest first. */
  readonly suspects: readonly Suspect[];
  /** The run with its loops folded; null where no formula stands for what the run does. */
  readonly folding: Folding | null;
  readonly loops: readonly LoopResult[];
  /** The statements that the failure follows from, with proved facts between them; null where there is no such proof. */
  readonly argument: Argument | null;
  readonly inputCondition: InputCondition | null;
  readonly reproducer: Reproducer | null;
  readonly proof: ProofResult;
  /** What keeps the explanation from being complete; empty for a complete one. */
  readonly missing: readonly Missing[];
  /** Where the run was searched for: other ways in which runs failed, one each. */
  readonly otherFailures?: readonly RunOutcome[];
};

/** `time`: the budget was used up; `logic`: no formula stands for it; `recording`: the log alone tells it. */
export type Missing = { readonly kind: "time" | "logic" | "recording"; readonly reason: string };

/** What there is to explain. */
export type Failure = {
  /** How the run ends, or `condition` where someone asked why a condition holds. */
  readonly kind: RunOutcome["kind"] | "condition";
  readonly message: string;
  /** Of undefined behaviour: what is wrong, in one sentence. */
  readonly problem?: string;
  readonly location: SourceRange;
  readonly function: string;
  /** Whether a test of the program decided that the run failed: its functions are then mostly right. */
  readonly isTested: boolean;
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

export type WhyGraph = {
  /** `run`: dependences of the run; `log`: the order of a recorded log, all of which is shown. */
  readonly source: "run" | "log";
  /** Where the whys of a failure begin that is not a value: the step that freed the block, the branch that chose the text. */
  readonly starts: readonly number[];
  /** Lines that the failure itself tells: the `line` of their other executions. */
  readonly failingLines: readonly number[];
  /** In the order of the run; a node's `id` is its index. */
  readonly nodes: readonly WhyNode[];
  readonly edges: readonly WhyEdge[];
  /** Executions of lines that matter and are not in the graph: those farthest from the failure. */
  readonly left: number;
};

/** One execution of a line: of a statement, or of what steers one that has a body; without the calls that it makes. */
export type WhyNode = {
  readonly id: number;
  readonly kind: "statement" | "condition" | "call" | "loop" | "omission" | "input" | "library" | "return";
  /** Its numbers on the recorded run, from 1. */
  readonly steps: readonly number[];
  /** Call depth, 0 in the entry function. */
  readonly depth: number;
  readonly function: string;
  readonly location: SourceRange;
  /** The same number for all executions of one line. */
  readonly line: number;
  /** As written, on one line. */
  readonly text: string;
  readonly values: readonly ShownValue[];
  /** The tests that decided, with their values: `8 > 8 is false`, `found is 1`. */
  readonly tests: readonly { readonly text: string; readonly holds: boolean }[];
  /** Which execution of how many it is, where there are several. */
  readonly visit: { readonly number: number; readonly of: number };
  /** It does more than to test something. */
  readonly acts: boolean;
  /** Index in `questions`: what it helps to answer. */
  readonly question: number;
  /** Where its steps stand among all steps that matter, the nearest to the failure first; empty for one that is far away. */
  readonly near: readonly number[];
  /** The operands of the failed condition that its values went into, through nothing but values, and where that stands in the same order. */
  readonly flowsInto: readonly { readonly operand: number; readonly near: number }[];
  /** `return x;`: it hands on a value that other nodes tell. */
  readonly handsOn: boolean;
  /** The next node on its nearest way to the failure, null for the failure itself; absent for a node that does not lead there. */
  readonly next?: { readonly node: number | null; readonly edge: WhyEdge["kind"] };
  /** The node of the call that was under way. */
  readonly calledBy: number | null;
  /** `proved`: what it did is part of the checked proof; `observed`: it is so on this run. */
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
  /** What the place held before. */
  readonly was?: string;
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
  /** The execution that tells most about it; null for one that is not in the graph. */
  readonly node: number | null;
  /** The operand of the failed condition that the way from there leads to. */
  readonly operand: number | null;
  /** Of the first suspects: the nodes from there to the failure, those that only hand on a value left out; null for the others. */
  readonly way: readonly number[] | null;
  /** Changes that let the run pass, or get past its failure; the one to tell first. */
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

/** A run with its loops folded. */
export type Folding = {
  /** What the folded run implies; `asked`: someone asked why it holds, otherwise it is why the run fails. */
  readonly target: {
    readonly formula: string;
    readonly location: SourceRange;
    readonly asked: boolean;
    /** Of a condition that was asked for, where the run came to its line several times: the last of them at which it holds. */
    readonly visit?: { readonly number: number; readonly of: number };
  };
  /** Kept steps and folded loops, each counted as one. */
  readonly length: number;
  /** Iterations of outermost loops, and of loops inside them, that were unrolled before folding. */
  readonly unrolls: number;
  readonly innerUnrolls: number;
  /** Of more than 20,000 the first and the last ones, unless all are asked for. */
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
      /** Iterations that this one step stands for on the recorded run, and the steps they took. */
      readonly iterations: number;
      readonly steps: number;
      readonly invariant: readonly Formula[];
      /** As in its loop. */
      readonly left?: readonly Formula[];
      readonly location: SourceRange;
    };

/** One activation of a loop on the run. */
export type LoopResult = {
  readonly location: SourceRange;
  readonly function: string;
  /** Times that control came to the loop's head, less one. */
  readonly iterations: number;
  /** Iterations before the fold; null where the loop was not folded. */
  readonly foldedFrom: number | null;
  /** Conjuncts, at the loop's head. */
  readonly invariant: readonly Formula[];
  /** How often the loop goes round behind the fold, where the invariant speaks of it as `#rounds`; absent elsewhere. */
  readonly rounds?: number;
  /** What holds where the loop was left, where the way out is a part of the fold: whichever of its ways is taken. */
  readonly left?: readonly Formula[];
  /** True where the invariant was proved for every run of the program, not only for those that come to the loop in the way this one did. */
  readonly everyRun?: boolean;
  /** Invariants of the loops inside a folded one. */
  readonly inner: readonly { readonly location: SourceRange; readonly invariant: readonly Formula[] }[];
  readonly proof: { readonly triples: number; readonly checked: boolean };
  /** Why it was not folded, what was tried, and the best invariant that was not safe. */
  readonly failure: LoopFailure | null;
};

export type LoopFailure = {
  readonly reason: string;
  /** Iterations after which folding was tried, and with how many candidates. */
  readonly tried: readonly { readonly from: number; readonly candidates: number }[];
  /** Conjuncts that hold from an iteration on and are not enough; null where none was sought. */
  readonly best: { readonly from: number; readonly invariant: readonly Formula[] } | null;
  /** A fact that would have been enough, and a statement after which it need not hold any more. */
  readonly lost: { readonly fact: Formula; readonly text: string; readonly location: SourceRange } | null;
};

/** The statements that the failure follows from, with proved facts between them. */
export type Argument = {
  readonly steps: readonly ArgumentStep[];
  readonly size: ArgumentSize;
  /** Steps of the folded run that do not matter. */
  readonly dropped: number;
  /** What keeps it from being complete or proved. */
  readonly unknowns: readonly UnknownPart[];
};

export type ArgumentSize = {
  /** Statements that change what is known. */
  readonly statements: number;
  /** Those between which the same fact holds. */
  readonly between: number;
  /** Facts between the statements. */
  readonly facts: number;
  /** Variables that occur in a fact or kept statement. */
  readonly variables: number;
};

export type ArgumentStep =
  | {
      readonly kind: "statement";
      /** Unique in the argument: what `because` refers to. */
      readonly id: number;
      /**
       * `between`: it matters, but the fact around it holds again behind it. `way`: a condition because of which the next
       * statement was reached; no part of the proof. Absent: a statement that changes what is known.
       */
      readonly role?: "between" | "way";
      readonly step: number;
      /** Call depth, 0 in the entry function; where absent, it is told from the functions' order. */
      readonly depth?: number;
      readonly function: string;
      readonly text: string;
      readonly location: SourceRange;
      /** What it wrote on this run, where that is a number. */
      readonly writes: readonly VariableValue[];
      /** Ids of the facts and statements that it is needed for, and why, in words. */
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "loop";
      readonly id: number;
      readonly step: number;
      readonly depth?: number;
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
      /** The function whose variables it speaks about. */
      readonly function: string;
      /** Conjuncts. */
      readonly formulas: readonly Formula[];
      /** Of the variables that it fixes. */
      readonly values: readonly VariableValue[];
      /** Where it holds: the statement that it follows. */
      readonly location: SourceRange | null;
      readonly because: readonly StepReason[];
    }
  | {
      readonly kind: "target";
      readonly id: number;
      readonly depth?: number;
      readonly function: string;
      readonly text: string;
      readonly formula: Formula;
      readonly location: SourceRange;
      readonly because: readonly StepReason[];
    };

/** What a step is needed for: the id of a later one, and why, in words. */
export type StepReason = { readonly for: number; readonly text: string };

export type VariableValue = { readonly name: string; readonly value: JsonNumber };

export type ProofResult = {
  /** Conditions that solvers were asked. */
  readonly triples: number;
  /** All of them were rebuilt from the program and proved by a solver that took no part in finding them. */
  readonly checked: boolean;
  /** Which solver checked: `cvc5`, `z3`, `z3 (embedded)`; null when nothing was checked. */
  readonly checker: string | null;
  /** Conditions that the checker did not accept. */
  readonly failures: readonly ProofFailure[];
};

export type ProofFailure = {
  readonly name: string;
  /** `unknown`: the checker did not decide it. */
  readonly answer: "refuted" | "vacuous" | "unknown";
  /** The solver that gave the answer. */
  readonly by: string;
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

/** Standard input and arguments of a run, where it has any. */
export type InputText = {
  readonly stdin?: string;
  /** The same byte for byte, where it is not UTF-8. */
  readonly stdinBase64?: string;
  readonly arguments?: readonly string[];
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
