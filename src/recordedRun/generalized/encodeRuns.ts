import { type Cancellation, throwIfCancelled } from "../../base/cancellation.ts";
import { nth } from "../../base/checked.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { BlockLeave } from "../../cutpoints/block.ts";
import type { LoopSystem } from "../../cutpoints/loopSystem.ts";
import type { Term, Variable } from "../../logic/term.ts";
import type { InlinedNode } from "../../symbolic/followEdge.ts";
import { mergeStates, type SymbolicState, startOfProgram } from "../../symbolic/symbolicState.ts";
import { leaveCall } from "../../symbolic/symbolicStep.ts";
import type { Symbols } from "../../symbolic/symbols.ts";
import type { FoldedLoop } from "../foldedRun.ts";
import type { Run } from "../run.ts";
import { byteType, inputBytes } from "../runOf.ts";
import type { Target } from "../target.ts";
import { type EncodedLoop, encodeLoop, leavingOf } from "./encodeLoop.ts";
import { encodeSteps, type StepPosition } from "./encodeSteps.ts";
import { memoryLife } from "./memoryLife.ts";
import type { RunObligation } from "./runObligation.ts";

/**
 * All runs like a recorded one, in terms: they have inputs of their own, follow its single steps, and go round its folded loops as
 * often as they like. What has to be shown of them so that they all fail in the same way is kept with each piece.
 */
export type EncodedRuns = {
  /** One for each recorded input; null for those that are read inside of a folded loop, or are no integers. */
  readonly inputs: readonly (Variable | null)[];
  /** Inputs that are no integers and have to be what they were. */
  readonly fixed: ReadonlySet<number>;
  /** The first bytes of standard input, with the values that they had: those that are read before a loop is folded. */
  readonly bytes: readonly ByteOfRuns[];
  readonly pieces: readonly Piece[];
};

export type ByteOfRuns = { readonly variable: Variable; readonly value: number };

export type Piece = SteppedPiece | LoopPiece;

/** Single steps of the recorded run; the last ones end with the failure. */
export type SteppedPiece = {
  readonly kind: "steps";
  readonly steps: readonly ObligedStep[];
};

/** `facts` hold of every run that comes to the step; with its obligations met, the step is taken. */
export type ObligedStep = {
  readonly facts: readonly Term[];
  readonly obligations: readonly RunObligation[];
};

/** A folded loop. Formulas before it are about earlier values of the places that it writes: see `earlier`. */
export type LoopPiece = {
  readonly kind: "loop";
  readonly fold: FoldedLoop;
  readonly range: SourceRange;
  /** The state at the entry of the loop, in terms of the state before. */
  readonly entry: SymbolicState;
  /** A formula of what is before it, where places are those of the loop. */
  earlier(formula: Term): Term;
  /** The facts at all cut points: the values of places that the loop does not write. */
  readonly state: SymbolicState;
  /** The loop's body from there on. */
  readonly system: LoopSystem;
  readonly blocks: ReadonlyMap<string, ObligedBlock>;
  /** The ways on which every such run goes on; empty where all runs fail in the loop. */
  readonly exits: readonly Exit[];
  /** A number for each exit: through which of them a run goes; null where there is one at most. */
  readonly chosen: Variable | null;
};

export type ObligedBlock = {
  readonly start: InlinedNode;
  /** The obligations of a run that comes to the operation, which it does if `guard` holds. */
  readonly obligations: readonly (RunObligation & { readonly guard: Term })[];
  /** Exits of the loop other than those of the recorded run. */
  readonly detours: readonly BlockLeave[];
};

export type Exit = { readonly cutPoint: string; readonly guard: Term };

/**
 * Every run that has inputs of its own and goes the way of the recorded one, with any number of rounds where a loop is folded:
 * what has to be shown so that all of them fail in the same way. The names must not be those of another encoding of the run, in
 * which blocks have the sizes that they had there.
 */
export function encodeRuns(
  symbols: Symbols,
  run: Run,
  folds: readonly FoldedLoop[],
  target: Target,
  cancellation: Cancellation,
): EncodedRuns {
  const inputs: (Variable | null)[] = run.inputs.map(() => null);
  const fixed = new Set<number>();
  const symbolicInput = (index: number): Term | null => {
    const { function: fn, edge, value } = nth(run.inputs, index);
    const { operation } = nth(nth(run.program.functions, fn).edges, edge);
    if (operation.kind !== "input" || typeof value !== "bigint") {
      fixed.add(index);
      return null;
    }
    inputs[index] ??= symbols.input(index + 1, operation.type);
    return inputs[index];
  };
  const life = memoryLife(symbols, run);
  // Which byte a call reads is settled as long as all runs go the same way.
  const firstFold = Math.min(run.steps, ...folds.map(({ begin }) => begin));
  const read = inputBytes(run).filter(({ step }) => step < firstFold);
  const bytes = read.map(({ value }, i) => ({ variable: symbols.input(inputs.length + i + 1, byteType), value }));
  const byStep = new Map(read.map(({ step }, i) => [step, nth(bytes, i).variable]));
  const symbolicByte = (step: number) => byStep.get(step) ?? null;
  const context = { symbolicInput, symbolicByte, life, decidedAt: target.step };
  const pieces: Piece[] = [];
  let at: StepPosition = { state: startOfProgram(symbols), stack: run.between(0, 1).stack, step: 0, from: null };
  for (;;) {
    throwIfCancelled(cancellation, "looking for a condition on the inputs");
    const { step } = at;
    const fold = folds.find(({ begin }) => begin >= step);
    const stepped = encodeSteps(symbols, run, at, fold?.begin ?? run.steps, context);
    if (fold === undefined) {
      pieces.push({ kind: "steps", steps: [...stepped.steps, stepped.failure(target)] });
      return { inputs, fixed, bytes, pieces };
    }
    pieces.push({ kind: "steps", steps: stepped.steps });
    const leaving = leavingOf(run, fold);
    const loop = encodeLoop(symbols, run, fold, stepped.state, leaving, life);
    const isChoice = loop.exits.length > 1;
    const chosen = isChoice ? symbols.fresh("exit", { kind: "int", bits: 32, signed: false, name: "exit" }) : null;
    const exits = loop.exits.map(({ cutPoint, leave }, i) => ({
      cutPoint,
      guard:
        chosen === null ? leave.guard : symbols.terms.and(symbols.terms.eq(chosen, symbols.terms.int(i)), leave.guard),
    }));
    pieces.push({ ...loop.piece, exits, chosen });
    if (leaving === null) return { inputs, fixed, bytes, pieces };
    if (exits.length === 0) return { inputs, fixed, bytes, pieces: [...pieces, neverThere(loop.piece.range)] };
    const ways = loop.exits.map(({ leave }, i) => ({
      guard: nth(exits, i).guard,
      state: leftState(symbols, fold, loop, leave),
    }));
    const header = { step: fold.end, location: fold.activation.loop.header, stack: fold.activation.stack };
    at = { state: mergeStates(symbols, ways), stack: leaving.stack, step: leaving.step, from: header };
  }
}

/** The recorded run leaves the loop, and the encoding does not: nothing can be shown with it. */
function neverThere(range: SourceRange): Piece {
  return {
    kind: "steps",
    steps: [{ facts: [], obligations: [{ what: { kind: "failure" }, formula: null, range }] }],
  };
}

/** The state after the loop; in the caller if the frame is left with it. */
function leftState(
  symbols: Symbols,
  { activation: { stack } }: FoldedLoop,
  { environment }: EncodedLoop,
  { edge, to, state }: EncodedLoop["exits"][number]["leave"],
): SymbolicState {
  if (to !== null || edge.operation.kind !== "return") return state;
  const [caller, left] = [stack[stack.length - 2], nth(stack, stack.length - 1)];
  if (caller === undefined || left.call === null) return state;
  const returning = { ...edge, operation: edge.operation };
  return leaveCall(symbols, { frame: caller.frame, edge: left.call }, left, state, returning, environment).state;
}
