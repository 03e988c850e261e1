import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execute, plainMode } from "../../src/interpreter/run.ts";
import type { Expression } from "../../src/ir/expression.ts";
import { fromBigInt, type ScalarValue } from "../../src/ir/scalarValue.ts";
import { type DataModelName, rangeOfInt, type ScalarType, sizeOf, wrapToInt } from "../../src/ir/type.ts";
import {
  addressOf,
  arrayOf,
  binary,
  bool,
  buildIr,
  char,
  constant,
  convert,
  double,
  float,
  int,
  intType,
  load,
  long,
  offset,
  pointerTo,
  read,
  unsignedChar,
} from "../support/buildIr.ts";

const size = 24;
const integerTypes = ([8, 16, 32, 64, 128] as const).flatMap((bits) => [intType(bits, true), intType(bits, false)]);
const types: ScalarType[] = [...integerTypes, float, double, bool];

type Access = {
  readonly type: ScalarType;
  readonly at: number;
  /** A store when there is a value, else a load. */
  readonly value: bigint | number | null;
};

const access: fc.Arbitrary<Access> = fc.constantFrom(...types).chain((type) => {
  const at = fc.integer({ min: 0, max: size - sizeOf(type, 8)! });
  const value: fc.Arbitrary<bigint | number> =
    type.kind === "float"
      ? fc.double({ noNaN: true }).map((x) => (type.bits === 32 ? Math.fround(x) : x))
      : type.kind === "pointer"
        ? fc.constant(0n)
        : fc.bigInt({ min: rangeOfInt(type)[0], max: rangeOfInt(type)[1] });
  return fc.record({ type: fc.constant(type), at, value: fc.option(value) });
});

/** Bytes and what is known of them; the first load of an unwritten byte is where the run must end. */
function simulate(accesses: readonly Access[]): { values: ScalarValue[]; end: string } {
  const view = new DataView(new ArrayBuffer(size));
  const written = new Uint8Array(size);
  const values: ScalarValue[] = [];
  for (const { type, at, value } of accesses) {
    const bytes = sizeOf(type, 8)!;
    if (value !== null) {
      written.fill(1, at, at + bytes);
      if (type.kind === "float") {
        if (type.bits === 32) view.setFloat32(at, Number(value), true);
        else view.setFloat64(at, Number(value), true);
      } else {
        const bits = BigInt(value);
        for (let i = 0; i < bytes; i++) view.setUint8(at + i, Number((bits >> BigInt(8 * i)) & 255n));
      }
      continue;
    }
    if (written.subarray(at, at + bytes).includes(0)) return { values, end: "uninitialised-read" };
    if (type.kind === "float") values.push(type.bits === 32 ? view.getFloat32(at, true) : view.getFloat64(at, true));
    else {
      let bits = 0n;
      for (let i = bytes - 1; i >= 0; i--) bits = (bits << 8n) | BigInt(view.getUint8(at + i));
      if (type.kind === "bool" && bits > 1n) return { values, end: "invalid-value" };
      values.push(fromBigInt(type.kind === "int" ? wrapToInt(bits, type) : bits));
    }
  }
  return { values, end: "exit" };
}

/** The accesses as a program; `through` makes the address of a byte offset. */
function runAccesses(accesses: readonly Access[], kind: "local" | "heap" | "parameter", dataModel: DataModelName) {
  const builder = buildIr(dataModel);
  const bytes = pointerTo(unsignedChar);
  const use = builder.function("use", [["p", bytes]], { kind: "void" });
  const main = builder.function("main", [], { kind: "void" });
  const fn = kind === "parameter" ? use : main;
  const array = main.local("a", arrayOf(unsignedChar, size));
  const heap = main.local("h", bytes);
  const index = fn.local("i", int);
  const root: Expression =
    kind === "local" ? convert(bytes, addressOf(array)) : kind === "heap" ? read(heap) : read(use.parameters[0]!);
  if (kind === "heap") main.library(heap, "malloc", constant(size, intType(64, false)));
  const results = new Set<number>();
  accesses.forEach(({ type, at, value }, i) => {
    // Constant and computed offsets take different ways through the compiler.
    if (i % 2 === 0) fn.assign(index, constant(at));
    const where = convert(pointerTo(type), offset(root, i % 2 === 0 ? read(index) : constant(at), 1));
    if (value !== null) fn.store(where, constant(value, type));
    else {
      const result = fn.local(`r${i}`, type);
      results.add(result.id);
      fn.assign(result, load(type, where));
    }
  });
  if (kind === "parameter") {
    use.return();
    main.call(null, use, convert(bytes, addressOf(array)));
  }
  main.return();
  const values: ScalarValue[] = [];
  const { result } = execute(
    builder.program(),
    {},
    // Scalars at any address.
    { ...plainMode, undefinedBehaviour: "wrap", writes: true },
    {
      writer: {
        register(_step, _fn, _edge, variable, value) {
          if (results.has(variable)) values.push(value!);
        },
        memory() {},
      },
    },
  );
  const { outcome } = result;
  return { values, end: outcome.kind === "undefined-behaviour" ? outcome.problem : outcome.kind };
}

describe("memory is bytes", () => {
  for (const kind of ["local", "heap", "parameter"] as const) {
    for (const dataModel of ["LP64", "ILP32"] as const) {
      test(`holds for a ${kind} object, ${dataModel}`, () => {
        fc.assert(
          fc.property(fc.array(access, { minLength: 1, maxLength: 20 }), (accesses) => {
            // Half of the runs start with everything written, to get past the first load.
            const filled: Access[] = Array.from({ length: size }, (_, at) => ({ type: unsignedChar, at, value: 1n }));
            const all = accesses.length % 2 === 0 ? [...filled, ...accesses] : accesses;
            expect(runAccesses(all, kind, dataModel)).toEqual(simulate(all));
          }),
          { seed: 7, numRuns: 120 },
        );
      });
    }
  }
});

describe("bit-fields", () => {
  const field = fc
    .record({ shift: fc.integer({ min: 0, max: 60 }), width: fc.integer({ min: 1, max: 64 }), signed: fc.boolean() })
    .filter(({ shift, width }) => shift + width <= 64);
  test("hold their bits and leave the others alone", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(field, fc.bigInt({ min: 0n, max: (1n << 64n) - 1n })), { minLength: 1, maxLength: 6 }),
        (stores) => {
          const builder = buildIr();
          const main = builder.function("main", [], { kind: "void" });
          const unit = main.local("s", intType(64, false), "memory");
          main.store(addressOf(unit), constant(0n, intType(64, false)));
          let bits = 0n;
          const expected: ScalarValue[] = [];
          const results = new Set<number>();
          stores.forEach(([{ shift, width, signed }, raw], i) => {
            const type = intType(64, signed);
            const value = signed ? BigInt.asIntN(width, raw) : BigInt.asUintN(width, raw);
            main.do({
              kind: "store",
              type,
              address: addressOf(unit),
              value: constant(value, type),
              bitField: { shift, width },
            });
            const mask = ((1n << BigInt(width)) - 1n) << BigInt(shift);
            bits = (bits & ~mask) | ((value << BigInt(shift)) & mask);
            const result = main.local(`r${i}`, type);
            results.add(result.id);
            main.assign(result, { kind: "load", type, address: addressOf(unit), bitField: { shift, width } });
            expected.push(fromBigInt(value));
          });
          const whole = main.local("whole", intType(64, false));
          results.add(whole.id);
          main.assign(whole, load(intType(64, false), addressOf(unit)));
          expected.push(fromBigInt(bits));
          const values: ScalarValue[] = [];
          execute(
            builder.program(),
            {},
            { ...plainMode, writes: true },
            {
              writer: {
                register(_step, _fn, _edge, variable, value) {
                  if (results.has(variable)) values.push(value!);
                },
                memory() {},
              },
            },
          );
          expect(values).toEqual(expected);
        },
      ),
      { seed: 8, numRuns: 150 },
    );
  });

  test("are initialised bit by bit", () => {
    const builder = buildIr();
    const main = builder.function("main", [], { kind: "void" });
    const unit = main.local("s", int, "memory");
    const result = main.local("r", int);
    main.do({
      kind: "store",
      type: int,
      address: addressOf(unit),
      value: constant(1),
      bitField: { shift: 0, width: 3 },
    });
    main.assign(result, { kind: "load", type: int, address: addressOf(unit), bitField: { shift: 0, width: 3 } });
    main.assign(result, { kind: "load", type: int, address: addressOf(unit), bitField: { shift: 3, width: 2 } });
    main.return();
    const { result: run } = execute(builder.program(), {}, plainMode);
    expect(run.outcome).toMatchObject({ kind: "undefined-behaviour", problem: "uninitialised-read" });
    expect(run.steps).toBe(3);
  });
});

describe("pointers in memory", () => {
  for (const dataModel of ["LP64", "ILP32"] as const) {
    test(`keep their object through memory, copies of bytes and integers, ${dataModel}`, () => {
      const builder = buildIr(dataModel);
      const bytes = dataModel === "LP64" ? 8 : 4;
      const size = intType(dataModel === "LP64" ? 64 : 32, false);
      const main = builder.function("main", [], int);
      const array = main.local("a", arrayOf(int, 4));
      const slot = main.local("slot", pointerTo(int), "memory");
      const copy = main.local("copy", pointerTo(int), "memory");
      const loose = main.local("loose", arrayOf(char, 2 * bytes));
      const number = main.local("n", size);
      const third = offset(convert(pointerTo(int), addressOf(array)), constant(3), 4);
      main.store(third, constant(7));
      main.store(addressOf(slot), third);
      main.do({ kind: "copy", to: addressOf(copy), from: addressOf(slot), size: bytes });
      // To an odd address and back.
      const odd = offset(convert(pointerTo(char), addressOf(loose)), constant(1), 1);
      main.do({ kind: "copy", to: odd, from: addressOf(copy), size: bytes });
      main.do({ kind: "copy", to: addressOf(slot), from: odd, size: bytes });
      // Through an integer, moved by one element there.
      main.assign(number, convert(size, load(pointerTo(int), addressOf(slot))));
      main.assign(number, binary("-", read(number), constant(4, size)));
      const second = convert(pointerTo(int), read(number));
      main.store(second, constant(35));
      const sum = binary(
        "+",
        load(int, offset(convert(pointerTo(int), addressOf(array)), constant(2), 4)),
        load(int, third),
      );
      main.return(sum);
      const { result } = execute(builder.program(), {}, plainMode);
      expect(result.outcome).toEqual({ kind: "exit", code: 42, at: null });
    });
  }

  test("stay invalid after free although their memory is used again", () => {
    for (const dataModel of ["LP64", "ILP32"] as const) {
      const builder = buildIr(dataModel);
      const size = intType(dataModel === "LP64" ? 64 : 32, false);
      const main = builder.function("main", [], int);
      const slot = main.local("slot", pointerTo(int), "memory");
      const p = main.local("p", pointerTo(int));
      const i = main.local("i", long);
      main.library(p, "malloc", constant(4, size));
      main.store(addressOf(slot), read(p));
      main.library(null, "free", read(p));
      main.assign(i, constant(0, long));
      main.while({ kind: "comparison", operator: "<", type: int, left: read(i), right: constant(1000, long) }, () => {
        main.library(p, "malloc", constant(4, size));
        main.store(read(p), constant(1));
        main.assign(i, binary("+", read(i), constant(1, long)));
      });
      main.return(load(int, load(pointerTo(int), addressOf(slot))));
      const { result } = execute(builder.program(), {}, plainMode);
      expect(result.outcome).toMatchObject({ kind: "undefined-behaviour", problem: "use-after-free" });
    }
  });

  test("never reach another object after they leave their own", () => {
    const builder = buildIr();
    const main = builder.function("main", [], int);
    const a = main.local("a", arrayOf(int, 2));
    const b = main.local("b", arrayOf(int, 2));
    const i = main.local("i", int);
    const first = (variable: typeof a) => convert(pointerTo(int), addressOf(variable));
    main.store(first(b), constant(5));
    main.store(first(a), constant(5));
    main.input(i);
    // Away and back is no error; to use it while it is away is.
    const away = offset(first(a), read(i), 4);
    const back = offset(away, { kind: "unary", operator: "negate", type: int, operand: read(i) }, 4);
    main.store(back, constant(6));
    main.return(load(int, away));
    const program = builder.program();
    for (const index of [-1n, -4n, 2n, 4n, 1000000n, -1000000n]) {
      const { result } = execute(program, { inputs: [index] }, plainMode);
      expect(result.outcome).toMatchObject({
        kind: "undefined-behaviour",
        problem: "out-of-bounds-read",
        message: `index ${index} is outside of a[2]`,
      });
    }
    expect(execute(program, { inputs: [0n] }, plainMode).result.outcome).toMatchObject({ kind: "exit", code: 6 });
  });
});
