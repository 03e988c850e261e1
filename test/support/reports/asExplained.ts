import type { ExplainReport } from "../../../src/explain/explainReport.ts";
import type { Explained } from "../../../src/explain/explanation.ts";
import { argumentOf } from "../../../src/explain/joinExplanation.ts";
import type { Argued } from "../../../src/report/explainText.ts";
import { counters } from "./compressReports.ts";

import { at } from "./reportParts.ts";

/** The explanation that a report is a part of. */
export function asExplained(report: ExplainReport): Explained {
  const { outcome, target, status, steps } = report;
  const asked = target?.asked === true || outcome.kind === "exit";
  const location = (asked ? target?.location : outcome.location) ?? steps.at(-1)?.location ?? at(counters, 1, "extern");
  const {
    schema: _,
    dropped: __,
    droppedSteps: ___,
    explanation: ____,
    steps: _____,
    target: ______,
    ...rest
  } = report;
  const { folded: _a, unrolls: _b, innerUnrolls: _c, ...head } = rest;
  return {
    ...head,
    schema: 2,
    status: status === "ok" ? "ok" : "unknown",
    kind: "explained",
    failure: {
      kind: asked ? "condition" : outcome.kind,
      message: asked ? `${target?.formula} holds` : outcome.message,
      location,
      function: outcome.function ?? steps.at(-1)?.function ?? "main",
      ...{ stack: [], condition: null, places: [], printed: null },
    },
    ...{ sections: [], suspects: [], also: [], cut: { rows: 0, suspects: 0 }, missing: [] },
    argument: argumentOf(report),
    inputCondition: report.inputCondition.text === "" ? null : report.inputCondition,
  };
}

export function asArgued(report: ExplainReport): Argued {
  const explained = asExplained(report);
  if (explained.argument === null) throw new Error("there is no argument");
  return { ...explained, argument: explained.argument };
}
