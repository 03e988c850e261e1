import { readFileSync } from "node:fs";
import { TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/frontend/c/loadC.ts";
import type { Program } from "../../src/ir/program.ts";
import type { Activation } from "../../src/run/run.ts";
import { runOf } from "../../src/run/runOf.ts";
import { isFailingRun } from "../../src/search/isFailure.ts";
import { searchFailure } from "../../src/search/searchFailure.ts";
import type { InputValue } from "../../src/trace/inputs.ts";
import { edgeAt, stepCursor } from "../../src/trace/stepCursor.ts";
import { recordTrace, type Trace } from "../../src/trace/trace.ts";
import type { PaperRow } from "./paper.ts";
import type { Published } from "./publishedPrograms.ts";
import { slicedLength } from "./row.ts";

export type FoundRun = { readonly trace: Trace | null; readonly runs: number };

/** A failing run as it is kept: recording it again is cheaper than keeping them all. */
type Failing = { readonly inputs: readonly InputValue[]; readonly errorAt: number; readonly steps: number };

/** Of the failing runs that go round equally often so many are kept, those that record their error first. */
const kept = 10;
/** The published runs are shorter than 1,500 steps. */
const maxSteps = 4_000;

/**
 * A failing run as long as the published one, in rounds of its loop and in steps of the slice, or else the one that goes
 * round most. In the published runs the error is recorded in the first rounds and most rounds come after it, so of the
 * runs found the one with the earliest error is taken; one that is too short is made longer by reading the inputs of some
 * rounds again.
 */
export async function failingRun(path: string, program: Published, row: PaperRow, runs: number): Promise<FoundRun> {
  const loaded = await loadFor(path, program, row.rounds);
  const pool = new Map<number, Failing[]>();
  const search = searchFailure(
    loaded,
    { maxSteps },
    {
      seed: 1,
      runs,
      steps: 20_000_000,
      deepSteps: 0,
      accepts(outcome, trace) {
        if (outcome.kind !== "exit" && outcome.kind !== "error-location") return false;
        const reached = Math.min(row.rounds, roundsOf(trace));
        const found = { inputs: inputsOf(trace), errorAt: errorStep(trace), steps: trace.steps };
        pool.set(reached, [...(pool.get(reached) ?? []), found].sort(earlierFirst).slice(0, kept));
        // What is watched is not recorded: one run is as good as another.
        return program.target !== undefined && reached === row.rounds;
      },
    },
  );
  let longest: { readonly trace: Trace; readonly rounds: number } | null = null;
  for (const { inputs } of [...pool.values()].flat().sort(earlierFirst)) {
    const trace = lengthened(recordTrace(loaded, { inputs }), row);
    const rounds = roundsOf(trace);
    if (longest === null || rounds > longest.rounds) longest = { trace, rounds };
    if (isLongEnough(trace, row)) return { trace, runs: search.runs };
  }
  return { trace: longest?.trace ?? null, runs: search.runs };
}

/** Where the bound is written into the program, it says how long a run is. */
function isLongEnough(trace: Trace, { rounds, steps }: PaperRow): boolean {
  if (roundsOf(trace) < rounds) return false;
  return trace.program.watched !== undefined || slicedLength(trace) >= steps;
}

async function loadFor(path: string, { edit, target }: Published, bound: number): Promise<Program> {
  const original = readFileSync(path, "utf8").replace(/^#line.*$/gm, "");
  const text = edit?.(original, bound) ?? original;
  return loadCText(path, text, {
    dataModel: "ILP32",
    uninitialized: "input",
    ...(target === undefined
      ? { errorFlag: true }
      : { watch: { file: path, line: lineOf(text, target.at), condition: target.condition } }),
  });
}

function earlierFirst(a: Failing, b: Failing): number {
  return a.errorAt - b.errorAt || a.steps - b.steps;
}

function inputsOf({ inputs }: Trace): readonly InputValue[] {
  return inputs.map(({ value }) => value);
}

/** Where the error is first recorded; the end of the run if that is not what it is about. */
function errorStep(trace: Trace): number {
  const { errorFlag } = trace.program;
  const cursor = stepCursor(trace);
  while (cursor.next()) {
    const { operation } = edgeAt(trace.program, cursor);
    if (operation.kind === "assign" && operation.target === errorFlag) return cursor.step;
  }
  return trace.steps;
}

/** So many times the inputs of some rounds are read again at most. */
const mostCopies = 64;

/** The run, or one that reads the inputs of some rounds again until it is long enough; late rounds are tried first. */
function lengthened(trace: Trace, row: PaperRow): Trace {
  const loop = longestLoop(trace);
  if (loop === null || isLongEnough(trace, row)) return trace;
  const { visits } = loop;
  const rounds = visits.length - 1;
  const between = (from: number, to: number) =>
    trace.inputs.filter(({ step }) => step >= from && step < to).map(({ value }) => value);
  for (let to = rounds; to > 0; to--) {
    for (let from = to - 1; from >= 0; from--) {
      const again = between(visits[from]!, visits[to]!);
      for (let copies = 1; copies <= mostCopies; copies *= 2) {
        const repeated = Array.from({ length: copies }, () => again).flat();
        const inputs = [...between(0, visits[to]!), ...repeated, ...between(visits[to]!, Infinity)];
        const longer = tryRun(trace.program, inputs);
        if (longer === null || roundsOf(longer) <= rounds) break;
        if (isLongEnough(longer, row)) return longer;
      }
    }
  }
  return trace;
}

/** null where a value does not fit what asks for it, or the run does not fail. */
function tryRun(program: Program, inputs: readonly InputValue[]): Trace | null {
  try {
    const trace = recordTrace(program, { inputs, maxSteps });
    return isFailingRun(trace) && trace.outcome.kind !== "limit" ? trace : null;
  } catch (error) {
    if (!(error instanceof TracefoldError)) throw error;
    return null;
  }
}

/** The last line of what matches, from 1. */
function lineOf(text: string, pattern: RegExp): number {
  const match = pattern.exec(text);
  if (match === null) throw new Error(`nothing matches ${pattern}`);
  return text.slice(0, match.index + match[0].length).split("\n").length;
}

/** The activation that went round most. */
function longestLoop(trace: Trace): Activation | null {
  const activations = runOf(trace).activations({ from: 0, to: trace.steps, isTransparent: () => false });
  return activations.toSorted((a, b) => b.visits.length - a.visits.length)[0] ?? null;
}

export function roundsOf(trace: Trace): number {
  const loop = longestLoop(trace);
  return loop === null ? 0 : loop.visits.length - 1;
}
