/** Integer functions on `bigint` that the language does not have; `div` and `mod` are those of SMT-LIB. */

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

export function lcm(a: bigint, b: bigint): bigint {
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
