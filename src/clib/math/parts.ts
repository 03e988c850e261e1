import type { ScalarValue } from "../../ir/scalarValue.ts";
import { type OperationEntry, operations } from "../entry.ts";
import { pointee, reads, string, writes } from "../memoryUse.ts";
import type { Pointer } from "../pointer.ts";
import { double, float, int } from "../scalarTypes.ts";
import { copysign, fma, fmaOfFloats, frexp, ldexp, logb, nextafter } from "./exactFunctions.ts";
import { onScaling } from "./mathErrors.ts";
import type { Precision } from "./precision.ts";

const operation = operations("math.h");

/** Functions on the parts of a number, in one precision. */
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
      errno: { EDOM: "the number is zero, infinite or none" },
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
