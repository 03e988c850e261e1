import { certificateOf } from "../../../cutpoints/certificate.ts";
import type { ModelRegion, ProgramModel } from "../../../cutpoints/programModel.ts";
import type { Term, Variable } from "../../../logic/term.ts";
import { freeVariablesOf, postOrder, substitute } from "../../../logic/traverse.ts";
import { type Finding, type Task, unknownFinding, type VerifyEngine } from "../engine.ts";
import { excludesErrors, houdini, joined } from "../houdini.ts";
import { neededConjuncts } from "../neededConjuncts.ts";
import { cellCandidatesAt, cellFacts } from "./cellCandidates.ts";
import { landmarksOf } from "./landmarks.ts";

/**
 * What holds of all cells of a part of an array, `forall k. 0 <= k < i => a[k] = 0`. The index k is a ghost: a constant that
 * nothing is known of, so that Houdini finds what holds for every one without a quantifier. What is known before a region is
 * used for the ghost and for the indices that the region itself uses.
 */
export const cellsEngine: VerifyEngine = { name: "cells", decide };

function decide(task: Task): Finding {
  const { model, knowledge } = task;
  const { terms } = model;
  const heads = [...model.heads.values()];
  if (!heads.some(({ live }) => live.some(({ sort }) => sort === "Array"))) return unknownFinding("no array");
  const ghost = terms.fresh("k", "Int");
  const facts = cellFacts(model, ghost);
  const landmarks = landmarksOf(model);
  if (facts.length + landmarks.length === 0) return unknownFinding("nothing is said about cells");
  const candidates = new Map(heads.map((head) => [head.key, cellCandidatesAt(model, head, facts, ghost, landmarks)]));
  const instances = instancesFor(model, ghost);
  const found = houdini(task, candidates, instances);
  const invariants = joined(model, knowledge.invariants, found);
  if (!excludesErrors(task, invariants, instances)) {
    return unknownFinding("what was found about cells is too weak");
  }
  const needed = neededConjuncts(task, invariants, instances);
  const closed = new Map(
    [...needed].map(([key, list]) => [
      key,
      list.map((formula) => (mentions(formula, ghost) ? terms.forall([ghost], formula) : formula)),
    ]),
  );
  return { kind: "safe", certificate: certificateOf(model, closed) };
}

/** So many indices of a region are tried for the ghost. */
const mostIndices = 8;
/** Larger ones are computed from cells themselves. */
const mostParts = 12;

/** A formula for the ghost, and for the indices that a region uses. */
function instancesFor(
  { terms }: ProgramModel,
  ghost: Variable,
): (region: ModelRegion, formula: Term) => readonly Term[] {
  const known = new Map<ModelRegion, readonly Term[]>();
  const indicesOf = (region: ModelRegion): readonly Term[] => {
    let indices = known.get(region);
    if (indices === undefined) {
      const all = [
        ...region.definitions,
        ...region.errors.map(({ guard }) => guard),
        ...region.exits.flatMap(({ guard, next }) => [guard, ...next.values()]),
      ];
      const used = postOrder(all).flatMap((part) =>
        part.kind === "select" || part.kind === "store" ? [part.index] : [],
      );
      indices = [...new Set(used)].filter((index) => postOrder([index]).length <= mostParts).slice(0, mostIndices);
      known.set(region, indices);
    }
    return indices;
  };
  return (region, formula) =>
    mentions(formula, ghost)
      ? [formula, ...indicesOf(region).map((index) => substitute(terms, formula, new Map([[ghost, index]])))]
      : [formula];
}

function mentions(formula: Term, variable: Variable): boolean {
  return freeVariablesOf([formula]).includes(variable);
}
