import { bareFailure, headOf, withoutProof } from "../../src/commands/explain/joinExplanation.ts";
import type { Explained } from "../../src/commands/explain/result.ts";
import type { SuspectStep } from "../../src/commands/explain/why/suspectSteps.ts";
import { describeWhys, type Why, whyOf } from "../../src/commands/explain/why/whyGraph.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import type { Trace } from "../../src/interpreter/trace.ts";
import { type Screen, screenOf } from "../../src/render/chooseRows.ts";

/** An explanation that has whys alone: no experiments, no logic. */
export function whysOf(trace: Trace, suspected?: (why: Why) => readonly SuspectStep[]): Explained {
  const why = whyOf(dependenceGraph(trace));
  const steps = suspected?.(why) ?? [];
  const { suspects, print: _, ...whys } = describeWhys(why, steps, () => false);
  const place = {
    location: bareLocation,
    function: "main",
    text: "",
    statement: "",
    weight: 1,
    certainty: "none" as const,
    whatIfs: [],
    changes: [],
  };
  return {
    ...headOf(trace, { version: "", ms: 0 }),
    ...bareFailure,
    kind: "explained",
    ...whys,
    suspects: suspects.map((suspect) => ({ ...place, ...suspect })),
    ...withoutProof,
    missing: [],
  };
}

const bareLocation = { file: "", line: 1, column: 1, endLine: 1, endColumn: 1 };

/** The nearest executions of lines, as many as there is room for. */
export function nearestRows(explained: Explained, lines: number): Screen & Pick<Explained, "failure"> {
  return { failure: explained.failure, ...screenOf(explained, { all: true, lines }) };
}
