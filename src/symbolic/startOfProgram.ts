import type { Term, Variable } from "../logic/term.ts";
import { type Region, regionSize } from "./region.ts";
import { originState, type SymbolicState, writeAll, zeroOf } from "./symbolicState.ts";
import { type Symbols, staticFrame } from "./symbols.ts";

/** The state in which a program starts: everything static is zero, string literals hold their characters. */
export function startOfProgram(symbols: Symbols): SymbolicState {
  const { terms, program } = symbols;
  const writes: [Variable, Term][] = [];
  for (const variable of program.variables) {
    if (variable.kind !== "static") continue;
    if (variable.storage === "register") {
      const zero = terms.int(0n);
      writes.push([symbols.register(staticFrame, variable.id), zero]);
      continue;
    }
    const object = symbols.variableObject(staticFrame, variable.id);
    for (const region of object.regions ?? []) {
      const zero = zeroOf(symbols, region);
      const content = variable.literal === undefined ? zero : literalContent(symbols, region, variable.literal, zero);
      writes.push([symbols.region(object, region), content]);
    }
  }
  return writeAll(originState, writes);
}

/** The characters of a literal, whatever their width. */
function literalContent(symbols: Symbols, region: Region, bytes: Uint8Array, zero: Term): Term {
  const { terms, program } = symbols;
  if (region.type.kind !== "int") return zero;
  const { bits, signed } = region.type;
  const size = regionSize(region, program.pointerBytes);
  let content = zero;
  for (let i = 0; (i + 1) * size <= bytes.length; i++) {
    let character = 0n;
    for (let k = size - 1; k >= 0; k--) character = (character << 8n) | BigInt(bytes[i * size + k]!);
    if (character === 0n) continue;
    const value = terms.int(signed ? BigInt.asIntN(bits, character) : character);
    if (region.count === 1) return value;
    content = terms.store(content, terms.int(i), value);
  }
  return content;
}
