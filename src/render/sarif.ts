import { createHash } from "node:crypto";
import { nth, present } from "../base/checked.ts";
import { joinFormulas } from "../base/text.ts";
import type { Argument, Explained, Explanation, WhatIf } from "../commands/explain/result.ts";
import type { RunOutcome } from "../commands/run/result.ts";
import { passingEffect, type Row, screenOf } from "./chooseRows.ts";
import { effectOfChange, isFix } from "./patch.ts";
import { artifactLocation, rowLocation, type SarifLocation, sarifLocation, threadFlow } from "./sarifLocations.ts";

/** Only this many inputs become related locations. */
const MOST_RELATED = 20;

/**
 * SARIF 2.1.0: one run, with one result if there is an explanation. Its only code flow is the proof: kept statements
 * and folded loops are locations; a fact is part of the message and the state of the location before it. Without a
 * proof, the code flow is the observed rows.
 */
export function toSarif(report: Explanation) {
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: { name: "Tracefold", semanticVersion: report.tool.version, version: report.tool.version, rules },
        },
        invocations: [
          {
            executionSuccessful: report.status !== "unknown",
            toolExecutionNotifications: report.unknowns.map(({ reason, where, help }) => ({
              level: "warning",
              message: { text: `${reason}. ${help}` },
              ...(where === null ? {} : { locations: [sarifLocation(where)] }),
            })),
          },
        ],
        artifacts: report.program.files.map(({ path, sha256 }) => ({
          location: artifactLocation(path),
          roles: ["analysisTarget"],
          sourceLanguage: "c",
          hashes: { "sha-256": sha256 },
        })),
        columnKind: "utf16CodeUnits",
        results: report.kind === "explained" ? [result(report)] : [],
      },
    ] as const,
  };
}

function result(explained: Explained) {
  const { outcome, failure, argument, inputCondition, proof, reproducer, trace, inputs } = explained;
  const asked = failure.kind === "condition";
  const rule = asked ? "condition" : ruleOf[outcome.kind];
  const sentence = asked ? `${failure.message} here` : outcome.message;
  const reason = reasonOf(explained);
  const stacks = stacksOf(explained);
  const inWords = inputs.length === 0 || inputCondition === null ? "" : ` (${inputCondition.text})`;
  return {
    ruleId: asked ? rule : ruleId(outcome),
    ruleIndex: rules.findIndex(({ id }) => id === rule),
    level: asked ? "note" : "error",
    message: { text: `${sentence}${inWords}${reason === null ? "" : `: ${reason}`}` },
    locations: [sarifLocation(failure.location, failure.function)],
    codeFlows: [argument === null ? observedFlow(explained) : provedFlow(explained, argument)],
    relatedLocations: [...relatedInputs(explained), ...suspectLocations(explained, inputs.length + 1)],
    ...(stacks.length === 0 ? {} : { stacks }),
    ...fixesOf(explained),
    partialFingerprints: { "tracefoldExplanation/v1": fingerprint(explained) },
    properties: {
      steps: trace.steps,
      ...sizeOf(explained),
      proof: { conditions: proof.triples, checked: proof.checked, checker: proof.checker },
      inputs: inputs.map(({ value }) => value),
      inputCondition: { formulas: inputCondition?.formulas ?? [], proved: inputCondition?.proved ?? false },
      reproducer: reproducer?.command ?? null,
    },
  };
}

/** The changes that were confirmed and pass all tests; a viewer may offer them. */
function fixesOf({ suspects }: Explained) {
  const fixes = suspects.flatMap(({ changes }) => {
    const change = changes.find(isFix);
    if (change === undefined) return [];
    return [
      {
        description: { text: `${change.text} ${effectOfChange(change)}` },
        artifactChanges: [
          {
            artifactLocation: artifactLocation(nth(change.edits, 0).location.file),
            replacements: change.edits.map(({ location, text }) => ({
              deletedRegion: sarifLocation(location).physicalLocation.region,
              insertedContent: { text },
            })),
          },
        ],
      },
    ];
  });
  return fixes.length === 0 ? {} : { fixes };
}

function provedFlow({ trace }: Explained, { steps, size }: Argument) {
  return {
    message: { text: `${size.statements} of ${trace.steps} steps explain it` },
    threadFlows: [threadFlow(steps)],
  };
}

function observedFlow(explained: Explained): ReturnType<typeof provedFlow> {
  const { trace } = explained;
  const rows = shownRows(explained).sort((a, b) => present(a.steps.at(-1)) - present(b.steps.at(-1)));
  return {
    message: { text: `${rows.length} of ${trace.steps} steps lead to it` },
    threadFlows: [{ locations: rows.map(rowLocation) }],
  };
}

function shownRows(explained: Explained): Row[] {
  return screenOf(explained).sections.flatMap((section) => section.rows);
}

function sizeOf({ folding, argument }: Explained) {
  if (argument === null) return {};
  const { size, dropped } = argument;
  return { foldedSteps: folding?.length, droppedSteps: dropped, statements: size.statements, facts: size.facts };
}

/** The locations that read the inputs that matter. */
function relatedInputs({ inputs, inputCondition }: Explained): SarifLocation[] {
  const irrelevant = new Set(inputCondition?.irrelevant);
  return inputs
    .map((input, index) => ({ ...input, index }))
    .filter(({ index }) => !irrelevant.has(index))
    .slice(0, MOST_RELATED)
    .map(({ location, value, index }) => ({
      id: index + 1,
      ...sarifLocation(location, undefined, `input ${index + 1} is ${value}`),
    }));
}

/** Stable under edits of the file: it contains no line numbers and no values of this run. */
function fingerprint(explained: Explained): string {
  const { outcome, argument } = explained;
  const steps =
    argument?.steps.map((step) => [
      step.kind,
      step.function,
      step.kind === "fact" ? joinFormulas(step.formulas) : step.text,
    ]) ?? shownRows(explained).map((row) => [row.kind, row.function, row.text]);
  const parts = [ruleId(outcome), ...steps.map((words) => words.join("\t"))];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

const mostSuspects = 5;

/** `rounds is 41, n is 40; look at main:10: with < here the run passes`; null if nothing is known. */
function reasonOf({ failure, suspects }: Explained): string | null {
  const values = (failure.condition?.operands ?? []).map(({ text, value }) => `${text} is ${value}`);
  const [first] = suspects;
  const best = first?.whatIfs[0];
  const look =
    first === undefined || best === undefined
      ? []
      : [`look at ${first.function}:${first.location.line}: ${whatIfText(best)}`];
  const parts = [...(values.length === 0 ? [] : [values.join(", ")]), ...look];
  return parts.length === 0 ? null : parts.join("; ");
}

/** The likeliest suspects, each with its successful change. */
function suspectLocations({ suspects }: Explained, firstId: number): SarifLocation[] {
  return suspects
    .filter(({ whatIfs }) => whatIfs.length > 0)
    .slice(0, mostSuspects)
    .map(({ location, function: name, whatIfs }, i) => ({
      id: firstId + i,
      ...sarifLocation(location, name, `suspect ${i + 1}: ${whatIfText(nth(whatIfs, 0))}`),
    }));
}

/** The failing place with its active calls; for a block also its allocation and its end. */
function stacksOf({ failure }: Explained) {
  const { location, function: name, stack, places } = failure;
  const own = { what: "failed", calls: [{ function: name, location }, ...stack] };
  const stacks = places.length > 0 ? places : stack.length > 0 ? [own] : [];
  return stacks.map(({ what, calls }) => ({
    message: { text: what },
    frames: calls.map((call) => ({ location: sarifLocation(call.location, call.function) })),
  }));
}

function whatIfText({ text, level, passingRuns }: WhatIf): string {
  if (level !== "passes") return `${text} the run gets past this failure`;
  const { asked, broken } = passingRuns;
  return `${text} ${passingEffect(passingRuns)}${broken === 0 ? "" : `, but ${broken} of ${asked} other tests fail`}`;
}

/** The kinds of failures in a fixed order, because results refer to rules by index. */
const rules = [
  rule(
    "assertion",
    "AssertionFailed",
    "An assertion failed.",
    "The condition of an assertion is false when the run comes to it.",
  ),
  rule(
    "error-location",
    "ErrorReached",
    "An error location was reached.",
    "The run calls reach_error or __VERIFIER_error, or comes to a label ERROR.",
  ),
  rule("abort", "Aborted", "The program aborted.", "The run calls abort or a function like it."),
  rule(
    "undefined-behaviour",
    "UndefinedBehaviour",
    "The behaviour is undefined.",
    "The run does something that the C standard leaves undefined, such as signed overflow or an access out of bounds.",
  ),
  rule(
    "wrong-output",
    "WrongOutput",
    "The program printed something else than was expected.",
    "What the run prints, writes to a file or exits with is not what was expected of it.",
  ),
  rule(
    "condition",
    "ConditionExplained",
    "A condition holds.",
    "The run does not fail; the code flow says why a condition holds at a place.",
  ),
] as const;

function rule<Id extends string>(id: Id, name: string, short: string, full: string) {
  return { id, name, shortDescription: { text: short }, fullDescription: { text: full } };
}

/** The rule that a run violated. */
const ruleOf: Readonly<Record<RunOutcome["kind"], (typeof rules)[number]["id"]>> = {
  assertion: "assertion",
  "error-location": "error-location",
  abort: "abort",
  "undefined-behaviour": "undefined-behaviour",
  "wrong-output": "wrong-output",
  "wrong-exit": "wrong-output",
  exit: "condition",
  assumption: "condition",
  limit: "condition",
};

/** It may be more precise than the rule: `undefined-behaviour/signed-overflow`. */
function ruleId({ kind, behaviour }: RunOutcome): string {
  return behaviour ? `${ruleOf[kind]}/${behaviour}` : ruleOf[kind];
}
