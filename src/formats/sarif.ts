import { createHash } from "node:crypto";
import type { SourceRange } from "../base/sourceRange.ts";
import { answersQuestion, type ExplainReport } from "../explain/explainReport.ts";
import { artifactLocation, physicalLocation, type SarifLocation } from "./sarif/location.ts";
import { conditionRule, ruleOf, rules } from "./sarif/rules.ts";
import { type ThreadFlow, threadFlow } from "./sarif/threadFlow.ts";

/** Inputs beyond this many are counted in the properties only. */
const MOST_RELATED = 20;

/**
 * SARIF 2.1.0: one run, with one result where there is an explanation. The explanation is the result's only code flow: a
 * kept statement or folded loop is a location, a fact is part of the message and of the state after the location that it
 * follows.
 */
export function toSarif(report: ExplainReport): SarifLog {
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
        results: report.steps.length === 0 ? [] : [result(report)],
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
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly properties: object;
};

function result(report: ExplainReport): SarifResult {
  const { outcome, target, inputCondition, explanation, proof, reproducer } = report;
  const asked = answersQuestion(report);
  const rule = asked ? conditionRule : ruleOf(outcome);
  const last = report.steps.at(-1)!;
  const place = (asked ? target?.location : outcome.location) ?? last.location;
  const sentence = asked && target !== null ? `${target.formula} holds here` : outcome.message;
  const inWords = report.inputs.length === 0 || inputCondition.text === "" ? "" : ` (${inputCondition.text})`;
  return {
    ruleId: rule.id,
    ruleIndex: rule.index,
    level: asked ? "note" : "error",
    message: { text: sentence + inWords },
    locations: place === null ? [] : [location(place, outcome.function ?? last.function)],
    codeFlows: [
      {
        message: { text: `${explanation.statements} of ${report.trace.steps} steps explain it` },
        threadFlows: [threadFlow(report.steps, report.program.entry)],
      },
    ],
    relatedLocations: relatedInputs(report),
    partialFingerprints: { "tracefoldExplanation/v1": fingerprint(report) },
    properties: {
      steps: report.trace.steps,
      foldedSteps: report.folded.steps,
      droppedSteps: report.dropped,
      statements: explanation.statements,
      facts: explanation.invariants,
      proof: { conditions: proof.triples, checked: proof.checked, checker: proof.checker },
      inputs: report.inputs.map(({ value }) => value),
      inputCondition: { formulas: inputCondition.formulas, proved: inputCondition.proved },
      reproducer: reproducer?.command ?? null,
    },
  };
}

/** Where the inputs that matter were read. */
function relatedInputs({ inputs, inputCondition }: ExplainReport): SarifLocation[] {
  const irrelevant = new Set(inputCondition.irrelevant);
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
function fingerprint({ outcome, steps }: ExplainReport): string {
  const parts = [
    ruleOf(outcome).id,
    ...steps.map((step) => [step.kind, step.function, step.kind === "fact" ? step.formula : step.text].join("\t")),
  ];
  return createHash("sha256").update(parts.join("\n")).digest("hex");
}

function location(range: SourceRange, inFunction?: string): SarifLocation {
  return {
    physicalLocation: physicalLocation(range),
    ...(inFunction === undefined ? {} : { logicalLocations: [{ name: inFunction, kind: "function" }] }),
  };
}
