import { readFileSync } from "node:fs";
import { passesAll } from "../../src/analyses/counterfactual/evidence.ts";
import { experimentSteps, runExperiments } from "../../src/analyses/counterfactual/experiments.ts";
import type { SuspectedLine } from "../../src/analyses/counterfactual/suspect.ts";
import { budgetOf, cancelledAfterWork, neverCancelled } from "../../src/base/cancellation.ts";
import { cChanges } from "../../src/c/cFrontEnd.ts";
import { applyEdits, type Change, describeTextChange } from "../../src/changes/change.ts";
import { dependenceGraph } from "../../src/dependence/dependenceGraph.ts";
import { projectOf } from "../../src/frontEnd/project.ts";
import { type RunOptions, runProgram } from "../../src/interpreter/run.ts";
import { recordTrace } from "../../src/interpreter/trace.ts";
import type { Program } from "../../src/ir/program.ts";
import { type AppliedChange, applyChanges } from "./applyChanges.ts";
import type { Bug, TestFiles } from "./bugs.ts";
import { withGcc } from "./gccProgram.ts";

export type BugResult = {
  readonly name: string;
  readonly error: string | null;
  readonly seconds: number;
  /** The place of the first faulty line among the suspects, from 1; 0 if it is not among them. */
  readonly rank: number;
  readonly lines: number;
  /** The lines with a change that passes all given tests, and those with one that at least breaks none. */
  readonly passingLines: number;
  readonly harmlessLines: number;
  readonly isSure: boolean;
  readonly shown: { readonly kind: string; readonly text: string; readonly passesAll: boolean } | null;
  /** Does the shown change pass the held-out tests? */
  readonly passesHeldOut: boolean;
  readonly evidence: readonly {
    readonly line: number;
    readonly faulty: boolean;
    readonly evidence: SuspectedLine["evidence"];
  }[];
  readonly applied: readonly AppliedChange[];
};

const mostSteps = 5_000_000;
/** In milliseconds of processor time. */
const budget = 5_000;

/** With `applies`, the changes that are said to pass all tests are applied to the text and run by gcc. */
export function explainBug(bug: Bug, mostPassing: number, applies: boolean): BugResult {
  const start = process.cpuUsage();
  const seconds = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1e6;
  };
  try {
    return { ...examine(bug, mostPassing, seconds, applies) };
  } catch (error) {
    const nothing = {
      rank: 0,
      lines: 0,
      passingLines: 0,
      harmlessLines: 0,
      isSure: false,
      shown: null,
      passesHeldOut: false,
      evidence: [],
      applied: [],
    };
    return { name: bug.name, error: (error as Error).message.slice(0, 100), seconds: seconds(), ...nothing };
  }
}

/** What is found for a bug, and the tests that took part: the failing one that is explained comes first. */
export type Explained = { readonly suspects: readonly SuspectedLine[]; readonly tests: readonly TestFiles[] };

export type SearchOptions = {
  /** At most this many passing tests. */
  readonly mostPassing?: number;
  /** False: only steps count, so that the answer does not depend on the load. */
  readonly isLimited?: boolean;
};

export function suspectsOf(bug: Bug, options: SearchOptions = {}): Explained {
  const { mostPassing = Number.POSITIVE_INFINITY, isLimited = true } = options;
  const frontEnd = cChanges({ unsupported: "whenReached" });
  const project = projectOf([{ path: bug.path, text: bug.text }]);
  const program = frontEnd.load(project);
  const tests = bug.given.map((files) => ({ files, run: runOf(files), ...outcomeOf(program, runOf(files)) }));
  // What a test expects is asked first.
  const rank = ({ kind, steps }: (typeof tests)[number]) => (kind === "wrong-output" ? 0 : 1e12) + steps;
  const failing = tests.filter(({ passes }) => !passes).sort((a, b) => rank(a) - rank(b));
  const [first, ...others] = failing;
  if (first === undefined) throw new Error("no given test fails");
  const passing = tests.filter(({ passes }) => passes).slice(0, mostPassing);
  const { suspects } = runExperiments(dependenceGraph(recordTrace(program, { ...first.run, maxSteps: mostSteps })), {
    passing: [...others, ...passing].map(({ files, run }) => ({ name: files.name, ...run })),
    changes: { frontEnd, project },
    budget: budgetOf(experimentSteps, isLimited ? cancelledAfterWork(budget, neverCancelled) : neverCancelled),
  });
  return { suspects, tests: [first, ...others, ...passing].map(({ files }) => files) };
}

function examine(bug: Bug, mostPassing: number, work: () => number, applies: boolean): BugResult {
  const explained = suspectsOf(bug, { mostPassing });
  const seconds = work();
  const { suspects } = explained;
  const shown = suspects[0]?.change ?? null;
  const ordered = suspects.map(({ range, change, evidence }) => ({ line: range.line, change, evidence }));
  const harmless = ordered.filter(({ change }) => change !== null && passesAll(change));
  return {
    name: bug.name,
    error: null,
    seconds,
    rank: ordered.findIndex(({ line }) => bug.lines.includes(line)) + 1,
    lines: suspects.length,
    passingLines: harmless.filter(({ change }) => change?.stillFailing.length === 0).length,
    harmlessLines: harmless.length,
    isSure: suspects[0]?.certainty === "sure",
    shown:
      shown === null
        ? null
        : {
            kind: shown.change.kind,
            text: describeTextChange(bug.text, shown.change).text,
            passesAll: shown.broken.length === 0,
          },
    passesHeldOut: shown !== null && passesHeldOut(bug, shown.change),
    evidence: ordered.map(({ line, evidence }) => ({ line, faulty: bug.lines.includes(line), evidence })),
    applied: applies ? applyChanges(bug, explained) : [],
  };
}

function runOf({ input, output }: TestFiles): RunOptions {
  const read = (path: string) => new Uint8Array(readFileSync(path));
  return { stdin: read(input), expected: { stdout: read(output), compares: "tokens" } };
}

function outcomeOf(program: Program, run: RunOptions) {
  const { outcome, steps } = runProgram(program, { ...run, maxSteps: mostSteps, onOutput: () => undefined });
  return { passes: outcome.kind === "exit", kind: outcome.kind, steps };
}

function passesHeldOut({ text, heldOut }: Bug, { edits }: Change): boolean {
  return withGcc(applyEdits(text, edits), "plain", ({ run }) => heldOut.every((test) => run(test).passes)) ?? false;
}
