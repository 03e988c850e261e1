/** Integer functions that `bigint` lacks; `div` and `mod` are those of SMT-LIB. */

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = absolute(a);
  let y = absolute(b);
  if (x === 1n || y === 1n) return 1n;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function lcm(a: bigint, b: bigint): bigint {
  return a === 0n || b === 0n ? 0n : absolute((a / gcd(a, b)) * b);
}

/** The remainder is in `0 .. |divisor| - 1`; the divisor is not 0. */
export function euclideanMod(dividend: bigint, divisor: bigint): bigint {
  const r = dividend % divisor;
  return r < 0n ? r + absolute(divisor) : r;
}

export function euclideanDiv(dividend: bigint, divisor: bigint): bigint {
  return (dividend - euclideanMod(dividend, divisor)) / divisor;
}

export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const q = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? q - 1n : q;
}

export function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a;
  return b;
}

export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}

/**
 * All linear equations that hold for every row: a basis of the vectors `c` with `c · row = 0`, as coprime integers, the
 * first non-zero one positive. Fraction-free elimination, so nothing is rounded.
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
    // Sets the free coordinate to the product of the pivots, so that the others are whole.
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
