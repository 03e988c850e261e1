import { gcd, lcm } from "./integer.ts";

/**
 * All linear equations that hold of every row: a basis of the vectors `c` with `c · row = 0`, as integers without a
 * common divisor, the first non-zero one positive. Fraction-free elimination, so nothing is rounded.
 */
export function nullSpace(rows: readonly (readonly bigint[])[], width: number): bigint[][] {
  const pivots: { column: number; row: bigint[] }[] = [];
  for (const given of rows) {
    const row = [...given];
    for (const pivot of pivots) eliminate(row, pivot.row, pivot.column);
    const column = row.findIndex((value) => value !== 0n);
    if (column === -1) continue;
    reduce(row);
    for (const pivot of pivots) eliminate(pivot.row, row, column);
    pivots.push({ column, row });
    if (pivots.length === width) return [];
  }
  const bound = new Set(pivots.map((pivot) => pivot.column));
  const basis: bigint[][] = [];
  for (let free = 0; free < width; free++) {
    if (bound.has(free)) continue;
    // Set the free coordinate to the product of the pivots, so that the others are whole.
    const scale = pivots.reduce((product, { column, row }) => lcm(product, row[column]!), 1n);
    const vector: bigint[] = new Array(width).fill(0n);
    vector[free] = scale;
    for (const { column, row } of pivots) vector[column] = (-row[free]! * scale) / row[column]!;
    reduce(vector);
    basis.push(vector);
  }
  return basis;
}

/** Subtracts a multiple of `pivot` (after scaling) so that `row[column]` is zero. */
function eliminate(row: bigint[], pivot: readonly bigint[], column: number): void {
  const factor = row[column]!;
  if (factor === 0n) return;
  const scale = pivot[column]!;
  for (let i = 0; i < row.length; i++) row[i] = row[i]! * scale - pivot[i]! * factor;
  reduce(row);
}

function reduce(row: bigint[]): void {
  let divisor = 0n;
  for (const value of row) divisor = gcd(divisor, value);
  const first = row.find((value) => value !== 0n);
  if (first === undefined) return;
  const signed = first < 0n ? -divisor : divisor;
  if (signed !== 1n) for (let i = 0; i < row.length; i++) row[i] = row[i]! / signed;
}
