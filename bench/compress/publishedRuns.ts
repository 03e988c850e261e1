import { readFileSync } from "node:fs";
import { TracefoldError } from "../../src/base/errors.ts";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import type { InputSource, InputValue } from "../../src/interpreter/inputs.ts";
import type { Outcome } from "../../src/interpreter/outcome.ts";
import { edgeAt, stepCursor } from "../../src/interpreter/stepCursor.ts";
import { recordTrace, type Trace } from "../../src/interpreter/trace.ts";
import type { Program } from "../../src/ir/program.ts";
import type { Activation } from "../../src/recordedRun/run.ts";
import { runOf } from "../../src/recordedRun/runOf.ts";
import { isFailingRun, searchFailure } from "../../src/search/seededRuns.ts";
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
 * A failing run as long as the published one, in rounds of its loop and in steps of the slice, or else one that goes
 * round most. In the published runs the error is recorded in the first rounds and most rounds come after it, so of the
 * runs found the one is taken in which least comes before the round behind the error; one that is too short is made longer by
 * reading the inputs of some rounds again.
 */
export async function failingRun(path: string, program: Published, row: PaperRow, runs: number): Promise<FoundRun> {
  const loaded = await loadFor(path, program, row.rounds);
  const pool = new Map<number, Failing[]>();
  let tried = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const options = { seed, runs, steps: 20_000_000, deepSteps: 0 };
    const accepts = (outcome: Outcome, trace: Trace): boolean => {
      if (outcome.kind !== "exit" && outcome.kind !== "error-location") return false;
      const reached = Math.min(row.rounds, roundsOf(trace));
      const found = { inputs: inputsOf(trace), errorAt: errorStep(trace), steps: trace.steps };
      pool.set(reached, [...(pool.get(reached) ?? []), found].sort(earlierFirst).slice(0, kept));
      // What is watched is not recorded: one run is as good as another.
      return program.target !== undefined && reached === row.rounds;
    };
    const search = searchFailure(loaded, { maxSteps }, { ...options, accepts }, everyOtherSteady());
    tried += search.runs;
    if (search.kind === "found") break;
  }
  const found = [...pool.values()].flat().sort(earlierFirst).slice(0, mostTried);
  const traces = found.map(({ inputs }) => lengthened(recordTrace(loaded, { inputs }), row));
  const most = traces.reduce((rounds, trace) => Math.max(rounds, roundsOf(trace)), 0);
  const fitting = traces.filter((trace) => isLongEnough(trace, row));
  const [trace = null] = (fitting.length > 0 ? fitting : traces.filter((each) => roundsOf(each) === most))
    .map((each) => ({ each, before: stepsBeforeRest(each) }))
    .sort((a, b) => a.before - b.before)
    .map(({ each }) => each);
  return { trace: trace === null ? null : shortenedBefore(trace, row), runs: tried };
}

/** One search finds runs of one kind: which kind, changes with every change of the search. */
const seeds = 12;

/** Of the failing runs so many are made longer. */
const mostTried = 24;

/** In every other run each place reads what it read first: so loops go round as often as they may. */
function everyOtherSteady(): (attempt: InputSource) => InputSource {
  let runs = 0;
  return (attempt) => {
    const first = new Map<string, InputValue | null>();
    if (runs++ % 2 === 0) return attempt;
    return (request) => {
      const { line, column } = request.range;
      const place = `${line}:${column}`;
      const value = first.has(place) ? first.get(place)! : attempt(request);
      first.set(place, value);
      return value;
    };
  };
}

/** So many inputs are left out at once at most, and so many runs are tried without some. */
const mostLeftOut = 8;
const mostShortened = 300;

/** The run without inputs that its error needs no more than the published run did: less comes before the rest. */
function shortenedBefore(trace: Trace, row: PaperRow): Trace {
  let best = { trace, before: stepsBeforeRest(trace) };
  let tried = 0;
  const attempt = (inputs: readonly InputValue[]): boolean => {
    if (++tried > mostShortened) return false;
    const shorter = tryRun(trace.program, inputs);
    if (shorter === null || roundsOf(shorter) < roundsOf(trace) || !isLongEnough(shorter, row)) return false;
    const before = stepsBeforeRest(shorter);
    if (before >= best.before) return false;
    best = { trace: shorter, before };
    return true;
  };
  for (let size = mostLeftOut; size >= 1; size >>= 1) {
    for (let from = 0; from < best.trace.inputs.length && best.trace.inputs[from]!.step < best.trace.steps / 2; ) {
      const inputs = inputsOf(best.trace);
      const replaced = [0n, 1n].map((value) => [...inputs.slice(0, from), value, ...inputs.slice(from + size)]);
      const without = [...inputs.slice(0, from), ...inputs.slice(from + size)];
      if (![without, ...replaced].some(attempt)) from++;
    }
  }
  return best.trace;
}

/** Steps of the slice before the first arrival at the loop's head behind the error: from there on only rounds are left. */
function stepsBeforeRest(trace: Trace): number {
  const error = errorStep(trace);
  const rest = longestLoop(trace)?.visits.find((step) => step > error) ?? trace.steps;
  return slicedLength(trace, rest);
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
        const longer = allowing(inputs, between(0, visits[0]!).length - 1, copies * (to - from))
          .map((allowed) => tryRun(trace.program, allowed))
          .filter((each) => each !== null && roundsOf(each) > rounds);
        if (longer.length === 0) break;
        const enough = longer.find((each) => each !== null && isLongEnough(each, row));
        if (enough != null) return enough;
      }
    }
  }
  return trace;
}

/** The inputs, and the same with the one that is read last before the loop raised: it may be the loop's bound. */
function allowing(inputs: readonly InputValue[], last: number, rounds: number): readonly (readonly InputValue[])[] {
  const bound = inputs[last];
  if (typeof bound !== "bigint") return [inputs];
  return [inputs, inputs.map((value, i) => (i === last ? bound + BigInt(rounds) : value))];
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
