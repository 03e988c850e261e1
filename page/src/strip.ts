import type { OpenRecording } from "../../src/recording/openRecording.ts";

/** A part of the run as nested blocks: calls, and below them the rounds of loops. */
export type Strip = {
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly StripBlock[];
};

export type StripBlock = {
  readonly kind: "call" | "loop";
  readonly depth: number;
  readonly from: number;
  readonly to: number;
  /** Index of the function or of the loop's statement. */
  readonly index: number;
};

const mostDepth = 12;
const mostBlocks = 4_000;

/** Blocks that are narrower than a column are left out, and so are calls deeper than is drawn. */
export function stripOf(open: OpenRecording, from: number, to: number, columns: number): Strip {
  const { activations, executions, statements } = open.recording;
  const least = Math.max(1, (to - from) / Math.max(1, columns));
  const blocks: StripBlock[] = [];
  for (let activation = 0; activation < activations.function.length && blocks.length < mostBlocks; activation++) {
    const [first, last] = open.spanOf(activation);
    const depth = open.depthOf(activation);
    if (first < 0 || last < from || first > to || depth >= mostDepth) continue;
    if (last - first + 1 < least && activation > 0) continue;
    blocks.push({ kind: "call", depth, from: first, to: last + 1, index: activations.function[activation] ?? 0 });
    if (last - first + 1 < 8 * least) continue;
    for (const [statement, start, end] of loopsOf(activation, last)) {
      if (end - start < least || end < from || start > to) continue;
      blocks.push({ kind: "loop", depth, from: start, to: end, index: statement });
    }
  }
  return { from, to, blocks };

  /** Each loop of a call from its first to its last round; what comes behind it ends it. */
  function loopsOf(activation: number, last: number): readonly (readonly [number, number, number])[] {
    const found: [number, number, number][] = [];
    const current = new Map<number, [number, number, number]>();
    for (const execution of open.executionsIn(activation)) {
      const step = executions.firstStep[execution] ?? 0;
      const statement = executions.statement[execution] ?? 0;
      const own = statements[statement];
      for (const [index, loop] of current) {
        const around = statements[index]?.whole;
        if (own !== undefined && around !== undefined && own.at[0] >= around[0] && own.at[2] <= around[2]) continue;
        loop[2] = step;
        current.delete(index);
      }
      if (own?.kind !== "loop" || current.has(statement)) continue;
      const loop: [number, number, number] = [statement, step, last + 1];
      current.set(statement, loop);
      found.push(loop);
      if (found.length > mostBlocks) break;
    }
    return found;
  }
}
