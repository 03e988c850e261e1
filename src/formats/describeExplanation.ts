import type { Stretch } from "../analysis/errorInvariants/coverTrace.ts";
import type { Transition } from "../analysis/errorInvariants/traceFormula.ts";
import type { ExplainedRun } from "../explain/explainRun.ts";
import { loopRange } from "../ir/loopRange.ts";
import { printOperation } from "../ir/printOperation.ts";
import { printType } from "../ir/printType.ts";
import { freeVariables, freeVariablesOf } from "../logic/freeVariables.ts";
import { printSource } from "../logic/printSource.ts";
import type { Variable as Place, Term } from "../logic/term.ts";
import { placeStyle } from "../symbolic/placeStyle.ts";
import { jsonNumber } from "./commonReport.ts";
import type { Variable } from "./compressReport.ts";
import { describeCompression } from "./describeCompression.ts";
import { describeInputCondition } from "./describeInputCondition.ts";
import type { Because, ExplainReport, ExplanationStep } from "./explainReport.ts";

/** The report of an explained run. `command` is how the user called us, for the line that replays the run. */
export function describeExplanation(
  run: ExplainedRun,
  about: { readonly version: string; readonly ms: number; replay(inputs: readonly string[]): string },
): ExplainReport {
  const { steps: folded, ...compression } = describeCompression(run, about);
  const steps = describeSteps(run);
  const statements = steps.filter(({ kind }) => kind === "statement").length;
  const facts = steps.filter(({ kind }) => kind === "fact").length;
  const unknowns = [...compression.unknowns, ...unknownsOf(run)];
  return {
    ...compression,
    command: "explain",
    status: run.proof.checked && run.abstraction !== null ? "ok" : "unknown",
    dataModel: run.trace.program.dataModel,
    explanation: { statements, invariants: facts, variables: countVariables(run) },
    steps,
    inputCondition: describeInputCondition(run),
    reproducer:
      run.reproducer === null
        ? null
        : {
            inputs: run.reproducer.inputs.map(jsonNumber),
            command: about.replay(run.reproducer.inputs.map(String)),
            steps: run.reproducer.steps,
            confirmed: true,
          },
    dropped: Math.max(0, folded.length - statements - steps.filter(({ kind }) => kind === "loop").length),
    unknowns,
  };
}

function unknownsOf({ abstraction, failure, target }: ExplainedRun) {
  if (abstraction === null) {
    return [
      {
        reason: `no explanation: ${failure ?? "nothing was found"}`,
        where: target.range,
        help: "What the logic does not compute exactly is listed as notes.",
      },
    ];
  }
  const missing = abstraction.stretches.length > 1 && abstraction.stretches.every(({ fact }) => fact.length === 0);
  return [
    ...(abstraction.minimal
      ? []
      : [
          {
            reason: "some of the statements may not be needed: the search for fewer was ended",
            where: null,
            help: "Allow more time.",
          },
        ]),
    ...(missing
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

function countVariables({ abstraction }: ExplainedRun): number {
  if (abstraction === null) return 0;
  const { placeOf } = abstraction.formula;
  const kept = abstraction.stretches.flatMap(({ fact, kept: transition }) => [
    ...fact,
    ...(transition === null ? [] : [transition.formula]),
  ]);
  return new Set(freeVariablesOf(kept).map((variable) => placeOf.get(variable) ?? variable)).size;
}

function describeSteps(run: ExplainedRun): readonly ExplanationStep[] {
  const { abstraction, trace, target } = run;
  if (abstraction === null) return [];
  const { stretches, relevant } = abstraction;
  const steps: Draft[] = [];
  for (const stretch of stretches) {
    if (stretch.fact.length > 0) steps.push(draftFact(run, stretch, steps));
    // Loops that the fact survives are part of the story although nothing of them needs to be kept.
    for (const transition of relevant) {
      const inside = transition.index >= stretch.from && transition.index < stretch.to;
      if (inside && transition.origin.kind === "fold") steps.push(draftTransition(run, transition));
    }
    if (stretch.kept !== null) steps.push(draftTransition(run, stretch.kept));
  }
  const top = target.stack[target.stack.length - 1];
  steps.push({
    step: {
      kind: "target",
      depth: target.stack.length - 1,
      function: top?.function.name ?? trace.program.functions[trace.program.entry]!.name,
      text: targetText(run),
      formula: target.text,
      location: target.range,
    },
    reads: placesIn(run, [abstraction.formula.target]),
    writes: new Set(),
  });
  return steps.map(({ step }, id) => ({ ...step, id, because: becauseOf(steps, id) }) as ExplanationStep);
}

/** A step without its number, and the places that it is about. */
type Draft = {
  readonly step: DistributiveOmit<ExplanationStep, "id" | "because">;
  readonly reads: ReadonlySet<Place>;
  readonly writes: ReadonlySet<Place>;
};
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function targetText({ trace, target }: ExplainedRun): string {
  const { outcome } = trace;
  switch (outcome.kind) {
    case "assertion":
      return `assert(${outcome.text})`;
    case "error-location":
    case "abort":
      return outcome.text;
    case "undefined-behaviour":
      return outcome.message;
    default:
      return target.text;
  }
}

function draftFact(run: ExplainedRun, stretch: Stretch, before: readonly Draft[]): Draft {
  const { symbols } = run;
  const style = placeStyle(symbols, stretch.fact);
  const variables: Variable[] = stretch.fact.flatMap((atom) => fixedValue(atom, (term) => printSource(term, style)));
  const last = before[before.length - 1]?.step;
  return {
    step: {
      kind: "fact",
      function: last === undefined ? "" : last.function,
      formula: stretch.fact.map((atom) => printSource(atom, style)).join(" && "),
      variables,
      location: last === undefined || last.kind === "fact" ? null : last.location,
    },
    reads: placesIn(run, stretch.fact),
    writes: new Set(),
  };
}

/** `x == 5` fixes x. */
function fixedValue(atom: Term, print: (term: Term) => string): Variable[] {
  if (atom.kind !== "eq" || (atom.sum.kind !== "variable" && atom.sum.kind !== "select")) return [];
  return [{ name: print(atom.sum), value: jsonNumber(atom.bound) }];
}

function draftTransition(run: ExplainedRun, transition: Transition): Draft {
  const { trace, symbols } = run;
  const { program } = trace;
  const { origin } = transition;
  const reads = placesIn(run, [transition.formula]);
  const writes = new Set(transition.writes.map(({ place }) => place));
  switch (origin.kind) {
    case "step":
      return {
        step: {
          kind: "statement",
          step: origin.step + 1,
          depth: origin.depth,
          function: origin.function.name,
          text: printOperation(program, origin.edge.operation),
          location: origin.edge.range,
          writes: [],
        },
        reads,
        writes,
      };
    case "fold": {
      const { activation, invariant, begin } = origin.fold;
      const style = placeStyle(symbols, invariant);
      return {
        step: {
          kind: "loop",
          step: begin + 1,
          depth: origin.depth,
          function: origin.function.name,
          text: "loop",
          formula: invariant.map((atom) => printSource(atom, style)).join(" && ") || "true",
          iterations: activation.visits.filter((visit) => visit >= begin).length - 1,
          location: loopRange(activation.function, activation.loop),
        },
        reads,
        writes,
      };
    }
    case "initial": {
      const cell = symbols.cellOf(origin.place);
      const id =
        cell?.kind === "register"
          ? cell.variable
          : cell?.kind === "region" && cell.object.origin.kind === "variable"
            ? cell.object.origin.variable
            : null;
      const variable = id === null ? null : program.variables[id]!;
      return {
        step: {
          kind: "statement",
          step: 0,
          depth: 0,
          function: variable?.function == null ? "" : program.functions[variable.function]!.name,
          text: variable === null ? "initial value" : `${printType(variable.type, variable.name)} (starts as 0)`,
          location: variable?.range ?? program.functions[program.entry]!.range,
          writes: [],
        },
        reads: new Set(),
        writes,
      };
    }
  }
}

function placesIn(run: ExplainedRun, formulas: readonly Term[]): Set<Place> {
  const { placeOf } = run.abstraction!.formula;
  return new Set(
    formulas.flatMap((formula) => freeVariables(formula)).map((variable) => placeOf.get(variable) ?? variable),
  );
}

/** The next step that speaks of what this one writes, or states. */
function becauseOf(steps: readonly Draft[], id: number): readonly Because[] {
  const { step, reads, writes } = steps[id]!;
  const about = step.kind === "fact" ? reads : writes.size > 0 ? writes : reads;
  for (let next = id + 1; next < steps.length; next++) {
    const other = steps[next]!;
    if (![...about].some((place) => other.reads.has(place))) continue;
    const target = other.step;
    const text = target.kind === "fact" || target.kind === "target" ? `for ${target.formula}` : `for ${target.text}`;
    return [{ for: next, text }];
  }
  return [];
}
