import { withoutTemporaries } from "../ir/describePlace.ts";
import type { VariableId } from "../ir/ids.ts";
import { freeVariablesOf } from "../logic/freeVariables.ts";
import { cStyle, type SourceStyle } from "../logic/printSource.ts";
import type { Term, Variable } from "../logic/term.ts";
import type { FrameId, Symbols } from "./symbols.ts";

/**
 * Prints places by their names in the source: `x`, `s.next`, `a[i].next`. A variable whose name several files have for
 * one of their own is named with its file (`a.c::x`). Where two places of the given formulas have the same name, they are
 * told apart by their functions (`f::x`), else by where they were declared (`x:12`), else by their activations.
 */
export function placeStyle(symbols: Symbols, formulas: readonly Term[] = []): SourceStyle {
  const names = distinctNames(symbols, freeVariablesOf(formulas));
  const nameOf = (variable: Variable) => names.get(variable) ?? plainName(symbols, variable);
  return {
    ...cStyle,
    nameOf,
    isFloat: (variable) => isFloat(symbols, variable),
    elementOf(array, index) {
      const cell = symbols.cellOf(array);
      if (cell?.kind !== "region") return null;
      // `list[].next` is written `list[i].next`.
      return `${objectPart(symbols, array, nameOf(array))}${cell.region.path.replace("[]", `[${index}]`)}`;
    },
  };
}

function isFloat(symbols: Symbols, variable: Variable): boolean {
  const cell = symbols.cellOf(variable);
  if (cell?.kind === "register") return cell.type.kind === "float";
  return cell?.kind === "region" && cell.region.type.kind === "float";
}

function distinctNames(symbols: Symbols, variables: readonly Variable[]): ReadonlyMap<Variable, string> {
  const names = new Map<Variable, string>();
  const clashing = (name: (variable: Variable) => string, among: readonly Variable[]) => {
    const byName = new Map<string, Variable[]>();
    for (const variable of among) {
      const text = name(variable);
      byName.set(text, [...(byName.get(text) ?? []), variable]);
      names.set(variable, text);
    }
    return [...byName.values()].filter((same) => same.length > 1);
  };
  for (const same of clashing((variable) => plainName(symbols, variable), variables)) {
    for (const twice of clashing((variable) => qualified(symbols, variable), same)) {
      for (const thrice of clashing((variable) => located(symbols, variable), twice)) {
        for (const variable of thrice) names.set(variable, `${names.get(variable)}@${owner(symbols, variable)?.frame}`);
      }
    }
  }
  return names;
}

function plainName(symbols: Symbols, variable: Variable): string {
  const place = owner(symbols, variable);
  const file = place === null ? undefined : symbols.program.variables[place.variable]!.file;
  const name = nameInFile(symbols, variable);
  return file === undefined ? name : name.replace(/^(&|bytes\()?/, `$1${file}::`);
}

function nameInFile(symbols: Symbols, variable: Variable): string {
  const cell = symbols.cellOf(variable);
  if (cell === null) return variable.name.replace(/[#@!~].*$/, "");
  switch (cell.kind) {
    case "register":
      return registerName(symbols, cell.variable);
    case "region":
      return `${cell.object.name}${cell.region.path.replace(/^\[\]/, "")}`;
    case "address":
      return `&${cell.object.name}`;
    case "size":
      return `bytes(${cell.object.name})`;
    case "rounds":
      return "#rounds";
    case "input":
      return `input ${cell.number}`;
  }
}

/** A temporary is called what it stands for, in its own function. */
function registerName({ program }: Symbols, id: VariableId): string {
  const { name, kind, function: owner } = program.variables[id]!;
  if (kind !== "temporary" || owner === null) return name;
  return withoutTemporaries(program, program.functions[owner]!, name);
}

/** The object's part of a region's name, however the name was told apart. */
function objectPart(symbols: Symbols, variable: Variable, name: string): string {
  const cell = symbols.cellOf(variable);
  const path = cell?.kind === "region" ? cell.region.path.replace(/^\[\]/, "") : "";
  return path !== "" && name.endsWith(path) ? name.slice(0, -path.length) : name;
}

/** The variable of the program that a place belongs to. */
function owner(symbols: Symbols, variable: Variable): { readonly variable: number; readonly frame: FrameId } | null {
  const cell = symbols.cellOf(variable);
  if (cell === null || cell.kind === "rounds" || cell.kind === "input") return null;
  if (cell.kind === "register") return cell;
  return cell.object.origin.kind === "variable" ? cell.object.origin : null;
}

function qualified(symbols: Symbols, variable: Variable): string {
  const place = owner(symbols, variable);
  const name = plainName(symbols, variable);
  if (place === null) return name;
  const { function: id } = symbols.program.variables[place.variable]!;
  const fn = id === null ? null : symbols.program.functions[id]!;
  const scope = fn === null ? "" : fn.file === undefined ? fn.name : `${fn.file}::${fn.name}`;
  return name.startsWith("&") ? `&${scope}::${name.slice(1)}` : `${scope}::${name}`;
}

function located(symbols: Symbols, variable: Variable): string {
  const place = owner(symbols, variable);
  const name = plainName(symbols, variable);
  return place === null ? name : `${name}:${symbols.program.variables[place.variable]!.range.line}`;
}
