import { fromBigInt, type ScalarValue } from "../../../ir/scalarValue.ts";
import type { FloatOperator } from "../../../logic/floatOperator.ts";
import type { Term } from "../../../logic/term.ts";
import { double, type Entry, float, int, type OperationEntry, operations, type Pointer } from "../entry.ts";
import { type Host, longBits, type SymbolicCall } from "../host.ts";
import { pointee, reads, string, writes } from "../memoryUse.ts";
import {
  copysign,
  fdim,
  fma,
  fmaOfFloats,
  fmax,
  fmin,
  frexp,
  ldexp,
  logb,
  nextafter,
  remainder,
  rint,
  round,
} from "./exactFunctions.ts";
import {
  belowOne,
  beyondOne,
  type MathErrors,
  noErrors,
  ofAreaTangent,
  ofDivision,
  ofInfinite,
  ofLogarithm,
  ofLogarithmPlusOne,
  ofNegative,
  ofPower,
  onExponent,
  onOverflow,
  onScaling,
  onVanishing,
} from "./mathErrors.ts";

export type Precision = {
  readonly type: "double" | "float" | "long double";
  readonly suffix: string;
  readonly rounded: (x: number) => number;
};

/** `long double` is computed as `double`. */
export const precisions: readonly Precision[] = [
  { type: "double", suffix: "", rounded: (x) => x },
  { type: "float", suffix: "f", rounded: Math.fround },
  { type: "long double", suffix: "l", rounded: (x) => x },
];

const operation = operations("math.h");

export function onParts({ type, suffix, rounded }: Precision): OperationEntry[] {
  return [
    ...[
      ["ldexp", "int"],
      ["scalbn", "int"],
      ["scalbln", "long"],
    ].map(([name, power]) =>
      operation({
        prototype: `${type} ${name}${suffix}(${type} x, ${power} power)`,
        errno: onScaling.errno,
        run: (host, x: number, by: ScalarValue) => {
          const result = rounded(ldexp(x, Number(by)));
          const error = onScaling.find(result, x, Number(by));
          if (error !== null) host.setErrno(error);
          return result;
        },
      }),
    ),
    operation({
      prototype: `int ilogb${suffix}(${type} x)`,
      errno: { EDOM: "the number is zero, infinite or NaN" },
      run: (host, x: number) => {
        if (x !== 0 && Number.isFinite(x)) return logb(x);
        host.setErrno("EDOM");
        return Math.abs(x) === Number.POSITIVE_INFINITY ? 2 ** 31 - 1 : -(2 ** 31);
      },
    }),
    operation({
      prototype: `${type} nextafter${suffix}(${type} x, ${type} y)`,
      errno: { ERANGE: "the result is too large, or too small" },
      run: (host, x: number, y: number) => {
        const result = nextafter(x, y, type === "float" ? "float" : "double");
        const isTiny = Math.abs(result) < (type === "float" ? 2 ** -126 : 2 ** -1022);
        if (x !== y && ((Number.isFinite(x) && Math.abs(result) === Number.POSITIVE_INFINITY) || (isTiny && x !== 0))) {
          host.setErrno("ERANGE");
        }
        return result;
      },
    }),
    operation({
      prototype: `${type} fma${suffix}(${type} x, ${type} y, ${type} z)`,
      run: (_, x: number, y: number, z: number) => (type === "float" ? fmaOfFloats(x, y, z) : fma(x, y, z)),
    }),
    operation({
      prototype: `${type} nan${suffix}(const char *string)`,
      memory: [reads("string", string)],
      run: (host, at: Pointer) => {
        host.readString(at);
        return Number.NaN;
      },
    }),
    operation({
      prototype: `${type} frexp${suffix}(${type} x, int *exponent)`,
      memory: [writes("exponent", pointee)],
      run: (host, x: number, at: Pointer) => {
        const { fraction, exponent } = frexp(x);
        host.writeScalar(at, int, exponent);
        return fraction;
      },
    }),
    operation({
      prototype: `${type} modf${suffix}(${type} x, ${type} *whole)`,
      memory: [writes("whole", pointee)],
      run: (host, x: number, at: Pointer) => {
        host.writeScalar(at, type === "float" ? float : double, Math.trunc(x));
        if (!Number.isFinite(x)) return Number.isNaN(x) ? x : copysign(0, x);
        return copysign(x - Math.trunc(x), x);
      },
    }),
  ];
}

/** `<math.h>`. Exact up to `remainder`; the last bit of the transcendental functions may differ from glibc's. */

function inEachPrecision(
  name: string,
  parameters: readonly string[],
  compute: (x: number, y: number) => number,
  errors: MathErrors,
): OperationEntry[] {
  return precisions.map(({ type, suffix, rounded }) => {
    const prototype = `${type} ${name}${suffix}(${parameters.map((parameter) => `${type} ${parameter}`).join(", ")})`;
    const operator = inLogic.get(name);
    const value = operator === undefined ? null : (call: SymbolicCall, x: Term) => valueOf(call, operator, x, type);
    if (errors === noErrors) {
      return operation({ prototype, value, run: (_, x: number, y: number) => rounded(compute(x, y)) });
    }
    return operation({
      prototype,
      value,
      errno: errors.errno,
      run: (host, x: number, y = 0) => {
        const result = rounded(compute(x, y));
        const error = errors.find(result, x, y);
        if (error !== null) host.setErrno(error);
        return result;
      },
    });
  });
}

/** Functions that solvers support. */
const inLogic: ReadonlyMap<string, FloatOperator> = new Map([
  ["sqrt", "sqrt"],
  ["fabs", "abs"],
  ["floor", "floor"],
  ["ceil", "ceil"],
  ["trunc", "trunc"],
]);

function valueOf(call: SymbolicCall, operator: FloatOperator, x: Term, type: Precision["type"]): Term | null {
  const result = call.float(operator, x);
  return result === null || type !== "float" ? result : call.terms.float("single", result);
}

const unary = (name: string, compute: (x: number) => number, errors = noErrors) =>
  inEachPrecision(name, ["x"], compute, errors);
const binary = (name: string, compute: (x: number, y: number) => number, errors = noErrors) =>
  inEachPrecision(name, ["x", "y"], compute, errors);

/** C returns 1 where JavaScript returns NaN: 1 to any power, and -1 to an infinite one. */
function pow(x: number, y: number): number {
  return x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) ? 1 : x ** y;
}

/** Unspecified by C for numbers out of range; x86 gives the least integer. */
function integerOf(value: number, bits: number): ScalarValue {
  const limit = 2 ** (bits - 1);
  return fromBigInt(value >= -limit && value < limit ? BigInt(value) : BigInt(-limit));
}

function toInteger(
  type: "long" | "long long",
  name: string,
  bits: (host: Host) => number,
  whole: (x: number) => number,
): OperationEntry[] {
  return precisions.map((precision) =>
    operation({
      prototype: `${type} ${name}${precision.suffix}(${precision.type} x)`,
      run: (host, x: number) => integerOf(whole(x), bits(host)),
    }),
  );
}

export const mathematics: readonly Entry[] = [
  ...unary("sqrt", Math.sqrt, ofNegative),
  ...unary("fabs", Math.abs),
  ...unary("floor", Math.floor),
  ...unary("ceil", Math.ceil),
  ...unary("trunc", Math.trunc),
  ...unary("round", round),
  ...unary("rint", rint),
  ...unary("nearbyint", rint),
  ...unary("sin", Math.sin, ofInfinite),
  ...unary("cos", Math.cos, ofInfinite),
  ...unary("tan", Math.tan, ofInfinite),
  ...unary("asin", Math.asin, beyondOne),
  ...unary("acos", Math.acos, beyondOne),
  ...unary("atan", Math.atan),
  ...unary("sinh", Math.sinh, onOverflow),
  ...unary("cosh", Math.cosh, onOverflow),
  ...unary("tanh", Math.tanh),
  ...unary("exp", Math.exp, onExponent),
  ...unary("exp2", (x) => 2 ** x, onExponent),
  ...unary("log", Math.log, ofLogarithm),
  ...unary("log2", Math.log2, ofLogarithm),
  ...unary("log10", Math.log10, ofLogarithm),
  ...unary("asinh", Math.asinh),
  ...unary("acosh", Math.acosh, belowOne),
  ...unary("atanh", Math.atanh, ofAreaTangent),
  ...unary("expm1", Math.expm1, onOverflow),
  ...unary("log1p", Math.log1p, ofLogarithmPlusOne),
  ...unary("logb", logb),
  ...unary("cbrt", Math.cbrt),
  ...binary("pow", pow, ofPower),
  ...binary("fmod", (x, y) => x % y, ofDivision),
  ...binary("atan2", Math.atan2, onVanishing),
  ...binary("hypot", Math.hypot, onOverflow),
  ...binary("fmin", fmin),
  ...binary("fmax", fmax),
  ...binary("fdim", fdim, onOverflow),
  ...binary("copysign", copysign),
  ...binary("remainder", remainder, ofDivision),
  ...toInteger("long", "lround", longBits, round),
  ...toInteger("long", "lrint", longBits, rint),
  ...toInteger("long long", "llround", () => 64, round),
  ...toInteger("long long", "llrint", () => 64, rint),
  ...precisions.flatMap(onParts),
];
