import type { Term, Variable } from "../logic/term.ts";
import type { Region } from "./region.ts";
import { originState, type SymbolicState, writeAll } from "./symbolicState.ts";
import { type Symbols, staticFrame } from "./symbols.ts";

/** The state in which a program starts: everything static is zero, string literals hold their bytes. */
export function startOfProgram(symbols: Symbols): SymbolicState {
  const { terms, program } = symbols;
  const writes: [Variable, Term][] = [];
  const zero = (float: boolean) => (float ? symbols.floatConstant(0) : terms.int(0n));
  for (const variable of program.variables) {
    if (variable.kind !== "static") continue;
    if (variable.storage === "register") {
      writes.push([symbols.register(staticFrame, variable.id), zero(variable.type.kind === "float")]);
      continue;
    }
    const object = symbols.variableObject(staticFrame, variable.id);
    for (const region of object.regions ?? []) {
      const value = zero(region.type.kind === "float");
      let content: Term = region.count === 1 ? value : terms.constantArray(value);
      for (const [i, element] of literalElements(variable.literal, region).entries()) {
        if (element !== 0n) content = terms.store(content, terms.int(i), terms.int(element));
      }
      writes.push([symbols.region(object, region), content]);
    }
  }
  return writeAll(originState, writes);
}

/** The characters of a string literal in the type of its array; wide ones have several bytes, the lowest first. */
function literalElements(literal: Uint8Array | undefined, region: Region): readonly bigint[] {
  if (literal === undefined || region.count === 1 || region.type.kind !== "int") return [];
  const { bits, signed } = region.type;
  const elements: bigint[] = [];
  for (let at = 0; at + region.stride <= literal.length; at += region.stride) {
    let value = 0n;
    for (let i = region.stride - 1; i >= 0; i--) value = (value << 8n) | BigInt(literal[at + i]!);
    elements.push(signed ? BigInt.asIntN(bits, value) : value);
  }
  return elements;
}
