import type { Cancellation } from "../../base/cancellation.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import type { Annotation, BlockTransition, Instances } from "../../cutpoints/houdini.ts";
import type { ModelRegion, ProgramModel } from "../../cutpoints/programModel.ts";
import type { UnwrittenMemory } from "../../cutpoints/unroll.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Term } from "../../logic/term.ts";
import type { Solver } from "../../solver/solver.ts";
import type { Visit } from "./sampleHeads.ts";

export const engineNames = [
  "runs",
  "unrolling",
  "houdini",
  "k-induction",
  "spacer",
  "guarded",
  "cells",
  "minimax",
] as const;
export type EngineName = (typeof engineNames)[number];

/** Knowledge that engines share. */
export type Knowledge = {
  /** Visits of heads on concrete runs. */
  readonly visits: Map<string, Visit[]>;
  /** The runs that these are of. */
  readonly runs: SampledRun[];
  /** Conjuncts that were proved to hold whenever a run comes to a head, together with those at the other heads. */
  readonly invariants: Map<string, readonly Term[]>;
  /** Formulas that may be invariants: what somebody found on the way. */
  readonly lemmas: Map<string, Set<Term>>;
};

export type SampledRun = { readonly inputs: readonly InputValue[]; readonly visits: readonly Visit[] };

export function emptyKnowledge(model: ProgramModel): Knowledge {
  const heads = [...model.heads.values()];
  const { terms } = model;
  const fixed = heads.map(
    ({ key, fixed }) => [key, [...fixed].map(([place, value]) => terms.eq(place, value))] as const,
  );
  return {
    visits: new Map(heads.map(({ key }) => [key, []])),
    runs: [],
    invariants: new Map(fixed),
    lemmas: new Map(heads.map(({ key }) => [key, new Set<Term>()])),
  };
}

/** The answer of an engine. It counts only after it was checked or run. */
export type Finding =
  | { readonly kind: "safe"; readonly certificate: Certificate }
  | { readonly kind: "unsafe"; readonly inputs: readonly InputValue[]; readonly memory?: UnwrittenMemory }
  | { readonly kind: "unknown"; readonly reason: string };

export type Task = {
  readonly model: ProgramModel;
  readonly solver: Solver;
  readonly knowledge: Knowledge;
  readonly cancellation: Cancellation;
  /** Does the program fail with these inputs? */
  confirm(inputs: readonly InputValue[], memory?: UnwrittenMemory): boolean;
};

/** One way to decide a program. */
export type VerifyEngine = {
  readonly name: EngineName;
  decide(task: Task): Finding;
  /** The same beside other engines, where most of the work is done by other processes. */
  begin?(task: Task): Background | Finding;
};

/** An engine at work on another core. */
export type Background = {
  hasAnswer(): boolean;
  /** It has an answer, or will have none. */
  isOver(): boolean;
  /** Waits for it. */
  finding(): Finding;
  stop(): void;
};

export const unknownFinding = (reason: string): Finding => ({ kind: "unknown", reason });

/** Formulas that may be invariants, by head. */
export type Candidates = {
  readonly at: Annotation;
  /** If they are about an index that stands for any: how they are used for others, and what they say of all of them. */
  readonly ghost?: { readonly instances: Instances<RegionTransition>; forAll(formula: Term): Term };
};

/** A region as one step of a system of cut points. */
export type RegionTransition = BlockTransition & { readonly region: ModelRegion };
