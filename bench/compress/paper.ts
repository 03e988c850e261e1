/**
 * Loop compression as published (000, Tables I and II). Times are the authors' own machine: orders of magnitude. `rounds` is
 * how often the loop went round.
 */
export type PaperRow = {
  readonly rounds: number;
  readonly steps: number;
  readonly compressed: number;
  readonly unrolls: number;
  readonly innerUnrolls: number;
  readonly triples: number;
  readonly seconds: number;
};

type Published = readonly [rounds: number, steps: number, compressed: number, seconds: number];

function rows(unrolls: number, innerUnrolls: number, triples: number, published: readonly Published[]): PaperRow[] {
  return published.map(([rounds, steps, compressed, seconds]) => ({
    rounds,
    steps,
    compressed,
    unrolls,
    innerUnrolls,
    triples,
    seconds,
  }));
}

export const paper = {
  s3_clnt_1: rows(6, 0, 47, [[40, 462, 95, 289]]),
  s3_srvr_6: rows(0, 0, 91, [[14, 346, 13, 94]]),
  token_ring01: rows(2, 2, 66, [[5, 885, 218, 161]]),
  cdaudio_simpl1: rows(0, 0, 15, [
    [4, 342, 121, 97],
    [8, 498, 121, 99],
    [16, 810, 121, 106],
    [32, 1434, 121, 128],
  ]),
  floppy_simpl3: rows(1, 0, 4, [
    [4, 146, 83, 2],
    [8, 182, 83, 2],
    [16, 254, 83, 2],
    [32, 398, 83, 2],
  ]),
} as const satisfies Record<string, readonly PaperRow[]>;

/** The row to hold against a loop that went round so often: the longest that is not longer; null if all are. */
export function paperRow(published: readonly PaperRow[], rounds: number): PaperRow | null {
  return published.filter((row) => row.rounds <= rounds).at(-1) ?? null;
}
