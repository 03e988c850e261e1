import type { InputValue } from "../../src/interpreter/inputs.ts";
import type { Program } from "../../src/ir/program.ts";
import type { ScalarType } from "../../src/ir/type.ts";

/** C definitions of the functions whose results our model takes as inputs: each returns the next value of the list. */
export function inputStubs(program: Program): string {
  const types = new Map<string, ScalarType>();
  for (const { edges } of program.functions) {
    for (const { operation } of edges) {
      if (operation.kind === "input" && /^\w+$/.test(operation.source)) types.set(operation.source, operation.type);
    }
  }
  return [...types].map(([name, type]) => stub(name, type)).join("");
}

function stub(name: string, type: ScalarType): string {
  switch (type.kind) {
    case "float": {
      const word = type.bits === 32 ? "float" : "double";
      return `${word} ${name}(void) { union { long long bits; double value; } u = {tf_next()}; return (${word})u.value; }\n`;
    }
    case "pointer":
      return `void *${name}(void) { return (void *)(unsigned long)tf_next(); }\n`;
    case "bool":
      return `_Bool ${name}(void) { return (_Bool)tf_next(); }\n`;
    case "int": {
      const word = { 8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128" }[type.bits];
      const full = `${type.signed ? "signed" : "unsigned"} ${word}`;
      return `${full} ${name}(void) { return (${full})tf_next(); }\n`;
    }
  }
}

/** As `tf_next` hands it out: integers as they are, floats by the bits of a double. */
export function stubValue(value: InputValue, type: ScalarType | null): bigint {
  if (type?.kind !== "float") return BigInt(value);
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, Number(value));
  return bytes.getBigInt64(0);
}
