import { cancelledAfterTurn, type WorkClock } from "../../base/cancellation.ts";
import { present } from "../../base/checked.ts";
import type { GuardedObligation } from "../../cutpoints/block.ts";
import { type Certificate, certificateOf } from "../../cutpoints/certificate.ts";
import type { Annotation } from "../../cutpoints/houdini.ts";
import type { ModelRegion, ProgramModel } from "../../cutpoints/programModel.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import type { Term } from "../../logic/term.ts";
import { postOrder } from "../../logic/traverse.ts";
import { createProver } from "../../symbolic/createProver.ts";
import type { Task } from "./engine.ts";
import { headCandidates } from "./headCandidates.ts";
import { inductiveSubset, joined, neededInvariants } from "./invariantEngine.ts";
import { type SpacerOptions, spacer } from "./spacer.ts";

/**
 * A certificate with more invariants: they exclude undefined behaviour that the verdict otherwise takes not to happen. Null if none
 * of it can be excluded. `isOpen`: what is wanted.
 */
export function excludeUndefined(
  task: Task,
  certificate: Certificate,
  isOpen: (obligation: GuardedObligation) => boolean,
  clock: WorkClock,
  { milliseconds, ...spacerSettings }: SpacerOptions,
): Certificate | null {
  const { model } = task;
  const end = clock.now() + milliseconds;
  const stated = statedBy(model, certificate);
  let known = joined(model, task.knowledge.invariants, stated);
  const own = (): Task => ({
    ...task,
    knowledge: { ...task.knowledge, invariants: known },
    cancellation: cancelledAfterTurn(end - clock.now(), clock, task.cancellation),
  });
  let { proved, open } = sorted(own(), known, isOpen);
  for (const families of ["simple", "extended"] as const) {
    if (open.size === 0) break;
    const { at } = headCandidates(families)(own());
    known = joined(model, known, inductiveSubset(own(), at));
    ({ proved, open } = sorted(own(), known, isOpen));
  }
  const left = end - clock.now();
  if (open.size > 0 && left > leastMilliseconds) {
    const wanted = { ...own(), model: asErrors(model, open) };
    const finding = spacer({ ...spacerSettings, milliseconds: left }).decide(wanted);
    if (finding.kind === "safe") {
      known = joined(model, known, statedBy(model, finding.certificate));
      proved = new Set([...proved, ...open]);
    }
  }
  if (proved.size === 0) return null;
  const needed = neededInvariants({ ...own(), model: asErrors(model, proved) }, known);
  return merged(certificate, certificateOf(model, needed, certificate.depth));
}

const leastMilliseconds = 200;

/** Its invariants, without those about all cells of an array. */
function statedBy(model: ProgramModel, { invariants, sorts }: Certificate): Annotation {
  const parse = (text: string) => parseSmtLib(model.terms, text, (name) => sorts.get(name) ?? null);
  const isPlain = (formula: Term) => postOrder([formula]).every(({ kind }) => kind !== "forall");
  return new Map([...model.heads.keys()].map((key) => [key, (invariants.get(key) ?? []).map(parse).filter(isPlain)]));
}

/** Which of the wanted obligations follow from the invariants. */
function sorted(
  { model, solver, cancellation }: Task,
  known: Annotation,
  isOpen: (obligation: GuardedObligation) => boolean,
): { readonly proved: Set<GuardedObligation>; readonly open: Set<GuardedObligation> } {
  const prover = createProver(model.symbols, solver, cancellation);
  const [proved, open] = [new Set<GuardedObligation>(), new Set<GuardedObligation>()];
  for (const region of model.regions) {
    const before = region.from === null ? [] : present(known.get(region.from));
    const session = prover.open([...before, ...region.definitions], "quick");
    for (const obligation of region.assumed.filter(isOpen)) {
      const goal = model.terms.implies(obligation.guard, obligation.formula);
      (session.implies([], goal).kind === "proved" ? proved : open).add(obligation);
    }
    session.close();
  }
  return { proved, open };
}

/** The model in which these obligations are the errors. */
function asErrors(model: ProgramModel, wanted: ReadonlySet<GuardedObligation>): ProgramModel {
  const { terms } = model;
  const regions = model.regions.map((region): ModelRegion => {
    const errors = region.assumed
      .filter((obligation) => wanted.has(obligation))
      .map(({ guard, formula, problem, range }) => ({
        kind: problem,
        text: problem,
        range,
        guard: terms.and(guard, terms.not(formula)),
      }));
    return { ...region, errors };
  });
  return { ...model, regions };
}

function merged(one: Certificate, other: Certificate): Certificate {
  const keys = new Set([...one.invariants.keys(), ...other.invariants.keys()]);
  const at = (key: string) => [...(one.invariants.get(key) ?? []), ...(other.invariants.get(key) ?? [])];
  return {
    ...one,
    invariants: new Map([...keys].map((key) => [key, [...new Set(at(key))]])),
    sorts: new Map([...one.sorts, ...other.sorts]),
  };
}
