import { createHash } from "node:crypto";
import type { SourceRange } from "../base/sourceRange.ts";
import type { Argument } from "../explain/argument.ts";
import type { Explained, Explanation } from "../explain/explanation.ts";
import { joinFormulas } from "../jobs/formula.ts";
import { artifactLocation, physicalLocation, type SarifLocation } from "./sarif/location.ts";
import { reasonOf, type SarifStack, stacksOf, suspectLocations } from "./sarif/reason.ts";
import { conditionRule, ruleOf, rules } from "./sarif/rules.ts";
import { rowLocation, type ThreadFlow, threadFlow } from "./sarif/threadFlow.ts";

/** Inputs beyond this many are counted in the properties only. */
const MOST_RELATED = 20;

/**
 * SARIF 2.1.0: one run, with one result where there is an explanation. The result's only code flow is what was proved: a
 * kept statement or folded loop is a location, a fact is part of the message and of the state after the location that it
 * follows. Where nothing is proved, it is what was observed: one location a row.
 */
export function toSarif(report: Explanation): SarifLog {
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
              ...(where === null ? {} : { locations: [location(where)] }),
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
    ],
  };
}

export type SarifLog = {
  readonly $schema: string;
  readonly version: "2.1.0";
  readonly runs: readonly [
    {
      readonly tool: object;
      readonly invocations: readonly object[];
      readonly artifacts: readonly object[];
      readonly columnKind: "utf16CodeUnits";
      readonly results: readonly SarifResult[];
    },
  ];
};

export type SarifResult = {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: "error" | "note";
  readonly message: { readonly text: string };
  readonly locations: readonly SarifLocation[];
  readonly codeFlows: readonly { readonly message: object; readonly threadFlows: readonly ThreadFlow[] }[];
  readonly relatedLocations: readonly SarifLocation[];
  readonly stacks?: readonly SarifStack[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly properties: object;
};

function result(explained: Explained): SarifResult {
  const { outcome, failure, argument, inputCondition, proof, reproducer, trace, inputs } = explained;
  const asked = failure.kind === "condition";
  const rule = asked ? conditionRule : ruleOf(outcome);
  const sentence = asked ? `${failure.message} here` : outcome.message;
  const reason = reasonOf(explained);
  const stacks = stacksOf(explained);
  const inWords = inputs.length === 0 || inputCondition === null ? "" : ` (${inputCondition.text})`;
  return {
    ruleId: rule.id,
    ruleIndex: rule.index,
    level: asked ? "note" : "error",
    message: { text: `${sentence}${inWords}${reason === null ? "" : `: ${reason}`}` },
    locations: [location(failure.location, failure.function)],
    codeFlows: [argument === null ? observedFlow(explained) : provedFlow(explained, argument)],
    relatedLocations: [...relatedInputs(explained), ...suspectLocations(explained, inputs.length + 1)],
    ...(stacks.length === 0 ? {} : { stacks }),
    partialFingerprints: { "tracefoldExplanation/v1": fingerprint(explained) },
    properties: {
      steps: trace.steps,
      ...(argument === null ? {} : sizeOf(argument)),
      proof: { conditions: proof.triples, checked: proof.checked, checker: proof.checker },
      inputs: inputs.map(({ value }) => value),
      inputCondition: { formulas: inputCondition?.formulas ?? [], proved: inputCondition?.proved ?? false },
      reproducer: reproducer?.command ?? null,
    },
  };
}

function provedFlow({ program, trace }: Explained, { steps, size }: Argument): SarifResult["codeFlows"][number] {
  return {
    message: { text: `${size.statements} of ${trace.steps} steps explain it` },
    threadFlows: [threadFlow(steps, program.entry)],
  };
}

function observedFlow({ sections, trace }: Explained): SarifResult["codeFlows"][number] {
  const rows = sections.flatMap((section) => section.rows).sort((a, b) => a.step - b.step);
  return {
    message: { text: `${rows.length} of ${trace.steps} steps lead to it` },
    threadFlows: [{ locations: rows.map(rowLocation) }],
  };
}

function sizeOf({ folded, dropped, size }: Argument) {
  return { foldedSteps: folded.steps, droppedSteps: dropped, statements: size.statements, facts: size.facts };
}

/** Where the inputs that matter were read. */
function relatedInputs({ inputs, inputCondition }: Explained): SarifLocation[] {
  const irrelevant = new Set(inputCondition?.irrelevant);
  return inputs
    .map((input, index) => ({ ...input, index }))
    .filter(({ index }) => !irrelevant.has(index))
    .slice(0, MOST_RELATED)
    .map(({ location: range, value, index }) => ({
      id: index + 1,
      ...location(range),
      message: { text: `input ${index + 1} is ${value}` },
    }));
}

/** The same for the same reason in an edited file: no line numbers, no values of this run. */
function fingerprint({ outcome, argument, sections }: Explained): string {
  const steps =
    argument?.steps.map((step) => [
      step.kind,
      step.function,
      step.kind === "fact" ? joinFormulas(step.formulas) : step.text,
    ]) ?? sections.flatMap(({ rows }) => rows.map((row) => [row.kind, row.function, row.text]));
  const parts = [ruleOf(outcome).id, ...steps.map((words) => words.join("\t"))];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

function location(range: SourceRange, inFunction?: string): SarifLocation {
  return {
    physicalLocation: physicalLocation(range),
    ...(inFunction === undefined ? {} : { logicalLocations: [{ name: inFunction, kind: "function" }] }),
  };
}
