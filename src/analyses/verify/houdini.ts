import { inState } from "../../cutpoints/instance.ts";
import { keepImplied } from "../../cutpoints/keepImplied.ts";
import type { ModelRegion, ProgramModel } from "../../cutpoints/programModel.ts";
import { isFalse, type Term } from "../../logic/term.ts";
import { createProver } from "../../symbolic/createProver.ts";
import type { Task } from "./engine.ts";

/**
 * Houdini (Flanagan, Leino 2001; BIID of the loop compression paper on all heads at once): of the candidates at all heads the
 * largest set that every region carries on. What has no answer is given up, so what is left is proved.
 */
export function houdini(
  task: Task,
  candidates: ReadonlyMap<string, readonly Term[]>,
  instances: Instances = itself,
): Map<string, readonly Term[]> {
  const { model, solver, knowledge, cancellation } = task;
  const { terms, symbols } = model;
  const kept = new Map([...candidates].map(([key, list]) => [key, new Set(list)]));
  const known = (key: string) => knowledge.invariants.get(key) ?? [];
  const prover = createProver(symbols, solver, cancellation);
  const into = new Map<string, ModelRegion[]>();
  for (const region of model.regions) {
    for (const { to } of region.exits) into.set(to, [...(into.get(to) ?? []), region]);
  }
  const work = new Set<ModelRegion>(model.regions);
  for (const region of work) {
    work.delete(region);
    if (cancellation.isCancelled()) return new Map([...kept.keys()].map((key) => [key, []]));
    const goals = region.exits.flatMap(({ to, guard, next }) =>
      [...(kept.get(to) ?? [])].map((formula) => ({
        to,
        formula,
        goal: terms.implies(guard, inState(model, formula, next)),
      })),
    );
    if (goals.length === 0) continue;
    const session = prover.open(region.definitions);
    const lost = new Set<string>();
    keepImplied(
      terms,
      session,
      () =>
        region.from === null
          ? []
          : [...known(region.from), ...(kept.get(region.from) ?? [])].flatMap((formula) => instances(region, formula)),
      goals.map(({ goal }) => goal),
      (i) => {
        const { to, formula } = goals[i]!;
        kept.get(to)!.delete(formula);
        lost.add(to);
      },
    );
    session.close();
    for (const next of model.regions) if (next.from !== null && lost.has(next.from)) work.add(next);
    if (region.from !== null && lost.has(region.from)) work.add(region);
  }
  return new Map([...kept].map(([key, list]) => [key, [...list]]));
}

/** What a formula that holds before a region says there: itself, or the same of several indices. */
export type Instances = (region: ModelRegion, formula: Term) => readonly Term[];
export const itself: Instances = (_, formula) => [formula];

/** The invariants that are known, and those found. */
export function joined(
  model: ProgramModel,
  ...all: readonly ReadonlyMap<string, readonly Term[]>[]
): Map<string, readonly Term[]> {
  return new Map(
    [...model.heads.keys()].map((key) => [key, [...new Set(all.flatMap((invariants) => invariants.get(key) ?? []))]]),
  );
}

/** Do the invariants exclude all errors? Not: which region has one. */
export function excludesErrors(
  task: Task,
  invariants: ReadonlyMap<string, readonly Term[]>,
  instances: Instances = itself,
): boolean {
  const { model, solver, cancellation } = task;
  const { terms, symbols } = model;
  const prover = createProver(symbols, solver, cancellation);
  return model.regions.every((region) => {
    const errors = terms.any(region.errors.map(({ guard }) => guard));
    if (isFalse(errors)) return true;
    const before = region.from === null ? [] : invariants.get(region.from)!;
    const known = before.flatMap((formula) => instances(region, formula));
    const session = prover.open([...region.definitions, ...known]);
    const answer = session.implies([], terms.not(errors));
    session.close();
    return answer.kind === "proved";
  });
}
