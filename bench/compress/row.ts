import { cancelledAfter } from "../../src/base/cancellation.ts";
import { compressRun } from "../../src/commands/compress/pipeline.ts";
import { describeCompression } from "../../src/commands/explain/describeFolding.ts";
import type { Explained } from "../../src/commands/explain/result.ts";
import { edgeAt, stepCursor } from "../../src/interpreter/stepCursor.ts";
import type { Trace } from "../../src/interpreter/trace.ts";
import type { Edge } from "../../src/ir/program.ts";
import { liveWithInputs } from "./encodedInputs.ts";
import type { PaperRow } from "./paper.ts";
import { staticSlice } from "./slice.ts";

/** One run, compressed. */
export type OurRow = {
  readonly steps: number;
  readonly compressed: number;
  readonly unrolls: number;
  readonly innerUnrolls: number;
  readonly triples: number;
  readonly checked: boolean;
  readonly milliseconds: number;
  readonly queries: number;
  /** The work was ended because it took too long: the rest says nothing. */
  readonly late: boolean;
};

/** What one row may take. */
export const rowSeconds = 240;

export function compressedRow(trace: Trace): OurRow {
  return compressed(trace).all;
}

/** With all steps of the run, and with those that slicing for the target leaves. */
export function compressedRows(trace: Trace): { readonly all: OurRow; readonly sliced: OurRow } {
  const { all, report } = compressed(trace);
  const isLeft = stepsOfSlice(trace);
  const left = report.folding!.steps.filter((step) => step.kind === "loop" || isLeft[step.step - 1] === 1);
  return { all, sliced: { ...all, steps: isLeft.reduce((sum, one) => sum + one, 0), compressed: left.length } };
}

function compressed(trace: Trace): { readonly all: OurRow; readonly report: Explained } {
  const start = performance.now();
  const run = compressRun(trace, { cancellation: cancelledAfter(rowSeconds * 1000) });
  const milliseconds = performance.now() - start;
  const report = describeCompression(run, { version: "bench", ms: 0 });
  const all: OurRow = {
    steps: report.trace.steps,
    compressed: report.folding!.length,
    unrolls: report.folding!.unrolls,
    innerUnrolls: report.folding!.innerUnrolls,
    triples: report.proof.triples,
    checked: report.proof.checked,
    milliseconds,
    queries: report.stats.solver.queries,
    late: run.compressed.interrupted,
  };
  return { all, report };
}

/** How many steps of a run are in the slice for its target, up to a step. */
export function slicedLength(trace: Trace, to = trace.steps): number {
  return stepsOfSlice(trace)
    .subarray(0, to)
    .reduce((sum, one) => sum + one, 0);
}

const slices = new WeakMap<Trace, ReadonlySet<Edge>>();

function sliceOf(trace: Trace): ReadonlySet<Edge> {
  const { errorFlag, watched } = trace.program;
  let slice = slices.get(trace);
  if (slice === undefined) {
    const wanted = [errorFlag, watched].filter((variable) => variable !== undefined);
    slice = staticSlice(trace.program, wanted, liveWithInputs(trace));
    slices.set(trace, slice);
  }
  return slice;
}

/** 1 for each step in the slice for the target; inputs are not read in the authors' programs, but written into them. */
function stepsOfSlice(trace: Trace): Uint8Array {
  const slice = sliceOf(trace);
  const isLeft = new Uint8Array(trace.steps);
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const edge = edgeAt(trace.program, cursor);
    if (slice.has(edge) && edge.operation.kind !== "input") isLeft[cursor.step] = 1;
  }
  return isLeft;
}

export type Verdict = "better" | "as good" | "worse";

const compression = ({ steps, compressed }: { steps: number; compressed: number }) => 1 - compressed / steps;

/** Against the published row, in steps that are left and in iterations that had to be unrolled: %C grows with the run. */
export function compareRows(ours: OurRow, published: PaperRow): Verdict {
  const gains = [
    published.compressed - ours.compressed,
    published.unrolls + published.innerUnrolls - ours.unrolls - ours.innerUnrolls,
  ];
  if (gains.some((gain) => gain < 0)) return "worse";
  return gains.some((gain) => gain > 0) ? "better" : "as good";
}

const columns = [10, 6, 7, 7, 8, 11] as const;
const cells = (values: readonly string[]) => values.map((value, i) => value.padStart(columns[i]!)).join("");
const count = (value: number) => value.toLocaleString("en-US");
const percent = (row: { steps: number; compressed: number }) => `${Math.round(100 * compression(row))} %`;
const unrolls = (row: { unrolls: number; innerUnrolls: number }) =>
  row.innerUnrolls === 0 ? `${row.unrolls}` : `${row.unrolls} (${row.innerUnrolls})`;

const nameWidth = 34;

export function printHeader(title: string): void {
  const names = cells(["steps", "left", "%C", "unr.", "triples", "time"]);
  console.log(`\n${title}`);
  console.log(`${"".padEnd(nameWidth)}${names}  proof     |${names}  against the paper`);
}

export function printRow(name: string, ours: OurRow, published: PaperRow | null): void {
  if (ours.late) return console.log(`${name.padEnd(nameWidth)} no row within ${rowSeconds} s`);
  const own = cells([
    count(ours.steps),
    count(ours.compressed),
    percent(ours),
    unrolls(ours),
    `${ours.triples}`,
    `${ours.milliseconds.toFixed(0)} ms`,
  ]);
  const theirs =
    published === null
      ? ""
      : `${cells([
          count(published.steps),
          count(published.compressed),
          percent(published),
          unrolls(published),
          `${published.triples}`,
          `${published.seconds} s`,
        ])}  ${compareRows(ours, published)}`;
  console.log(`${name.padEnd(nameWidth)}${own}  ${ours.checked ? "checked  " : "UNCHECKED"} |${theirs}`);
}
