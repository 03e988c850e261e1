import type { AbstractErrorTrace } from "../analyses/errorInvariants/abstractErrorTrace.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { jsonNumber } from "../jobs/commonReport.ts";
import { describeCompression } from "../jobs/compress/describeCompression.ts";
import { describeNotes } from "../jobs/describeNotes.ts";
import { freeVariablesOf } from "../logic/traverse.ts";
import { runOf } from "../recordedRun/runOf.ts";
import { watchedAt } from "../recordedRun/target.ts";
import type { BlockName } from "../symbolic/placeStyle.ts";
import type { Argument, ArgumentStep, DroppedStep } from "./argument.ts";
import { describeInputCondition } from "./describeInputCondition.ts";
import { describeMissing } from "./describeMissing.ts";
import { describeSteps } from "./describeSteps.ts";
import type { ExplainReport } from "./explainReport.ts";
import type { ExplainedRun } from "./explainRun.ts";

/** The report of an explained run. `replay` is the command that runs the program with such inputs. */
export function describeExplanation(
  run: ExplainedRun,
  about: { readonly version: string; readonly ms: number; replay(inputs: readonly string[]): string },
  blockName: BlockName = () => null,
): ExplainReport {
  const values = new Map<number, ScalarValue>();
  const { steps: folded, ...compression } = describeCompression(run, {
    ...about,
    blockName,
    wrote: (step, value) => values.set(step, value),
    steps: keptSteps(run),
    ...(run.condition.kind === "claimed" ? { onlyThisRun: run.condition.onlyThisRun } : {}),
  });
  const steps = describeSteps({ ...run, blockName }, values);
  const count = (role: "between" | undefined) =>
    steps.filter((step) => step.kind === "statement" && step.role === role).length;
  const [statements, between] = [count(undefined), count("between")];
  const facts = steps.filter(({ kind }) => kind === "fact").length;
  const kept = new Set(steps.flatMap((step) => (step.kind === "statement" && step.role !== "way" ? [step.step] : [])));
  const droppedSteps = folded.flatMap((step): DroppedStep[] => {
    if (step.kind === "loop" || kept.has(step.step)) return [];
    return [{ step: step.step, function: step.function, text: step.text, location: step.location }];
  });
  // Without an explanation there is no proof of one, which is not worth a second complaint.
  const missing = describeMissing(run);
  const unknowns =
    missing === null ? [...(run.abstraction === null ? [] : compression.unknowns), ...unknownsOf(run)] : [missing];
  return {
    ...compression,
    command: "explain",
    status: unknowns.length === 0 && run.proof.checked ? "ok" : "unknown",
    dataModel: run.trace.program.dataModel,
    ...(compression.target === null || !isAsked(run)
      ? {}
      : { target: { ...compression.target, asked: true, ...visitOf(run) } }),
    explanation: { statements, between, facts, variables: countVariables(run) },
    steps,
    inputCondition: describeInputCondition(run),
    reproducer:
      run.reproducer === null
        ? null
        : {
            inputs: run.reproducer.inputs.map(jsonNumber),
            command: about.replay(run.reproducer.inputs.map(String)),
            steps: run.reproducer.steps,
            confirmed: run.reproducer.confirmed,
          },
    notes: [...describeNotes(run.trace.program, run.approximations), ...emptyNote(run, steps)],
    dropped: compression.folded.steps - run.compressed.folds.length - kept.size,
    droppedSteps,
    unknowns,
  };
}

/** Their values are shown. */
function keptSteps({ abstraction, way }: ExplainedRun): ReadonlySet<number> {
  const shown = [...(abstraction?.relevant ?? []), ...way];
  return new Set(shown.flatMap(({ origin }) => (origin.kind === "step" ? [origin.step + 1] : [])));
}

/** Which of the times that the run came to the place; nothing where it came once. */
function visitOf({ trace }: ExplainedRun): Pick<Argument["target"], "visit"> {
  const { watched } = trace.program;
  const last = watched === undefined ? null : watchedAt(runOf(trace), watched);
  return last === null || last.visits === 1 ? {} : { visit: { number: last.visit, of: last.visits } };
}

/** A condition was asked for; how the run ends is not the point. */
function isAsked({ trace }: ExplainedRun): boolean {
  return trace.program.watched !== undefined;
}

/** What the logic does not compute, in a few words; the notes have all of it. */
function takenAsUnknown({ approximations, trace }: ExplainedRun): string {
  const [first] = approximations;
  if (first !== undefined) return ` (${first.reason} at line ${first.range.line} is taken as unknown)`;
  return trace.settings.args.length > 0 ? " (what the arguments hold is taken as unknown)" : "";
}

function unknownsOf(run: ExplainedRun) {
  const { abstraction, failure, target } = run;
  if (abstraction === null) {
    return [
      {
        reason: `no explanation: ${failure ?? "nothing was found"}${failure === null ? "" : takenAsUnknown(run)}`,
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
            reason: "no facts were found between the statements",
            where: null,
            help: "The statements alone imply the failure.",
          },
        ]
      : []),
  ];
}

/** An explanation that says nothing says why. */
function emptyNote({ target }: ExplainedRun, steps: readonly ArgumentStep[]): ExplainReport["notes"] {
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
