import type { FoldFailure } from "../../analyses/compress/compressTrace.ts";
import { asFoldedLoop, beginOf, describeFailure, endOf, type Fold } from "../../analyses/compress/fold.ts";
import type { LoopInvariant } from "../../analyses/compress/foldLoop.ts";
import type { SomeTerms } from "../../analyses/inputCondition/inputCondition.ts";
import { nth, present } from "../../base/checked.ts";
import { formatPlace } from "../../base/sourceRange.ts";
import { loopRange, loopsOf } from "../../ir/loops.ts";
import { printOperation } from "../../ir/printOperation.ts";
import type { Program } from "../../ir/program.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import { mergeConjuncts } from "../../logic/mergeConjuncts.ts";
import { conjuncts, type Term } from "../../logic/term.ts";
import type { Activation } from "../../recordedRun/run.ts";
import { nodeKey } from "../../symbolic/followEdge.ts";
import { type BlockName, placeStyle } from "../../symbolic/placeStyle.ts";
import type { Approximation } from "../../symbolic/stepEnvironment.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import { type About, describeFormula, describeNotes, type Formula, type UnknownPart } from "../common/result.ts";
import type { CompressedRun } from "../compress/pipeline.ts";
import { forEachStep } from "../run/traceSteps.ts";
import { bareFailure, headOf, withoutWhys } from "./joinExplanation.ts";
import type { Explained, FoldedStep, Folding, LoopResult, ProofResult } from "./result.ts";

export type AboutFolding = {
  /** Steps (from 1) that are listed even if there are too many to list all. */
  readonly steps?: ReadonlySet<number> | "all";
  /** Receives the numbers that listed steps wrote. */
  wrote?(step: number, value: ScalarValue): void;
  /** The names of heap blocks; by default their numbers. */
  readonly blockName?: BlockName;
  /** Conjuncts of invariants that are marked as holding on this run only. */
  readonly onlyThisRun?: SomeTerms;
};

export type DescribedFolding = Pick<Explained, "loops" | "proof" | "unknowns"> & { readonly folding: Folding };

/** Describes a run with folded loops. */
export function describeFolding(run: CompressedRun, about: AboutFolding = {}): DescribedFolding {
  const { target, compressed } = run;
  const loops = describeLoops(run, { onlyThisRun: new Set(), ...about });
  const proof = describeProof(run);
  const ranges = [...compressed.folds, ...compressed.failures];
  const unrolled = (isInner: boolean) =>
    ranges
      .filter(({ depth }) => depth > 0 === isInner)
      .reduce((sum, loop) => sum + ("from" in loop ? loop.from : iterationsOf(loop.activation)), 0);
  return {
    folding: {
      target: { formula: target.text, location: target.range, asked: false },
      length: countSteps(run),
      unrolls: unrolled(false),
      innerUnrolls: unrolled(true),
      steps: describeSteps(run, loops, about),
    },
    loops: loops.map(({ result }) => result),
    proof,
    unknowns: unknownsOf(run, proof),
  };
}

/** The result of `compress`: an explanation with nothing but the folded run. */
export function describeCompression(run: CompressedRun, about: AboutFolding & About): Explained {
  const { trace, target, statistics, compressed } = run;
  const described = describeFolding(run, about);
  const head = headOf(trace, about, {
    status: described.proof.checked ? "ok" : "unknown",
    notes: notesOf(trace.program, compressed.approximations),
    solver: statistics,
  });
  return {
    ...head,
    command: "compress",
    kind: "explained",
    ...withoutWhys,
    failure: {
      ...bareFailure,
      kind: head.outcome.kind,
      message: head.outcome.message,
      location: head.outcome.location ?? target.range,
      function: head.outcome.function ?? head.program.entry,
    },
    ...described,
    argument: null,
    inputCondition: null,
    reproducer: null,
    missing: [],
  };
}

type DescribedLoop = { readonly result: LoopResult; readonly fold: Fold | null };

function iterationsOf({ visits }: Pick<Activation, "visits">): number {
  return visits.length - 1;
}

function describeLoops(run: CompressedRun, told: Told): DescribedLoop[] {
  const { folds, failures } = run.compressed;
  const all: {
    readonly activation: Pick<Activation, "visits">;
    readonly depth: number;
    readonly described: DescribedLoop;
  }[] = [
    ...folds.map((fold, i) => ({ ...fold, described: { fold, result: describeFold(run, fold, i, told) } })),
    ...failures.map((failure) => ({
      ...failure,
      described: { fold: null, result: describeUnfolded(run, failure, told) },
    })),
  ];
  return all
    .sort((a, b) => nth(a.activation.visits, 0) - nth(b.activation.visits, 0) || a.depth - b.depth)
    .map(({ described }) => described);
}

type Told = { readonly onlyThisRun: SomeTerms; readonly blockName?: BlockName };

function describeFold(run: CompressedRun, fold: Fold, index: number, told: Told): LoopResult {
  const { symbols, proof } = run;
  const { activation, annotation, system, from } = fold;
  const own = proof.verdicts.filter(({ obligation }) => obligation.fold === index);
  const root = nodeKey(system.root);
  const { rounds } = asFoldedLoop(symbols, fold);
  return {
    location: loopRange(activation.function, activation.loop),
    function: activation.function.name,
    iterations: iterationsOf(activation),
    foldedFrom: from,
    invariant: describeFacts(symbols, present(annotation.get(root)), told),
    ...(rounds === null ? {} : { rounds }),
    ...(fold.left === undefined ? {} : { left: describeFacts(symbols, fold.left.facts, told) }),
    inner: [...annotation]
      .filter(([key]) => key !== root)
      .map(([key, formulas]) => {
        const { start } = present(system.blocks.get(key));
        const loop = present(loopsOf(start.function).loopWithHeader(start.location));
        return { location: loopRange(start.function, loop), invariant: describeFacts(symbols, formulas, told) };
      }),
    proof: { triples: own.length, checked: own.length > 0 && own.every(({ answer }) => answer === "proved") },
    failure: null,
  };
}

function describeUnfolded({ symbols, trace }: CompressedRun, failure: FoldFailure, told: Told): LoopResult {
  const { activation, tried, best, lost } = failure;
  return {
    location: loopRange(activation.function, activation.loop),
    function: activation.function.name,
    iterations: iterationsOf(activation),
    foldedFrom: null,
    invariant: [],
    inner: [],
    proof: { triples: 0, checked: false },
    failure: {
      reason: describeFailure(symbols, failure, told.blockName),
      tried,
      best:
        best === null
          ? null
          : {
              from: best.from,
              invariant: describeFacts(symbols, factsAtHead(symbols, best), { ...told, onlyThisRun: new Set() }),
            },
      lost:
        lost === null
          ? null
          : {
              fact: describeFormula(symbols, lost.fact, placeStyle(symbols, [lost.fact], told.blockName)),
              text: printOperation(trace.program, lost.edge.operation),
              location: lost.edge.range,
            },
    },
  };
}

function factsAtHead(symbols: Symbols, { annotation, system }: LoopInvariant): readonly Term[] {
  return mergeConjuncts(symbols.terms, present(annotation.get(nodeKey(system.root))));
}

function describeFacts(symbols: Symbols, facts: readonly Term[], { onlyThisRun, blockName }: Told): readonly Formula[] {
  const style = placeStyle(symbols, facts, blockName);
  return facts
    .flatMap((fact) => conjuncts(fact))
    .map((fact) => ({
      ...describeFormula(symbols, fact, style),
      ...(onlyThisRun.has(fact) ? { onlyThisRun: true } : {}),
    }));
}

/** Longer lists are cut to their first and last steps, this many each. */
const mostListed = 10_000;

function describeSteps(
  run: CompressedRun,
  loops: readonly DescribedLoop[],
  { steps: wanted = new Set(), wrote }: AboutFolding,
): FoldedStep[] {
  const { trace } = run;
  const { program } = trace;
  const steps: FoldedStep[] = [];
  const folds = loops.flatMap(({ fold, result }, loop) =>
    fold === null ? [] : [{ ...spanOf(fold), fold, result, loop }],
  );
  folds.sort((a, b) => a.begin - b.begin);
  const beginning = new Map(folds.map((span) => [span.begin + 1, span]));
  // The first step of a fold holds its location.
  const isOutside = outsideOf(folds.map(({ begin, end }) => ({ begin: begin + 1, end })));
  const { isListed, end } = listedSteps(run, wanted === "all" ? wanted : new Set([...wanted, ...beginning.keys()]));
  forEachStep(
    trace,
    (step, written) => {
      const span = beginning.get(step.step);
      if (span === undefined) {
        if (written !== undefined) wrote?.(step.step, written);
        // The end of static initialisation has no location: use the entry function.
        const location = step.location.file === "" ? nth(program.functions, program.entry).range : step.location;
        steps.push({ kind: "step", ...step, location });
      } else {
        const { fold, result, loop, begin, end } = span;
        steps.push({
          kind: "loop",
          step: step.step,
          depth: step.depth,
          function: step.function,
          loop,
          iterations: iterationsOf(fold.activation) - fold.from,
          steps: end - begin,
          invariant: result.invariant,
          ...(result.left === undefined ? {} : { left: result.left }),
          location: result.location,
        });
      }
    },
    (index) => isOutside(index) && (isListed(index) || beginning.has(index + 1)),
    end,
  );
  return steps;
}

/** The steps to list, and the index of the last one. After a cancellation the end of a long run is not searched. */
function listedSteps(run: CompressedRun, wanted: ReadonlySet<number> | "all") {
  const { steps } = run.trace;
  if (wanted === "all" || countSteps(run) <= 2 * mostListed) return { isListed: () => true, end: steps };
  const isCutOff = run.compressed.interrupted || run.proof.interrupted;
  const last = [...wanted].reduce((a, b) => Math.max(a, b), mostListed);
  return {
    isListed: (index: number) => index < mostListed || index >= steps - mostListed || wanted.has(index + 1),
    end: isCutOff ? last : steps,
  };
}

/** The number of remaining steps; a fold counts as one. */
function countSteps({ trace, compressed }: CompressedRun): number {
  return compressed.folds.map(spanOf).reduce((count, { begin, end }) => count - (end - begin - 1), trace.steps);
}

/** Returns a test whether an index is outside of all spans. Spans are sorted and do not overlap. */
function outsideOf(spans: readonly { readonly begin: number; readonly end: number }[]): (index: number) => boolean {
  // Queries come in ascending order, so the position is remembered.
  let known = 0;
  return (index) => {
    const last = spans[known];
    if (last !== undefined && last.begin <= index && index < last.end) return false;
    let low = 0;
    let high = spans.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (nth(spans, middle).end <= index) low = middle + 1;
      else high = middle;
    }
    known = low;
    return low === spans.length || index < nth(spans, low).begin;
  };
}

/** The steps that a fold replaces: from the first arrival at the loop head to the last one, or to the exit. */
function spanOf(fold: Fold): { readonly begin: number; readonly end: number } {
  return { begin: beginOf(fold), end: endOf(fold) };
}

function describeProof({ proof }: CompressedRun): ProofResult {
  const { obligations, checked, checker, verdicts } = proof;
  return {
    triples: obligations.length,
    checked,
    checker,
    failures: verdicts.flatMap(({ obligation, answer, by }) =>
      answer === "proved" ? [] : [{ name: obligation.name, answer, by: by ?? "rewriting" }],
    ),
  };
}

/** The reasons why the result is not proved. */
function unknownsOf({ compressed, proof, target }: CompressedRun, result: ProofResult): readonly UnknownPart[] {
  const unknowns: { reason: string; where: UnknownPart["where"]; help: string }[] = [];
  if (compressed.interrupted) {
    unknowns.push({ reason: "the work was interrupted", where: null, help: "Run it again, or allow more time." });
  } else if (compressed.gap !== null) {
    unknowns.push({
      reason: `the start of the program is not shown to lead to the target: ${compressed.gap}`,
      where: target.range,
      help: "The notes say what was taken as unknown; an assertion nearer to it may help.",
    });
  } else if (proof.interrupted) {
    unknowns.push({ reason: "the check of the proof was interrupted", where: null, help: "Run it again." });
  } else if (!result.checked) {
    unknowns.push({
      reason: `the checker accepts only ${result.triples - result.failures.length} of ${result.triples} proof steps`,
      where: target.range,
      help: proof.obligations.some(({ isInexact }) => isInexact)
        ? "The notes say what of the run was taken as unknown."
        : "Another solver may: install cvc5 or z3.",
    });
  }
  return unknowns;
}

/** Notes about the program and about approximations in the logic, each once. */
export function notesOf(program: Program, approximations: readonly Approximation[]): Explained["notes"] {
  const notes = [
    ...describeNotes(program.notes),
    ...approximations.map(({ reason, range }) => ({ message: `${reason} is taken as unknown`, location: range })),
  ];
  const known = new Map(notes.map((note) => [`${formatPlace(note.location)}: ${note.message}`, note]));
  return [...known.values()];
}
