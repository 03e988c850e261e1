import type { Value } from "../../ir/scalarValue.ts";
import { floatToInt } from "../arithmetic/convert.ts";
import type { Machine } from "../machine.ts";
import { writeFloat64, writeInt32 } from "../memory/write.ts";
import { libraryWrote } from "../observation.ts";
import { decompose } from "./decimal.ts";
import { scaleExactly } from "./scanNumber.ts";

/**
 * `<math.h>`. Everything up to `remainder` is exact. The transcendental functions are JavaScript's, whose last bit may
 * differ from glibc's.
 */

type Unary = (x: number) => number;
type BinaryFunction = (x: number, y: number) => number;

/** Halves away from zero; exact for every double. */
function round(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole === 0 ? x * 0 : whole;
}

/** Halves to even. */
function rint(x: number): number {
  const whole = Math.trunc(x);
  const rest = Math.abs(x - whole);
  if (rest > 0.5 || (rest === 0.5 && whole % 2 !== 0)) return whole + Math.sign(x);
  return whole === 0 ? x * 0 : whole;
}

function fmin(x: number, y: number): number {
  return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y);
}

function fmax(x: number, y: number): number {
  return Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y);
}

function fdim(x: number, y: number): number {
  return Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x > y ? x - y : 0;
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}

function copysign(x: number, y: number): number {
  return isNegative(x) === isNegative(y) ? x : -x;
}

/** IEEE remainder: `x - n * y` with n nearest to x / y, even on a tie; computed exactly. */
function remainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || y === 0 || !Number.isFinite(x)) return Number.NaN;
  if (!Number.isFinite(y)) return x;
  const size = Math.abs(y);
  // The remainder by twice the divisor tells whether the quotient is even.
  let rest = size <= Number.MAX_VALUE / 2 ? Math.abs(x) % (2 * size) : Math.abs(x);
  if (size < 4.5e-308) {
    if (2 * rest > size) {
      rest -= size;
      if (2 * rest >= size) rest -= size;
    }
  } else {
    const half = size / 2;
    if (rest > half) {
      rest -= size;
      if (rest >= half) rest -= size;
    }
  }
  return copysign(rest === 0 ? 0 : 1, x) < 0 ? -rest : rest;
}

function ldexp(x: number, power: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const { mantissa, exponent } = decompose(Math.abs(x));
  const result = scaleExactly(mantissa, exponent + Math.max(-5000, Math.min(5000, power)));
  return x < 0 ? -result : result;
}

function split(x: number): { readonly fraction: number; readonly exponent: number } {
  if (x === 0 || !Number.isFinite(x)) return { fraction: x, exponent: 0 };
  const { mantissa, exponent } = decompose(Math.abs(x));
  const width = mantissa.toString(2).length;
  const fraction = Number(mantissa) / 2 ** width;
  return { fraction: x < 0 ? -fraction : fraction, exponent: exponent + width };
}

const unary: Record<string, Unary> = {
  sqrt: Math.sqrt,
  fabs: Math.abs,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round,
  rint,
  nearbyint: rint,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  cbrt: Math.cbrt,
};

const twoArguments: Record<string, BinaryFunction> = {
  // C gives 1 where JavaScript gives NaN: 1 to any power, and -1 to an infinite one.
  pow: (x, y) => (x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) ? 1 : x ** y),
  fmod: (x, y) => x % y,
  atan2: Math.atan2,
  hypot: Math.hypot,
  fmin,
  fmax,
  fdim,
  copysign,
  remainder,
};

type MathFunction = (machine: Machine, site: number, x: number, y: number) => Value;

/** Each under its own name, with `l` (computed as double), and with `f` (rounded to float). */
function variants(): Record<string, MathFunction> {
  const table: Record<string, MathFunction> = {};
  const add = (name: string, compute: BinaryFunction) => {
    table[name] = (_machine, _site, x, y) => compute(x, y);
    table[`${name}l`] = table[name]!;
    table[`${name}f`] = (_machine, _site, x, y) => Math.fround(compute(x, y));
  };
  for (const [name, compute] of Object.entries(unary)) add(name, compute);
  for (const [name, compute] of Object.entries(twoArguments)) add(name, compute);
  return table;
}

function longBits(machine: Machine): number {
  return machine.memory.pointerBytes * 8;
}

export const mathematics = {
  ...variants(),
  lround: (machine: Machine, site: number, x: number) => floatToInt(round(x), longBits(machine), true, site),
  lrint: (machine: Machine, site: number, x: number) => floatToInt(rint(x), longBits(machine), true, site),
  llround: (_: Machine, site: number, x: number) => floatToInt(round(x), 64, true, site),
  llrint: (_: Machine, site: number, x: number) => floatToInt(rint(x), 64, true, site),
  ldexp: (_machine: Machine, _site: number, x: number, power: number) => ldexp(x, power),
  frexp: (machine: Machine, site: number, x: number, exponent: number) => {
    const parts = split(x);
    writeInt32(machine.memory, exponent, 0, parts.exponent, site);
    libraryWrote(machine, exponent, 4);
    return parts.fraction;
  },
  modf: (machine: Machine, site: number, x: number, whole: number) => {
    writeFloat64(machine.memory, whole, 0, Math.trunc(x), site);
    libraryWrote(machine, whole, 8);
    if (!Number.isFinite(x)) return Number.isNaN(x) ? x : copysign(0, x);
    return copysign(x - Math.trunc(x), x);
  },
};
