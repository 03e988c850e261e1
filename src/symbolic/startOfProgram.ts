import type { Term, Variable } from "../logic/term.ts";
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
      for (const [i, byte] of (variable.literal ?? []).entries()) {
        if (byte !== 0 && region.count !== 1)
          content = terms.store(content, terms.int(i), terms.int(BigInt.asIntN(8, BigInt(byte))));
      }
      writes.push([symbols.region(object, region), content]);
    }
  }
  return writeAll(originState, writes);
}
