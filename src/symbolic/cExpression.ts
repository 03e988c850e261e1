import type { VariableId } from "../ir/program.ts";
import { printSource, type SourceStyle } from "../logic/printSource.ts";
import type { Term, Variable } from "../logic/term.ts";
import { freeVariables } from "../logic/traverse.ts";
import type { SymbolicObject, Symbols } from "./symbols.ts";

/**
 * A formula over places as an expression that C evaluates to the same where its variables are in scope; null where C cannot
 * say it: quantifiers, functions of the logic, blocks of the heap, two variables of one name. Formulas are about mathematical
 * integers; where they compute, their operands are widened so that the computation does not overflow.
 */
export function cExpression(symbols: Symbols, term: Term): string | null {
  if (term.kind === "bool") return term.value ? "1" : "0";
  const names = new Map<string, number>();
  for (const place of freeVariables(term)) {
    const found = cName(symbols, place);
    if (found === null || (names.get(found.name) ?? found.variable) !== found.variable) return null;
    names.set(found.name, found.variable);
  }
  let [computes, isSayable] = [false, true];
  const plain = styleWith(symbols, "", (what) => {
    if (what === "arithmetic") computes = true;
    else isSayable = false;
  });
  const text = printSource(term, plain);
  if (!isSayable) return null;
  return computes
    ? printSource(
        term,
        styleWith(symbols, "(long long)", () => {}),
      )
    : text;
}

/** The C variable that a place is, or is a part of. */
function cName(symbols: Symbols, place: Variable): { readonly name: string; readonly variable: number } | null {
  const cell = symbols.cellOf(place);
  const id = cell?.kind === "register" ? cell.variable : cell?.kind === "region" ? ownerOf(cell.object) : null;
  if (id === null) return null;
  const { name, madeUp } = symbols.program.variables[id]!;
  return madeUp ? null : { name, variable: id };
}

function ownerOf({ origin }: SymbolicObject): VariableId | null {
  return origin.kind === "variable" ? origin.variable : null;
}

function styleWith(symbols: Symbols, cast: string, notice: NonNullable<SourceStyle["notice"]>): SourceStyle {
  const nameOf = (place: Variable) => {
    const cell = symbols.cellOf(place);
    const path = cell?.kind === "region" ? cell.region.path.replace(/^\[\]/, "") : "";
    return `${cName(symbols, place)?.name ?? place.name}${path}`;
  };
  return {
    language: "c",
    nameOf: (place) => `${cast}${nameOf(place)}`,
    elementOf(array, index, printer) {
      const cell = symbols.cellOf(array);
      if (cell?.kind !== "region") return null;
      const cellPath = cell.region.path.replace("[]", `[${printer.print(index).text}]`);
      return `${cast}${cName(symbols, array)?.name ?? array.name}${cellPath}`;
    },
    notice,
  };
}
