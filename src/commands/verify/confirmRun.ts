import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Knowledge } from "../../analyses/verify/engine.ts";
import { cancelledAfter } from "../../base/cancellation.ts";
import { Defect, unlessRefused } from "../../base/errors.ts";
import type { Certificate } from "../../cutpoints/certificate.ts";
import { behavioursOf, overflowIn, type Property, type Question } from "../../cutpoints/obligation.ts";
import type { ProgramModel } from "../../cutpoints/programModel.ts";
import type { UnwrittenMemory } from "../../cutpoints/unroll.ts";
import { type InputRequest, type InputSource, type InputValue, randomInputs } from "../../interpreter/inputs.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { runTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { evaluate } from "../../logic/evaluate.ts";
import { parseSmtLib } from "../../logic/parseSmtLib.ts";

/** True if the outcome violates the property. */
export function violates(property: Property, outcome: Outcome): boolean {
  if (outcome.kind === "undefined-behaviour") return behavioursOf(property).has(outcome.problem);
  if (property !== "assert" && property !== "all") return false;
  return outcome.kind === "assertion" || outcome.kind === "error-location";
}

export type ConfirmOptions = Question & {
  readonly run: Omit<RunOptions, "inputs" | "undefinedBehaviour">;
  /** The known values of memory that was never written. */
  readonly memory?: UnwrittenMemory;
};

/** Unwritten memory gets random values, because an engine knows only the values of the program's own reads. */
const attempts = 6;
/** The longest time for one of them. */
const mostMilliseconds = 10_000;

/** Returns the run with these inputs if it violates the property. Only such a run makes a program unsafe. */
export function confirmRun(
  program: Program,
  inputs: readonly InputValue[],
  { property, arithmetic, run, memory }: ConfirmOptions,
): Trace | null {
  for (let i = 0; i < attempts; i++) {
    let drawn = 0;
    let isDrawn = false;
    const source: InputSource = (request) => {
      if (request.memory !== undefined) {
        drawn++;
        const { memory: place } = request;
        const known =
          place === undefined || place.variable === null ? undefined : memory?.(place.variable, place.offset);
        if (known !== undefined && fits(known, request)) return known;
        isDrawn = true;
        return i === 0 ? nothing(request) : randomInputs(i)(request);
      }
      const value = inputs[request.index - drawn];
      return value === undefined || !fits(value, request) ? nothing(request) : value;
    };
    const options = {
      ...run,
      inputs: source,
      undefinedBehaviour: overflowIn({ arithmetic }),
      maxSteps: run.maxSteps ?? Number.POSITIVE_INFINITY,
      cancellation: cancelledAfter(mostMilliseconds, run.cancellation),
    };
    // Inputs that do not fit their types give no run.
    const trace = unlessRefused(() => runTrace(program, options));
    if (trace !== null && violates(property, trace.outcome)) return trace;
    if (!isDrawn) return null;
  }
  return null;
}

function nothing({ type, within }: InputRequest): InputValue {
  if (type.kind === "float") return 0;
  return within !== null && (within[0] > 0n || within[1] < 0n) ? within[0] : 0n;
}

function fits(value: InputValue, { type, within }: InputRequest): boolean {
  if (type.kind === "float") return true;
  return typeof value === "bigint" && (within === null || (value >= within[0] && value <= within[1]));
}

/**
 * Compares a certificate with concrete runs: it claims a condition at every visit of a head, or a bound on the visits.
 * A contradiction to a checked certificate is an internal error, and both are reported.
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
