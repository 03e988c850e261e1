import type { Knowledge } from "../../analysis/verify/engine.ts";
import { Defect } from "../../base/errors.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";
import type { Certificate } from "../../regions/certificate.ts";
import type { ProgramModel } from "../../regions/programModel.ts";

/**
 * A certificate says what holds at every visit of a head. Visits of concrete runs say whether it does: where one of them
 * contradicts a certificate that was checked, something is wrong with us, and both are kept in the message.
 */
export function assertAgreesWithRuns(model: ProgramModel, certificate: Certificate, { visits }: Knowledge): void {
  for (const head of model.heads.values()) {
    const seen = visits.get(head.key) ?? [];
    for (const text of certificate.invariants.get(head.key) ?? []) {
      const formula = parseSmtLib(model.terms, text, (name) => certificate.sorts.get(name) ?? null);
      for (const { step, values } of seen) {
        const byPlace = new Map(head.live.map((place, i) => [place, values[i] ?? undefined] as const));
        if (evaluate(formula, (variable) => byPlace.get(variable)) !== false) continue;
        const state = head.live.map((place, i) => `${place.name} = ${values[i]}`).join(", ");
        throw new Defect(
          `a certificate that was checked says ${text} at ${head.key}, but a run has there at step ${step}: ${state}`,
        );
      }
    }
  }
}
