import { cStyle, type SourceStyle } from "../logic/printSource.ts";
import type { Symbols } from "./symbols.ts";

/** Prints places by their names in the source: `x`, `s.next`, `a`. */
export function placeStyle(symbols: Symbols): SourceStyle {
  return {
    ...cStyle,
    nameOf(variable) {
      const cell = symbols.cellOf(variable);
      if (cell === null) return variable.name.replace(/[#@!~].*$/, "");
      switch (cell.kind) {
        case "register":
          return symbols.program.variables[cell.variable]!.name;
        case "region":
          return `${cell.object.name}${cell.region.path.replace(/^\[\]/, "")}`;
        case "address":
          return `&${cell.object.name}`;
      }
    },
  };
}
