import type { ProgramVariable } from "../ir/program.ts";
import type { Variable as Place } from "../logic/term.ts";
import type { Symbols } from "./symbols.ts";

/** The program's variable that a place is, or is a part of; null for a block. */
export function variableOfPlace(symbols: Symbols, place: Place): ProgramVariable | null {
  const cell = symbols.cellOf(place);
  if (cell?.kind === "register") return symbols.program.variables[cell.variable]!;
  const origin = cell?.kind === "region" ? cell.object.origin : null;
  return origin?.kind === "variable" ? symbols.program.variables[origin.variable]! : null;
}
