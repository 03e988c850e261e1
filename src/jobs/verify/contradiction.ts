import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knowledge } from "../../analyses/verify/engine.ts";
import { Defect } from "../../base/errors.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";

/**
 * A certificate says what holds at every visit of a head, or after how many of them every run ends. Concrete runs say whether
 * it is so: where one of them contradicts a certificate that was checked, something is wrong with us, and both are kept.
 */
export function assertAgreesWithRuns(model: ProgramModel, certificate: Certificate, knowledge: Knowledge): void {
  const longest = knowledge.runs.find(({ visits }) => visits.length + 1 > certificate.depth);
  if (certificate.kind === "bounded" && longest !== undefined) {
    const { length } = longest.visits;
    const claim = `every run ends within ${certificate.depth} regions, but one comes to ${length} loop heads`;
    throw contradiction(certificate, claim, longest.inputs);
  }
  for (const head of model.heads.values()) {
    const seen = knowledge.visits.get(head.key) ?? [];
    for (const text of certificate.invariants.get(head.key) ?? []) {
      const formula = parseSmtLib(model.terms, text, (name) => certificate.sorts.get(name) ?? null);
      for (const visit of seen) {
        const { step, values } = visit;
        const byPlace = new Map(head.live.map((place, i) => [place, values[i] ?? undefined] as const));
        if (evaluate(formula, (variable) => byPlace.get(variable)) !== false) continue;
        const state = head.live.map((place, i) => `${place.name} = ${values[i]}`).join(", ");
        const claim = `${text} at ${head.key}, but a run has there at step ${step}: ${state}`;
        const run = knowledge.runs.find(({ visits }) => visits.includes(visit));
        throw contradiction(certificate, claim, run?.inputs ?? []);
      }
    }
  }
}

function contradiction(certificate: Certificate, claim: string, inputs: readonly InputValue[]): Defect {
  const folder = mkdtempSync(join(tmpdir(), "tracefold-contradiction-"));
  const { kind, depth, invariants, sorts } = certificate;
  const proof = { kind, depth, invariants: Object.fromEntries(invariants), sorts: Object.fromEntries(sorts) };
  const run = { inputs: inputs.map(String), contradicts: claim };
  writeFileSync(join(folder, "certificate.json"), `${JSON.stringify(proof, null, 2)}\n`);
  writeFileSync(join(folder, "run.json"), `${JSON.stringify(run, null, 2)}\n`);
  return new Defect(`a certificate that was checked says ${claim} (both are in ${folder})`);
}
