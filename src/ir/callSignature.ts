import type { Function, Program } from "./program.ts";
import type { ScalarType, Type } from "./type.ts";
import { isScalar } from "./typeFacts.ts";

/**
 * A call through a pointer fits a function when the arguments it passes are what the parameters hold and the result it
 * uses is what the function returns. All pointers count as equal: programs mix `void *` with the rest and compilers accept it.
 */
export function signatureOf(
  known: Map<string, number>,
  parameters: readonly ScalarType[],
  result: Type | null,
): number {
  const key = `${parameters.map(representation).join(",")}>${result === null ? "" : representation(result)}`;
  let index = known.get(key);
  if (index === undefined) {
    index = known.size;
    known.set(key, index);
  }
  return index;
}

export function fitsSignature(program: Program, fn: Function, key: string): boolean {
  const [parameters, result] = key.split(">") as [string, string];
  const own = fn.parameters.map((id) => representation(program.variables[id]!.type)).join(",");
  return own === parameters && (result === "" || result === representation(fn.type.result));
}

function representation(type: Type): string {
  if (!isScalar(type)) return "none";
  switch (type.kind) {
    case "pointer":
      return "p";
    case "bool":
      return "b";
    case "float":
      return `f${type.bits}`;
    case "int":
      return `${type.signed ? "i" : "u"}${type.bits}`;
  }
}
