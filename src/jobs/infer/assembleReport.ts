import { type InferOptions, inferContracts } from "../../analyses/infer/inferContracts.ts";
import type { FunctionRecord } from "../../concolic/summary.ts";
import { createTerms } from "../../logic/terms.ts";
import { createSolver, type SolverOptions } from "../../solver/solverChain.ts";
import { schemaVersion } from "../commonReport.ts";
import { describeInference } from "./describeInference.ts";
import { diffContracts } from "./diffContracts.ts";
import type { InferReport } from "./inferReport.ts";

/** What was followed, and what is to be said about it besides contracts. */
export type Followed = Pick<InferReport, "language" | "program" | "tests" | "recording" | "unknowns"> & {
  readonly functions: readonly FunctionRecord[];
};

export type AssembleOptions = InferOptions & {
  readonly solver: SolverOptions;
  readonly version: string;
  /** Paths as the user gave them. */
  readonly shown: (path: string) => string;
  /** Contracts of an earlier run, to compare with. */
  readonly before: Pick<InferReport, "classes" | "functions"> | null;
  readonly start: number;
};

/** Joins calls to contracts, whatever language they are in. */
export function assembleReport(followed: Followed, options: AssembleOptions): InferReport {
  const chain = createSolver(options.solver);
  try {
    const { functions, unknowns, ...rest } = followed;
    const tools = { terms: createTerms(), solver: chain.solver };
    const described = describeInference(inferContracts(tools, functions, options), options.shown);
    return {
      schema: schemaVersion,
      tool: { name: "tracefold", version: options.version },
      command: "infer",
      status: unknowns.length === 0 ? "ok" : "unknown",
      target: null,
      notes: [],
      ...rest,
      ...described,
      diff: options.before === null ? null : diffContracts(options.before, described),
      stats: {
        ms: Math.round(performance.now() - options.start),
        solver: { queries: chain.statistics.queries, ms: Math.round(chain.statistics.milliseconds) },
      },
      unknowns,
    };
  } finally {
    chain.solver.dispose();
  }
}
