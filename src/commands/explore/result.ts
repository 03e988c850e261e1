import type { SourceRange } from "../../base/sourceRange.ts";
import type { InputValue } from "../../interpreter/inputs.ts";
import type { Program } from "../../ir/program.ts";
import {
  type About,
  type CommonReport,
  describeNotes,
  describeProgram,
  type JsonNumber,
  jsonNumber,
  reportHead,
  solverStats,
} from "../common/result.ts";
import { describeOutcome } from "../run/describeRun.ts";
import type { ExploredProgram } from "./pipeline.ts";
import { type PrintedNode, printedNodes } from "./printedTree.ts";

export type ExploreReport = CommonReport & {
  readonly command: "explore";
  readonly mode: "classic" | "concolic" | "compact" | "bounded" | "merged";
  /** True if every path was followed to its end and every query was answered. */
  readonly complete: boolean;
  readonly tree: {
    readonly nodes: number;
    readonly leaves: number;
    readonly failedLeaves: number;
    /** With `--html`: its first nodes, parents before children. */
    readonly list?: readonly PrintedNode[];
  };
  /** The number of visited states. */
  readonly states: number;
  /** The largest number of branches on one path. */
  readonly depth: number;
  readonly cycles: number;
  /** The number of computed templates and of their applications. */
  readonly templates: number;
  readonly applied: number;
  readonly runs: number;
  readonly targets: readonly ReportedTarget[];
  readonly failures: readonly ReportedFailure[];
  readonly tests: readonly (readonly JsonNumber[])[];
};

export type ReportedTarget = {
  readonly kind: "assertion" | "error-location" | "undefined-behaviour" | "line" | "branch";
  readonly text: string;
  readonly location: SourceRange;
  readonly status: "reached" | "unreachable" | "unknown";
  /** The inputs of a run that reached it. */
  readonly inputs?: readonly JsonNumber[];
  readonly reason?: string;
};

export type ReportedFailure = {
  readonly message: string;
  readonly location: SourceRange | null;
  /** With `--all`: the inputs for which runs fail like this one. */
  readonly reason?: string;
  readonly inputs: readonly JsonNumber[];
  readonly steps: number;
  /** A command that runs it. */
  readonly replay: string;
};

export function describeExploration(
  program: Program,
  explored: ExploredProgram,
  about: About & {
    readonly tests: boolean;
    /** True to list the kept nodes of the tree. */
    readonly listed: boolean;
    replay(inputs: readonly InputValue[], steps: number): string;
  },
): ExploreReport {
  const { targets, counts, tree, failures, isComplete, cuts, statistics } = explored;
  const isOpen = targets.some(({ status }) => status === "unknown");
  const isBad = failures.length > 0;
  return {
    ...reportHead("explore", about),
    status: isBad ? "failed" : isOpen ? "unknown" : "ok",
    program: describeProgram(program),
    target: null,
    mode: explored.mode,
    complete: isComplete,
    tree: {
      nodes: tree.size,
      leaves: tree.leaves,
      failedLeaves: tree.failedLeaves,
      ...(about.listed ? { list: printedNodes(explored.symbols, tree.nodes.slice(0, mostListed)) } : {}),
    },
    states: counts.states,
    depth: counts.deepest,
    cycles: counts.cycles,
    templates: counts.templates,
    applied: counts.applied,
    runs: counts.runs + counts.seededRuns,
    targets: targets.map((each) => ({
      kind: each.target.kind,
      text: each.target.text,
      location: each.target.range,
      status: each.status,
      ...(each.status === "reached" ? { inputs: each.run.inputs.map(jsonNumber) } : {}),
      ...(each.status === "unknown" ? { reason: each.reason } : {}),
    })),
    failures: failures.map(({ outcome, inputs, steps, reason }) => {
      const { message, location } = describeOutcome(program, outcome);
      const why = reason === undefined ? {} : { reason };
      return { message, location, ...why, inputs: inputs.map(jsonNumber), steps, replay: about.replay(inputs, steps) };
    }),
    tests: about.tests ? testsOf(explored) : [],
    notes: describeNotes(program.notes),
    stats: solverStats(about, statistics),
    unknowns: isOpen ? cuts.map(({ reason, range, help }) => ({ reason, where: range, help })) : [],
  };
}

/** Nobody looks at more nodes of a tree. */
export const mostListed = 2000;

/** The inputs of runs to all leaves and reached targets, each once. */
export function testInputs({
  tests,
  targets,
}: Pick<ExploredProgram, "tests" | "targets">): readonly (readonly InputValue[])[] {
  const all = [...targets.flatMap((each) => (each.status === "reached" ? [each.run.inputs] : [])), ...tests];
  const byText = new Map(all.map((inputs) => [inputs.join(), inputs]));
  return [...byText.values()];
}

function testsOf(explored: ExploredProgram): readonly (readonly JsonNumber[])[] {
  return testInputs(explored).map((inputs) => inputs.map(jsonNumber));
}
