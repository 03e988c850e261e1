import type { AbstractErrorTrace } from "../../analyses/errorInvariants/abstractErrorTrace.ts";
import type { CancelReason } from "../../base/cancellation.ts";
import type { TracefoldError } from "../../base/errors.ts";
import type { Trace } from "../../interpreter/trace.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { freeVariablesOf } from "../../logic/traverse.ts";
import { runOf } from "../../recordedRun/runOf.ts";
import { watchedAt } from "../../recordedRun/target.ts";
import type { BlockName } from "../../symbolic/placeStyle.ts";
import { describeNotes, jsonNumber, type UnknownPart } from "../common/result.ts";
import { describeFolding, notesOf } from "./describeFolding.ts";
import { describeSteps } from "./describeSteps.ts";
import { describeInputCondition } from "./inputCondition.ts";
import { withoutProof } from "./joinExplanation.ts";
import type { ExplainedRun } from "./proveExplanation.ts";
import type { Argument, ArgumentStep, Explained, Folding } from "./result.ts";

export type ProvedPart = Pick<
  Explained,
  "folding" | "loops" | "argument" | "inputCondition" | "reproducer" | "proof" | "missing" | "notes" | "unknowns"
> & {
  readonly status: "ok" | "unknown";
  /** True if the work was cancelled and something is missing because of that. */
  readonly isCutOff: boolean;
  readonly solver: ExplainedRun["statistics"] | undefined;
};

/** `replay` builds the command that runs the program with given inputs. */
export function describeProved(
  run: ExplainedRun,
  replay: (inputs: readonly string[]) => string,
  blockName: BlockName = () => null,
): ProvedPart {
  const values = new Map<number, ScalarValue>();
  const { folding, loops, proof, ...described } = describeFolding(run, {
    blockName,
    wrote: (step, value) => values.set(step, value),
    steps: keptSteps(run),
    ...(run.condition.kind === "claimed" ? { onlyThisRun: run.condition.onlyThisRun } : {}),
  });
  const steps = describeSteps({ ...run, blockName }, values);
  // Without an explanation, do not also complain about its missing proof.
  const missing = describeMissing(run);
  const unknowns =
    missing === null ? [...(run.abstraction === null ? [] : described.unknowns), ...unknownsOf(run)] : [missing];
  const inputCondition = describeInputCondition(run);
  const { reproducer } = run;
  return {
    status: unknowns.length === 0 && run.proof.checked ? "ok" : "unknown",
    isCutOff: run.cancelled !== "budget" && missing !== null,
    solver: run.statistics,
    notes: [...notesOf(run.trace.program, run.approximations), ...emptyNote(run, steps)],
    unknowns,
    folding: { ...folding, target: { ...folding.target, asked: isAsked(run), ...visitOf(run) } },
    loops,
    argument: steps.length === 0 ? null : argumentOf(run, folding, steps, unknowns),
    inputCondition: inputCondition.text === "" ? null : inputCondition,
    reproducer:
      reproducer === null
        ? null
        : {
            inputs: reproducer.inputs.map(jsonNumber),
            command: replay(reproducer.inputs.map(String)),
            steps: reproducer.steps,
            confirmed: reproducer.confirmed,
          },
    proof,
    missing:
      run.abstraction === null && missing === null
        ? [{ kind: "logic", reason: noExplanation(run) }]
        : unknowns.map(({ reason }) => ({ kind: missing === null ? "logic" : "time", reason })),
  };
}

/** The result if no formula describes the failure. */
export function describeUnproved({ message, range, help }: TracefoldError, trace: Trace): ProvedPart {
  const unknown = { reason: message, where: range ?? null, help: help ?? "" };
  return {
    ...withoutProof,
    status: "unknown",
    isCutOff: false,
    solver: undefined,
    notes: describeNotes(trace.program.notes),
    unknowns: [{ ...unknown, reason: `no explanation: ${message}` }],
    missing: [{ kind: "logic", reason: message }],
  };
}

/** The result without the logic stages. */
export function describeObserved(trace: Trace, why: "pending" | "notRequested"): ProvedPart {
  const isPending = why === "pending";
  return {
    ...withoutProof,
    status: isPending ? "unknown" : "ok",
    isCutOff: isPending,
    solver: undefined,
    notes: describeNotes(trace.program.notes),
    unknowns: [],
    missing: [{ kind: "proof", reason: isPending ? "not proved yet" : "not proved (--no-proof)" }],
  };
}

function argumentOf(
  run: ExplainedRun,
  folding: Folding,
  steps: readonly ArgumentStep[],
  unknowns: Argument["unknowns"],
): Argument {
  const count = (role: "between" | undefined) =>
    steps.filter((step) => step.kind === "statement" && step.role === role).length;
  const kept = new Set(steps.flatMap((step) => (step.kind === "statement" && step.role !== "way" ? [step.step] : [])));
  return {
    steps,
    size: {
      statements: count(undefined),
      between: count("between"),
      facts: steps.filter(({ kind }) => kind === "fact").length,
      variables: countVariables(run),
    },
    dropped: folding.length - run.compressed.folds.length - kept.size,
    unknowns,
  };
}

/** The steps whose values are shown. */
function keptSteps({ abstraction, way }: ExplainedRun): ReadonlySet<number> {
  const shown = [...(abstraction?.relevant ?? []), ...way];
  return new Set(shown.flatMap(({ origin }) => (origin.kind === "step" ? [origin.step + 1] : [])));
}

/** The number of the visit to the target; empty if the run reached it once. */
function visitOf({ trace }: ExplainedRun): Pick<Folding["target"], "visit"> {
  const { watched } = trace.program;
  const last = watched === undefined ? null : watchedAt(runOf(trace), watched);
  return last === null || last.visits === 1 ? {} : { visit: { number: last.visit, of: last.visits } };
}

/** True if the user asked about a condition instead of a failure. */
function isAsked({ trace }: ExplainedRun): boolean {
  return trace.program.watched !== undefined;
}

function noExplanation(run: ExplainedRun): string {
  return run.failure === null ? "nothing was found" : `${run.failure}${takenAsUnknown(run)}`;
}

/** A short list of the approximations; the notes have the complete one. */
function takenAsUnknown({ approximations, trace }: ExplainedRun): string {
  const [first] = approximations;
  if (first !== undefined) return ` (${first.reason} at line ${first.range.line} is taken as unknown)`;
  return trace.settings.args.length > 0 ? " (what the arguments hold is taken as unknown)" : "";
}

function unknownsOf(run: ExplainedRun) {
  const { abstraction, target } = run;
  if (abstraction === null) {
    return [
      {
        reason: `no explanation: ${noExplanation(run)}`,
        where: target.range,
        help: "What the logic does not compute exactly is listed as notes.",
      },
    ];
  }
  return [
    ...(abstraction.minimal
      ? []
      : [
          {
            reason: "some of the statements may not be needed: the search for fewer was ended",
            where: null,
            help: "A shorter run has a shorter explanation: give smaller inputs.",
          },
        ]),
    ...(lacksFacts(abstraction)
      ? [
          {
            reason: "no facts between the statements",
            where: null,
            help: "The statements alone imply the failure.",
          },
        ]
      : []),
  ];
}

/** Explains why an explanation is empty. */
function emptyNote({ target }: ExplainedRun, steps: readonly ArgumentStep[]): Explained["notes"] {
  if (steps.length !== 1) return [];
  const message =
    "this follows from which objects the pointers point to, which is taken from the run and not explained";
  return [{ message, location: target.range }];
}

function lacksFacts({ stretches, explained }: AbstractErrorTrace): boolean {
  return stretches.length > 1 && !explained;
}

function countVariables({ abstraction }: ExplainedRun): number {
  if (abstraction === null) return 0;
  const { placeOf, isTaken } = abstraction.formula;
  const kept = abstraction.stretches.flatMap(({ fact, kept: transition }) => [
    ...fact,
    ...(transition === null ? [] : [transition.formula]),
  ]);
  const places = new Set(freeVariablesOf(kept).map((variable) => placeOf.get(variable) ?? variable));
  return [...places].filter((place) => !isTaken(place)).length;
}

/** The missing part of an explanation whose work was cancelled; null if it is complete. */
export function describeMissing(run: ExplainedRun): UnknownPart | null {
  const { cancelled } = run;
  const missing = cancelled === null ? [] : missingParts(run);
  if (cancelled === null || missing.length === 0) return null;
  return { reason: `${endedBy[cancelled]}: ${missing.join(", ")}`, where: null, help: helpFor[cancelled] };
}

const endedBy: Readonly<Record<CancelReason, string>> = {
  interrupt: "the work was interrupted",
  terminate: "the work was interrupted",
  timeout: "the time was up",
  budget: "the time for it was over",
};

const helpFor: Readonly<Record<CancelReason, string>> = {
  interrupt: "Run it again.",
  terminate: "Run it again.",
  timeout: "Allow more with --timeout.",
  budget: "Allow more with --timeout.",
};

function missingParts({ compressed, abstraction, condition, proof }: ExplainedRun): readonly string[] {
  const parts: string[] = [];
  if (compressed.interrupted) parts.push("not all loops were looked at");
  if (abstraction === null) parts.push("it is not proved which statements matter");
  else {
    if (!abstraction.minimal) parts.push("some of the statements may not be needed");
    if (!abstraction.explained) parts.push("there are no facts between the statements");
  }
  if (condition.kind === "none") parts.push("it is not proved for which other inputs the same happens");
  if (proof.interrupted) parts.push("the proof is not checked");
  return parts;
}
