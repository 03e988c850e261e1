import type { TracefoldError } from "../base/errors.ts";
import type { Trace } from "../interpreter/trace.ts";
import { describeInput, describeOutcome } from "../jobs/run/describeRun.ts";
import type { ExplainReport } from "./explainReport.ts";

/** The report of a run that does not fail: there is nothing to explain. */
export function describeUnfailing(trace: Trace, about: { version: string; ms: number }): ExplainReport {
  return withoutSteps(trace, about);
}

/** The report of a failure that no formula stands for. */
export function describeUnexplained(
  trace: Trace,
  about: { version: string; ms: number },
  { message, range, help }: TracefoldError,
): ExplainReport {
  const unknowns = [{ reason: `no explanation: ${message}`, where: range ?? null, help: help ?? "" }];
  return { ...withoutSteps(trace, about), status: "unknown", unknowns };
}

function withoutSteps(trace: Trace, about: { version: string; ms: number }): ExplainReport {
  const { program } = trace;
  return {
    schema: 1,
    tool: { name: "tracefold", version: about.version },
    command: "explain",
    status: "ok",
    program: {
      files: program.files.map(({ path, sha256 }) => ({ path, sha256 })),
      entry: program.functions[program.entry]!.name,
    },
    dataModel: program.dataModel,
    target: null,
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => ({ ...describeInput(program, input), step: input.step + 1 })),
    trace: { steps: trace.steps },
    folded: { steps: trace.steps },
    unrolls: 0,
    innerUnrolls: 0,
    loops: [],
    explanation: { statements: 0, between: 0, facts: 0, variables: 0 },
    steps: [],
    inputCondition: {
      formulas: [],
      claims: "none",
      open: [],
      proved: false,
      proof: { status: "not checked", reason: "nothing is claimed" },
      text: "",
      irrelevant: [],
    },
    reproducer: null,
    dropped: 0,
    proof: { triples: 0, checked: false, checker: null, failures: [] },
    notes: program.notes.map(({ message, range }) => ({ message, location: range })),
    stats: { ms: about.ms, solver: { queries: 0, ms: 0 } },
    unknowns: [],
  };
}
