import { Defect } from "../../../src/base/errors.ts";
import type { InputValue } from "../../../src/interpreter/inputs.ts";
import type { Outcome } from "../../../src/interpreter/outcome.ts";
import type { UndefinedBehaviour } from "../../../src/ir/operation.ts";
import { type OracleProgram, type OracleRun, runWithGcc } from "../gccOracle.ts";
import type { Violation } from "./judgeClaim.ts";
import { describeOutcome, placeOf } from "./sameFailure.ts";

/** Runs of one program that gcc's build is to make too, with what they ended with in the interpreter. */
export type GccJob = {
  readonly text: string;
  /** The same, without checks of invariants: where a check is no C. */
  readonly plain: string;
  readonly checks: readonly string[];
  readonly topLevel: readonly string[];
  readonly runs: readonly { readonly inputs: readonly InputValue[]; readonly outcome: Outcome }[];
};

/** What gcc's sanitizers see; the others go unnoticed, and what comes then means nothing. */
const seen: ReadonlySet<UndefinedBehaviour> = new Set([
  "signed-overflow",
  "division-by-zero",
  "bad-shift",
  "null-dereference",
  "use-after-free",
  "double-free",
  "array-length",
]);

/** Does gcc's build end a run there too? */
export function isSeenByGcc(outcome: Outcome): boolean {
  return outcome.kind !== "limit" && (outcome.kind !== "undefined-behaviour" || seen.has(outcome.problem));
}

/** Builds the programs of some jobs together and compares; for each job what differs. */
export async function compareWithGcc(jobs: readonly GccJob[]): Promise<Violation[][]> {
  const rows = jobs.flatMap((job) => job.runs.map((run) => ({ job, run })));
  if (rows.length === 0) return jobs.map(() => []);
  const answers = await runAll(rows.map(({ job, run }) => programOf(job, job.text, run.inputs))).catch(
    (error: unknown) => {
      if (error instanceof Defect) throw error;
      return runAll(rows.map(({ job, run }) => programOf(job, job.plain, run.inputs)));
    },
  );
  return jobs.map((job) => rows.flatMap((row, i) => (row.job === job ? differences(job, row.run, answers[i]!) : [])));
}

function runAll(programs: readonly OracleProgram[]): Promise<OracleRun[]> {
  return runWithGcc(programs, {
    dataModel: "LP64",
    sanitize: "address,undefined",
    cycleInputs: false,
    seconds: 2,
  });
}

function programOf({ topLevel }: GccJob, text: string, inputs: readonly InputValue[]): OracleProgram {
  return { text, topLevel, inputs: inputs.map((value) => BigInt(value)) };
}

function differences(job: GccJob, { inputs, outcome }: GccJob["runs"][number], theirs: OracleRun): Violation[] {
  const { end } = theirs;
  if (end.kind === "check") return [{ kind: "invariant", detail: `${job.checks[end.number]} is false`, inputs }];
  if (agrees(outcome, theirs)) return [];
  const line = theirs.line === null ? "" : ` at line ${theirs.line}`;
  const what =
    "message" in end
      ? end.message
      : "code" in end
        ? `exit ${end.code}`
        : "signal" in end
          ? `signal ${end.signal}`
          : end.kind;
  return [{ kind: "gcc differs", detail: `${what}${line} instead of ${describeOutcome(outcome)}`, inputs }];
}

function agrees(ours: Outcome, { end, line }: OracleRun): boolean {
  const ourLine = placeOf(ours)?.line ?? null;
  switch (ours.kind) {
    case "exit":
      return end.kind === "exit" && end.code === ours.code;
    case "abort":
      return end.kind === "signal" && end.signal === 6 && line === ourLine;
    case "assertion":
    case "error-location":
    case "undefined-behaviour":
      return end.kind === ours.kind && line === ourLine;
    case "assumption-violated":
      return end.kind === "assumption";
    case "needs-input":
      return end.kind === "inputs-exhausted";
    case "wrong-output":
    case "wrong-exit":
    case "limit":
      return true;
  }
}
