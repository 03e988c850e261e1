import fc from "fast-check";
import {
  type ArrayValue,
  type Assignment,
  arrayValue,
  readArray,
  type Value,
  writeArray,
} from "../../src/logic/evaluate.ts";
import { euclideanDiv, euclideanMod } from "../../src/logic/linear.ts";
import type { BitOperator, Term } from "../../src/logic/term.ts";
import type { Terms } from "../../src/logic/terms.ts";

/**
 * A recipe builds a term and, independently of all term code, says what its value must be: the oracle for the laws.
 * `value` throws `Undefined` where SMT-LIB leaves the result open.
 */
const read = (array: ArrayValue, index: bigint) => readArray(array, index)!;

export type Recipe<V extends Value = Value> = {
  readonly text: string;
  build(terms: Terms): Term;
  value(state: State): V;
};

export type State = {
  readonly ints: readonly bigint[];
  readonly bools: readonly boolean[];
  readonly arrays: readonly ArrayValue[];
};

export class Undefined extends Error {}

export const intNames = ["x", "y", "z"];
export const boolNames = ["p", "q"];
export const arrayNames = ["a", "b"];

const small = fc.bigInt({ min: -6n, max: 6n });
/** All that an integer type or a bit-field can have, the common ones more often. */
const width = fc.oneof(fc.constantFrom(8, 16, 32, 64), fc.integer({ min: 1, max: 128 }));
const large = fc.oneof(small, fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }));

export const stateArbitrary: fc.Arbitrary<State> = fc.record({
  ints: fc.tuple(large, large, large),
  bools: fc.tuple(fc.boolean(), fc.boolean()),
  arrays: fc.tuple(
    ...arrayNames.map(() =>
      fc.tuple(fc.array(fc.tuple(small, small), { maxLength: 4 }), small).map(([e, o]) => arrayValue(e, o)),
    ),
  ),
});

export function stateAssignment(state: State) {
  const values = new Map<string, Value>();
  for (const [i, name] of intNames.entries()) values.set(name, state.ints[i]!);
  for (const [i, name] of boolNames.entries()) values.set(name, state.bools[i]!);
  for (const [i, name] of arrayNames.entries()) values.set(name, state.arrays[i]!);
  return (variable: { readonly name: string }) => values.get(variable.name);
}

type IntRecipe = Recipe<bigint>;
type BoolRecipe = Recipe<boolean>;
type ArrayRecipe = Recipe<ArrayValue>;

function binary<A extends Value, B extends Value, V extends Value>(
  name: string,
  a: Recipe<A>,
  b: Recipe<B>,
  build: (t: Terms, a: Term, b: Term) => Term,
  value: (a: A, b: B) => V,
): Recipe<V> {
  return {
    text: `${name}(${a.text}, ${b.text})`,
    build: (t) => build(t, a.build(t), b.build(t)),
    value: (s) => value(a.value(s), b.value(s)),
  };
}

function nonZero(b: bigint): bigint {
  if (b === 0n) throw new Undefined();
  return b;
}

export type RecipeOptions = {
  readonly nonlinear: boolean;
  readonly bits: boolean;
  readonly arrays: boolean;
  readonly depth?: number;
};

export function recipes(options: RecipeOptions = { nonlinear: true, bits: true, arrays: true }) {
  return fc.letrec<{ int: IntRecipe; bool: BoolRecipe; array: ArrayRecipe; divisor: IntRecipe }>((tie) => {
    const int = () => tie("int");
    const constant: fc.Arbitrary<IntRecipe> = large.map((v) => ({
      text: `${v}`,
      build: (t) => t.int(v),
      value: () => v,
    }));
    const smallConstant: fc.Arbitrary<IntRecipe> = small.map((v) => ({
      text: `${v}`,
      build: (t) => t.int(v),
      value: () => v,
    }));
    const variable: fc.Arbitrary<IntRecipe> = fc.nat(intNames.length - 1).map((i) => ({
      text: intNames[i]!,
      build: (t) => t.variable(intNames[i]!, "Int"),
      value: (s) => s.ints[i]!,
    }));
    const arithmetic: fc.Arbitrary<IntRecipe>[] = [
      fc.tuple(int(), int()).map(([a, b]) =>
        binary(
          "+",
          a,
          b,
          (t, x, y) => t.add(x, y),
          (x, y) => x + y,
        ),
      ),
      fc.tuple(int(), int()).map(([a, b]) =>
        binary(
          "-",
          a,
          b,
          (t, x, y) => t.sub(x, y),
          (x, y) => x - y,
        ),
      ),
      fc.tuple(smallConstant, int()).map(([a, b]) =>
        binary(
          "*",
          a,
          b,
          (t, x, y) => t.mul(x, y),
          (x, y) => x * y,
        ),
      ),
      fc.tuple(int(), tie("divisor")).map(([a, b]) =>
        binary(
          "div",
          a,
          b,
          (t, x, y) => t.div(x, y),
          (x, y) => euclideanDiv(x, nonZero(y)),
        ),
      ),
      fc.tuple(int(), tie("divisor")).map(([a, b]) =>
        binary(
          "mod",
          a,
          b,
          (t, x, y) => t.mod(x, y),
          (x, y) => euclideanMod(x, nonZero(y)),
        ),
      ),
      fc.tuple(int(), tie("divisor")).map(([a, b]) =>
        binary(
          "/",
          a,
          b,
          (t, x, y) => t.truncatingDiv(x, y),
          (x, y) => x / nonZero(y),
        ),
      ),
      fc.tuple(int(), tie("divisor")).map(([a, b]) =>
        binary(
          "%",
          a,
          b,
          (t, x, y) => t.truncatingRem(x, y),
          (x, y) => x % nonZero(y),
        ),
      ),
      fc.tuple(int(), width, fc.boolean()).map(
        ([a, bits, signed]): IntRecipe => ({
          text: `wrap${bits}${signed}(${a.text})`,
          build: (t) => t.wrap(a.build(t), bits, signed),
          value: (s) => (signed ? BigInt.asIntN(bits, a.value(s)) : BigInt.asUintN(bits, a.value(s))),
        }),
      ),
      fc.tuple(tie("bool"), int(), int()).map(
        ([c, a, b]): IntRecipe => ({
          text: `ite(${c.text}, ${a.text}, ${b.text})`,
          build: (t) => t.ite(c.build(t), a.build(t), b.build(t)),
          value: (s) => (c.value(s) ? a.value(s) : b.value(s)),
        }),
      ),
    ];
    if (options.arrays)
      arithmetic.push(
        fc.tuple(tie("array"), int()).map(([a, i]) => binary("select", a, i, (t, x, y) => t.select(x, y), read)),
      );
    if (options.nonlinear)
      arithmetic.push(
        fc.tuple(int(), int()).map(([a, b]) =>
          binary(
            "*",
            a,
            b,
            (t, x, y) => t.mul(x, y),
            (x, y) => x * y,
          ),
        ),
      );
    if (options.bits)
      arithmetic.push(
        fc
          .tuple(
            fc.constantFrom<BitOperator>("and", "or", "xor", "shl", "lshr", "ashr"),
            fc.constantFrom(4, 8, 32),
            int(),
            fc.oneof(
              int(),
              fc
                .bigInt({ min: 0n, max: 255n })
                .map((v): IntRecipe => ({ text: `${v}`, build: (t) => t.int(v), value: () => v })),
            ),
          )
          .map(([op, width, a, b]) =>
            binary(
              `${op}${width}`,
              a,
              b,
              (t, x, y) => t.bits(op, width, x, y),
              (x, y) => referenceBits(op, width, x, y),
            ),
          ),
      );
    const relation = (
      name: string,
      build: (t: Terms, a: Term, b: Term) => Term,
      value: (a: bigint, b: bigint) => boolean,
    ) => fc.tuple(int(), int()).map(([a, b]) => binary(name, a, b, build, value));
    const formulas: fc.Arbitrary<BoolRecipe>[] = [
      relation(
        "<=",
        (t, a, b) => t.le(a, b),
        (a, b) => a <= b,
      ),
      relation(
        "<",
        (t, a, b) => t.lt(a, b),
        (a, b) => a < b,
      ),
      relation(
        "=",
        (t, a, b) => t.eq(a, b),
        (a, b) => a === b,
      ),
      relation(
        "!=",
        (t, a, b) => t.ne(a, b),
        (a, b) => a !== b,
      ),
      fc.tuple(tie("bool"), tie("bool")).map(([a, b]) =>
        binary(
          "and",
          a,
          b,
          (t, x, y) => t.and(x, y),
          (x, y) => x && y,
        ),
      ),
      fc.tuple(tie("bool"), tie("bool")).map(([a, b]) =>
        binary(
          "or",
          a,
          b,
          (t, x, y) => t.or(x, y),
          (x, y) => x || y,
        ),
      ),
      fc.tuple(tie("bool"), tie("bool")).map(([a, b]) =>
        binary(
          "iff",
          a,
          b,
          (t, x, y) => t.iff(x, y),
          (x, y) => x === y,
        ),
      ),
      tie("bool").map(
        (a): BoolRecipe => ({ text: `not(${a.text})`, build: (t) => t.not(a.build(t)), value: (s) => !a.value(s) }),
      ),
      fc.array(tie("bool"), { minLength: 3, maxLength: 5 }).map(
        (parts): BoolRecipe => ({
          text: `all(${parts.map((p) => p.text)})`,
          build: (t) => t.all(parts.map((p) => p.build(t))),
          value: (s) => parts.map((p) => p.value(s)).every((v) => v),
        }),
      ),
    ];
    return {
      divisor: fc.oneof({ weight: 3, arbitrary: smallConstant }, variable),
      int: fc.oneof(
        { maxDepth: options.depth ?? 4, depthSize: "small" },
        variable,
        constant,
        smallConstant,
        ...arithmetic,
      ),
      bool: fc.oneof(
        { maxDepth: options.depth ?? 4, depthSize: "small" },
        fc.nat(boolNames.length - 1).map(
          (i): BoolRecipe => ({
            text: boolNames[i]!,
            build: (t) => t.variable(boolNames[i]!, "Bool"),
            value: (s) => s.bools[i]!,
          }),
        ),
        ...formulas,
      ),
      array: fc.oneof(
        { maxDepth: (options.depth ?? 4) - 1, depthSize: "small" },
        fc.nat(arrayNames.length - 1).map(
          (i): ArrayRecipe => ({
            text: arrayNames[i]!,
            build: (t) => t.variable(arrayNames[i]!, "Array"),
            value: (s) => s.arrays[i]!,
          }),
        ),
        smallConstant.map(
          (v): ArrayRecipe => ({
            text: `K(${v.text})`,
            build: (t) => t.constantArray(v.build(t)),
            value: (s) => arrayValue([], v.value(s)),
          }),
        ),
        fc.tuple(tie("array"), int(), int()).map(
          ([a, i, v]): ArrayRecipe => ({
            text: `store(${a.text}, ${i.text}, ${v.text})`,
            build: (t) => t.store(a.build(t), i.build(t), v.build(t)),
            value: (s) => writeArray(a.value(s), i.value(s), v.value(s)),
          }),
        ),
      ),
    };
  });
}

/** Bit by bit, unlike the code under test. */
function referenceBits(operator: BitOperator, width: number, left: bigint, right: bigint): bigint {
  const bit = (v: bigint, i: number) => Number(BigInt.asUintN(width, v) >> BigInt(i)) & 1;
  const distance = BigInt.asUintN(width, right);
  let result = 0n;
  for (let i = 0; i < width; i++) {
    const from = operator === "shl" ? BigInt(i) - distance : BigInt(i) + distance;
    const shifted =
      from < 0n || from >= width
        ? operator === "ashr" && from >= 0n
          ? bit(left, width - 1)
          : 0
        : bit(left, Number(from));
    const value =
      operator === "and"
        ? bit(left, i) & bit(right, i)
        : operator === "or"
          ? bit(left, i) | bit(right, i)
          : operator === "xor"
            ? bit(left, i) ^ bit(right, i)
            : shifted;
    result |= BigInt(value) << BigInt(i);
  }
  return result;
}

/** An assignment from values by name. */
export function assignmentOf(values: ReadonlyMap<string, Value> | Readonly<Record<string, Value>>): Assignment {
  if (values instanceof Map) return (variable) => values.get(variable.name);
  return (variable) => (values as Readonly<Record<string, Value>>)[variable.name];
}
