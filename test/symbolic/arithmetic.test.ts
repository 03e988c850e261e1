import { expect, it } from "vitest";
import { loadCText } from "../../src/c/cFrontEnd.ts";
import { type InputSource, listedInputs, randomInputs } from "../../src/interpreter/inputs.ts";
import type { DataModelName } from "../../src/ir/type.ts";
import { checkTraceLaw } from "./support/traceLaw.ts";

/** Arithmetic at all widths: symbolic terms evaluate to what the interpreter computes. */

const TYPES = [
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "int",
  "unsigned",
  "long",
  "unsigned long",
  "long long",
  "unsigned long long",
  "_Bool",
];

/** Where the data model has it. */
const WIDE = ["__int128", "unsigned __int128"];

function programFor(type: string): string {
  const results = [
    ...["+", "-", "*", "&", "|", "^"].map((operator) => `(T)(a ${operator} b)`),
    ...["+", "-", "*"].map((operator) => `(T)(a ${operator} (T)3)`),
    ...["==", "!=", "<", "<=", ">", ">="].map((operator) => `a ${operator} b`),
    "-a",
    "~a",
    "!a",
    "(T)(a << s)",
    "(T)(a << 1)",
    "a >> s",
    "a >> 2",
    "b ? a / b : 0",
    "b ? a % b : 0",
    "a / 7",
    "a % 7",
    "a & 0xF0",
    "a | 5",
    "(a & 15) << 2",
    ...TYPES.map((to) => `(${to})a`),
  ];
  return `extern long long __VERIFIER_nondet_longlong(void); extern unsigned __VERIFIER_nondet_uint(void);
typedef ${type} T;
int main(void) {
  T a = (T)__VERIFIER_nondet_longlong(), b = (T)__VERIFIER_nondet_longlong(); unsigned s = __VERIFIER_nondet_uint() % (sizeof(T) * 8 > 31 ? sizeof(T) * 8 - 1 : 31);
${results.map((result, i) => `  __typeof__(${result}) r${i} = ${result};`).join("\n")}
  return 0;
}`;
}

const extremes = [
  0n,
  1n,
  -1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  127n,
  128n,
  -128n,
  255n,
  32768n,
  2n ** 31n,
  -(2n ** 31n),
  2n ** 32n - 1n,
];

function inputSources(): InputSource[] {
  const pairs = extremes.flatMap((a, i) => [extremes[(i * 5 + 1) % extremes.length]!, -1n].map((b) => [a, b] as const));
  return [
    ...pairs.map(([a, b], i) => listedInputs([a, b, BigInt(i)])),
    ...[1, 2, 3, 4].map((seed) => randomInputs(seed)),
  ];
}

for (const dataModel of ["LP64", "ILP32"] as const satisfies readonly DataModelName[]) {
  it.each(dataModel === "LP64" ? [...TYPES, ...WIDE] : TYPES)(`%s, ${dataModel}`, async (type) => {
    const program = await loadCText("program.c", programFor(type), { dataModel, preprocess: "builtin" });
    for (const inputs of inputSources()) {
      for (const undefinedBehaviour of ["wrap", "stop"] as const) {
        const result = checkTraceLaw(program, { inputs, undefinedBehaviour }, [1]);
        expect(result.mismatches).toEqual([]);
        expect(result.open).toBe(0);
      }
    }
  });
}
