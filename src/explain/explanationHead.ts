import { nth } from "../base/checked.ts";
import type { Trace } from "../interpreter/trace.ts";
import { schemaVersion } from "../jobs/commonReport.ts";
import { describeInput, describeOutcome } from "../jobs/run/describeRun.ts";
import type { Explained, ExplanationHead, Failure } from "./explanation.ts";

/** Who explains, and how long it took. */
export type About = { readonly version: string; readonly ms: number };

/** What every explanation of a run begins with. */
export function headOf(
  trace: Trace,
  about: About,
  more: {
    readonly status?: ExplanationHead["status"];
    readonly notes?: ExplanationHead["notes"];
    readonly solver?: { readonly queries: number; readonly milliseconds: number } | undefined;
  } = {},
): ExplanationHead {
  const { program } = trace;
  return {
    schema: schemaVersion,
    tool: { name: "tracefold", version: about.version },
    command: "explain",
    status: more.status ?? "ok",
    program: {
      files: program.files.map(({ path, sha256 }) => ({ path, sha256 })),
      entry: nth(program.functions, program.entry).name,
    },
    dataModel: program.dataModel,
    outcome: describeOutcome(program, trace.outcome),
    inputs: trace.inputs.map((input) => ({ ...describeInput(program, input), step: input.step + 1 })),
    trace: { steps: trace.steps },
    notes: more.notes ?? program.notes.map(({ message, range }) => ({ message, location: range })),
    stats: {
      ms: about.ms,
      solver: { queries: more.solver?.queries ?? 0, ms: Math.round(more.solver?.milliseconds ?? 0) },
    },
    unknowns: [],
  };
}

/** An explanation without anything that was observed. */
export const withoutWhys: Pick<Explained, "questions" | "graph" | "suspects"> = {
  questions: [],
  graph: { source: "run", starts: [], failingLines: [], nodes: [], edges: [], left: 0 },
  suspects: [],
};

/** An explanation without anything that was proved. */
export const withoutProof: Pick<
  Explained,
  "folding" | "loops" | "argument" | "inputCondition" | "reproducer" | "proof"
> = {
  folding: null,
  loops: [],
  argument: null,
  inputCondition: null,
  reproducer: null,
  proof: { triples: 0, checked: false, checker: null, failures: [] },
};

/** A failure of which nothing is known but its place. */
export const bareFailure: Pick<Failure, "isTested" | "stack" | "condition" | "places" | "printed"> = {
  isTested: false,
  stack: [],
  condition: null,
  places: [],
  printed: null,
};
