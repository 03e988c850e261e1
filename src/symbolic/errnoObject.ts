import type { Program, VariableId } from "../ir/program.ts";
import type { Term } from "../logic/term.ts";
import { readRegion, type SymbolicState, write } from "./symbolicState.ts";
import { type SymbolicObject, type Symbols, staticFrame } from "./symbols.ts";

const cache = new WeakMap<Program, VariableId | null>();

/** The variable that library functions set; null where the program does not look at it. */
export function errnoObject(symbols: Symbols): SymbolicObject | null {
  const { program } = symbols;
  let id = cache.get(program);
  if (id === undefined) {
    id = program.variables.find(({ role }) => role === "errno")?.id ?? null;
    cache.set(program, id);
  }
  return id === null ? null : symbols.variableObject(staticFrame, id);
}

/** `errno` afterwards, from what it was before. */
export function updateErrno(symbols: Symbols, state: SymbolicState, update: (old: Term) => Term): SymbolicState {
  const object = errnoObject(symbols);
  const region = object?.regions?.[0];
  if (object === null || region === undefined) return state;
  const old = readRegion(symbols, state, object, region);
  const value = update(old);
  return value === old ? state : write(state, symbols.region(object, region), value);
}
