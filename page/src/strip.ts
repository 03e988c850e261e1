import { statementAt } from "../../src/recording/moment.ts";
import { enclosing, isInside, lastStarted, type OpenRecording } from "../../src/recording/openRecording.ts";

/** A part of the run as nested blocks: calls, and the loops inside of them. */
export type Strip = {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly StripBlock[];
};

export type StripBlock = {
  readonly kind: "call" | "loop";
  /** The row, from 0. */
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  /** Index of the function or of the loop's statement. */
  readonly index: number;
};

const mostRows = 8;
const mostBlocks = 4_000;

/** Blocks that are narrower than a column are left out. The first row has the innermost call that is as long as the part. */
export function stripOf(open: OpenRecording, from: number, to: number, columns: number): Strip {
  const { activations, executions, statements } = open.recording;
  const least = Math.max(1, (to - from) / Math.max(1, columns));
  const { loopsAround, depths } = nestingOf(open);
  const calls: number[] = [];
  let base = 0;
  for (let activation = 0; activation < depths.length && calls.length < mostBlocks; activation++) {
    const [first, last] = open.spanOf(activation);
    if (first < 0 || last < from || first > to || last - first + 1 < least) continue;
    if (first <= from && last + 1 >= to) base = Math.max(base, depths[activation] ?? 0);
    calls.push(activation);
  }
  const blocks: StripBlock[] = [];
  for (const activation of calls) {
    const [first, last] = open.spanOf(activation);
    const depth = (depths[activation] ?? 0) - base;
    if (depth >= mostRows) continue;
    if (depth >= 0)
      blocks.push({ kind: "call", depth, from: first, to: last + 1, index: activations.function[activation] ?? 0 });
    if (last - first + 1 >= 2 * least) addLoops(activation, depth + 1, Math.min(to, last + 1));
  }
  return { from, to, blocks };

  /** Each loop of a call from its first to its last round, as far as it is in the part. What comes behind it ends it. */
  function addLoops(activation: number, depth: number, end: number): void {
    const current = new Map<number, number>();
    const add = (statement: number, start: number, stop: number) => {
      const row = depth + loopsAround(statement);
      if (stop - start < least || row < 0 || row >= mostRows || blocks.length >= mostBlocks) return;
      blocks.push({ kind: "loop", depth: row, from: start, to: stop, index: statement });
    };
    const own = open.executionsIn(activation);
    let before = -1;
    for (let i = Math.max(0, lastStarted(open, own, from)); i < own.length; i++) {
      const step = executions.firstStep[own[i] ?? 0] ?? 0;
      const statement = executions.statement[own[i] ?? 0] ?? -1;
      if (step >= end) break;
      if (statement === before || statement < 0) continue;
      for (const [loop, start] of current) {
        if (isIn(statement, loop)) continue;
        add(loop, start, step);
        current.delete(loop);
      }
      // At the first execution the loops around it have begun before.
      const begun = before === -1 ? [statement, ...enclosing(open.recording, statement)] : [statement];
      for (const loop of begun)
        if (statements[loop]?.kind === "loop" && !current.has(loop)) current.set(loop, Math.max(from, step));
      before = statement;
    }
    for (const [loop, start] of current) add(loop, start, end);
  }

  function isIn(statement: number, loop: number): boolean {
    const [inner, outer] = [statements[statement], statements[loop]];
    return inner !== undefined && outer !== undefined && isInside(inner.at, outer.whole);
  }
}

type Nesting = { readonly depths: Int32Array; loopsAround(statement: number): number };

const nestings = new WeakMap<OpenRecording, Nesting>();

/** The rows of calls, of which one in a loop lies below the loop, and the number of loops around statements. */
function nestingOf(open: OpenRecording): Nesting {
  const known = nestings.get(open);
  if (known !== undefined) return known;
  const { activations, statements, steps } = open.recording;
  const around = new Map<number, number>();
  const isLoop = (statement: number) => statements[statement]?.kind === "loop";
  const loopsAround = (statement: number) => {
    const counted = around.get(statement) ?? enclosing(open.recording, statement).filter(isLoop).length;
    around.set(statement, counted);
    return counted;
  };
  const depths = new Int32Array(activations.function.length);
  for (let activation = 0; activation < depths.length; activation++) {
    const call = activations.call[activation] ?? -1;
    const caller = call < 0 ? activation : (steps.activation[call] ?? activation);
    if (caller >= activation) continue;
    const statement = statementAt(open, call);
    depths[activation] = (depths[caller] ?? 0) + 1 + loopsAround(statement) + (isLoop(statement) ? 1 : 0);
  }
  const nesting = { depths, loopsAround };
  nestings.set(open, nesting);
  return nesting;
}
