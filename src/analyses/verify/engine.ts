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

export type Knowledge = {
  /** Visits of heads on concrete runs. */
  readonly visits: Map<string, Visit[]>;
  /** The runs of these visits. */
  readonly runs: SampledRun[];
  /** Conjuncts that are proved to hold at every arrival at a head, together with those at the other heads. */
  readonly invariants: Map<string, readonly Term[]>;
  /** Possible invariants that other engines found. */
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

export type Finding =
  | { readonly kind: "safe"; readonly certificate: Certificate }
  | { readonly kind: "unsafe"; readonly inputs: readonly InputValue[]; readonly memory?: UnwrittenMemory }
  | { readonly kind: "unknown"; readonly reason: string };

export type Task = {
  readonly model: ProgramModel;
  readonly solver: Solver;
  readonly knowledge: Knowledge;
  readonly cancellation: Cancellation;
  /** True if the program fails with these inputs. */
  confirm(inputs: readonly InputValue[], memory?: UnwrittenMemory): boolean;
};

export type VerifyEngine = {
  readonly name: EngineName;
  decide(task: Task): Finding;
  /** Starts the engine in the background, if other processes do most of its work. */
  begin?(task: Task): Background | Finding;
};

export type Background = {
  hasAnswer(): boolean;
  /** True if it has an answer, or will have none. */
  isOver(): boolean;
  /** Waits for it. */
  finding(): Finding;
  stop(): void;
};

export const unknownFinding = (reason: string): Finding => ({ kind: "unknown", reason });

export type Candidates = {
  readonly at: Annotation;
  /** For candidates about an arbitrary index: their use for other indices, and their meaning for all. */
  readonly ghost?: { readonly instances: Instances<RegionTransition>; forAll(formula: Term): Term };
};

/** A region as one step of a cut-point system. */
export type RegionTransition = BlockTransition & { readonly region: ModelRegion };
