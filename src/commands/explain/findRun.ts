import { type Cancellation, neverCancelled, throwIfCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { readGiven } from "../../base/files.ts";
import { dependenceGraph } from "../../dependence/dependenceGraph.ts";
import { failedCheck } from "../../dependence/failedCheck.ts";
import type { FailureSignals } from "../../frontEnd/frontEnd.ts";
import type { Outcome } from "../../interpreter/outcome.ts";
import type { RunOptions } from "../../interpreter/run.ts";
import { recordTrace, type Trace } from "../../interpreter/trace.ts";
import type { Program } from "../../ir/program.ts";
import { isFailure, quickRuns, searchFailure } from "../../search/seededRuns.ts";
import { quickShrink, runOptionsOf, shrinkRun } from "../../search/shrink.ts";

export type RunSource =
  | { readonly kind: "inputs" }
  /** No run was given: search for any failure. */
  | { readonly kind: "search" }
  | { readonly kind: "witness"; readonly path: string }
  | { readonly kind: "cbmc"; readonly path: string; readonly property: string | null };

export type RunQuery = {
  readonly source: RunSource;
  /** The parts of the run that were given. */
  readonly run: RunOptions;
  /** True if the user said which exit status is right. */
  readonly expectsStatus: boolean;
  readonly seed: number;
  /** True if a condition at a location is explained instead of a failure. */
  readonly hasTarget: boolean;
  readonly cancellation: Cancellation;
  searching(): void;
};

/** `notes` say where the run came from. `others` are failures of other kinds or places that the search saw. */
export type FoundRun = {
  readonly trace: Trace;
  readonly notes: readonly string[];
  readonly others?: readonly Outcome[];
};

/** Returns the run to explain: given, read from another tool's file, or searched. */
export async function findRun(program: Program, query: RunQuery): Promise<FoundRun> {
  const { source, run } = query;
  switch (source.kind) {
    case "inputs":
      return { trace: recordTrace(program, run), notes: [] };
    case "search":
      return searchedRun(program, query);
    case "witness":
      return witnessedRun(program, query, source.path);
    case "cbmc":
      return cbmcRun(program, query, source.path, source.property);
  }
}

/** The number of runs that are tried to reach a target. */
const targetRuns = 300;

/** A program without inputs has one run; otherwise search for a failure or the target. */
function searchedRun(program: Program, query: RunQuery): FoundRun {
  const { run, seed, cancellation, hasTarget } = query;
  const trace = recordTrace(program, run);
  if (trace.outcome.kind !== "needs-input") return { trace, notes: [] };
  query.searching();
  // Programs with nondeterministic inputs refuse some of them by their status.
  const searched = query.expectsStatus ? run : withoutStatus(run);
  const runs = hasTarget ? targetRuns : quickRuns.runs;
  const found = searchFailure(program, searched, { ...quickRuns, runs, seed, cancellation });
  if (found.kind === "none") throw nothingFound(program, found.runs, cancellation);
  if (hasTarget) return { trace: found.trace, notes: [] };
  return { trace: smallest(found.trace, { ...query, run: searched }), notes: [], others: found.others };
}

function withoutStatus(run: RunOptions): RunOptions {
  const { exit: _, ...expected } = run.expected ?? {};
  return { ...run, expected };
}

/** The user asked for no specific run, so a smaller one is easier to understand. */
function smallest(large: Trace, { run, cancellation }: RunQuery): Trace {
  const { inputs } = shrinkRun(large, { ...quickShrink, cancellation });
  // This run is known to fail soon: record it even after a cancellation.
  return recordTrace(large.program, { ...run, inputs, cancellation: neverCancelled });
}

async function witnessedRun(program: Program, query: RunQuery, path: string): Promise<FoundRun> {
  const { readWitness, witnessInputs } = await import("../../interop/witness/readWitness.ts");
  const { checkWitnessFiles } = await import("../../interop/witness/readInvariants.ts");
  const witness = readWitness(readGiven("--witness", path), path);
  checkWitnessFiles(witness, program, path);
  const { run } = query;
  const target = nth(witness.waypoints, witness.waypoints.length - 1);
  query.searching();
  // Search for the inputs that the witness does not fix.
  const found = searchFailure(
    program,
    run,
    { ...quickRuns, runs: 2000, seed: query.seed, cancellation: query.cancellation },
    (attempt) => witnessInputs(witness, program, attempt),
  );
  if (found.kind === "none") {
    throwIfCancelled(query.cancellation, "looking for a run that follows the witness");
    throw new TracefoldError({
      code: "TF138",
      message: "no run that follows this witness fails",
      range: target.at,
      help: "Its inputs may be missing: give them with --inputs.",
    });
  }
  return { trace: found.trace, notes: elsewhere(found.trace, target.location.line, "the witness") };
}

async function cbmcRun(program: Program, query: RunQuery, path: string, property: string | null): Promise<FoundRun> {
  const { inputValues, readCbmcRun } = await import("../../interop/cbmc/readCbmcRun.ts");
  const cbmc = readCbmcRun(readGiven("--cbmc-trace", path), {
    file: path,
    sites: inputSites(program),
    ...(property === null ? {} : { property }),
  });
  const inputs = inputValues(cbmc.inputs, path);
  const trace = recordTrace(program, { ...query.run, inputs });
  if (!isFailure(trace.outcome) && !query.hasTarget) {
    throw new TracefoldError({
      code: "TF138",
      message: `the trace does not replay: with its inputs (${inputs.join(", ") || "none"}) the run does not fail`,
      range: { file: path, line: 1, column: 1, endLine: 1, endColumn: 1 },
      help: `CBMC reports ${cbmc.property}: ${cbmc.reason}. It may be about another program, or about other options.`,
    });
  }
  return { trace, notes: elsewhere(trace, cbmc.location?.line ?? null, "the trace of CBMC") };
}

function elsewhere({ outcome }: Trace, line: number | null, who: string): string[] {
  const at = "at" in outcome ? outcome.at : null;
  if (line === null || at === null || (at.range.line <= line && line <= at.range.endLine)) return [];
  return [`${who} fails at line ${line}; with its inputs the run fails here first`];
}

/** The lines that read a nondeterministic input. */
function inputSites(program: Program): { readonly file: string; readonly line: number }[] {
  return program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ operation, range }) =>
      operation.kind === "input" ? [{ file: range.file, line: range.line }] : [],
    ),
  );
}

function nothingFound(program: Program, runs: number, cancellation: Cancellation): TracefoldError {
  throwIfCancelled(cancellation, `looking for a failing run: ${runs} runs did not fail`);
  return new TracefoldError({
    code: "TF347",
    message: `no failing run was found in ${runs} tries with random inputs`,
    range: nth(program.functions, program.entry).range,
    help: "Give inputs for which it fails with --inputs, another --seed, or a condition to explain with --target.",
  });
}

/**
 * A run that ends with a wrong status because one of its checks failed is explained from that check: the program is read
 * again with its checks as assertions. Other runs are returned as they are.
 */
export async function atFailedCheck(
  found: FoundRun,
  load: (checks: FailureSignals) => Promise<Program>,
): Promise<FoundRun> {
  const { trace } = found;
  if (trace.outcome.kind !== "wrong-exit" || trace.program.watched !== undefined) return found;
  const signals = failedCheck(dependenceGraph(trace));
  if (signals === null) return found;
  const program = await load(signals);
  const inputs = trace.inputs.map(({ value }) => value);
  // A change must also print what the test expects.
  const { expected } = trace.settings;
  const checked = recordTrace(program, { ...runOptionsOf(trace), inputs, ...(expected === null ? {} : { expected }) });
  return checked.outcome.kind === "assertion" ? { ...found, trace: checked } : found;
}
