import { nth, present } from "../base/checked.ts";
import { memoised } from "../base/memo.ts";
import { languageOf, languages } from "../ir/language.ts";
import { sourceOfVariable } from "../ir/printOperation.ts";
import type { ProgramVariable, VariableId } from "../ir/program.ts";
import type { ScalarType } from "../ir/type.ts";
import { cStyle, printSource, printSum, type SourcePrinter, type SourceStyle } from "../logic/printSource.ts";
import type { Variable as Place, Term, Variable } from "../logic/term.ts";
import { freeVariables, freeVariablesOf } from "../logic/traverse.ts";
import type { FrameId, SymbolicObject, Symbols } from "./symbols.ts";

/** The name of a heap block, by its number in the recorded run's memory; null if it has only the number. */
export type BlockName = (number: number) => string | null;

const numbered: BlockName = () => null;

/**
 * Prints places by their names in the source: `x`, `s.next`, `a[i].next`, `(the 2nd node)->next`. A variable whose name several files
 * have for one of their own is named with its file (`a.c::x`). Where two places of the given formulas have the same name, they are
 * told apart by their functions (`f::x`), else by where they were declared (`x:12`), else by their activations.
 */
export function placeStyle(
  symbols: Symbols,
  formulas: readonly Term[] = [],
  blockName: BlockName = numbered,
): SourceStyle {
  const names = distinctNames(symbols, freeVariablesOf(formulas), blockName);
  const nameOf = (variable: Variable) => names.get(variable) ?? fileName(symbols, variable, blockName);
  const language = languageOf(symbols.program);
  return {
    ...cStyle,
    language,
    nameOf(variable) {
      const cell = symbols.cellOf(variable);
      const name = nameOf(variable);
      const isPlain = cell?.kind === "register" && name.scope === "" && name.mark === "";
      return isPlain ? sourceOfVariable(symbols.program, cell.variable) : textOf(name, name.path);
    },
    isFloat: (variable) => scalarTypeOf(symbols, variable)?.kind === "float",
    elementOf(array, index, printer) {
      const cell = symbols.cellOf(array);
      if (cell?.kind !== "region") return null;
      const member = memberOfRow(symbols, cell.object, index, printer);
      if (member !== null) return member;
      const { path } = cell.region;
      const isFirst = index.kind === "int" && index.value === 0n;
      if (isNamedBlock(cell.object, blockName) && isFirst && path.startsWith("[]."))
        return textOf(nameOf(array), `->${path.slice(3)}`);
      // `list[].next` is written `list[i].next`.
      return textOf(nameOf(array), path.replace("[]", `[${printer.print(index).text}]`));
    },
  };
}

/** The parts of a place's name: `before`, `scope`, `owner`, a path inside of the owner, `after`, `mark`. */
type PlaceName = {
  /** `&`, `bytes(`. */
  readonly before: string;
  /** `file.c::`. */
  readonly scope: string;
  readonly owner: string;
  readonly path: string;
  readonly after: string;
  /** `:12`, `@3`. */
  readonly mark: string;
};

function textOf({ before, scope, owner, after, mark }: PlaceName, path: string): string {
  return `${before}${scope}${owner}${path}${after}${mark}`;
}

function scalarTypeOf(symbols: Symbols, variable: Variable): ScalarType | null {
  const cell = symbols.cellOf(variable);
  if (cell?.kind === "register") return cell.type;
  return cell?.kind === "region" ? cell.region.type : null;
}

function isNamedBlock({ origin }: SymbolicObject, blockName: BlockName): boolean {
  return origin.kind === "heap" && blockName(origin.number) !== null;
}

/** A cell of a table that keeps a field, or the elements, of all objects: `account.balance`, `list[2]`; null for any other cell. */
function memberOfRow(symbols: Symbols, object: SymbolicObject, index: Term, printer: SourcePrinter): string | null {
  const { program } = symbols;
  const variable = object.origin.kind === "variable" ? program.variables[object.origin.variable] : undefined;
  if (variable?.rows === undefined) return null;
  const { first, width, member } = variable.rows;
  if (index.kind === "int") {
    const row = Math.floor(Number(index.value) / width);
    const name = objectNames(program.variables).get(BigInt(first + row));
    if (name === undefined) return null;
    return member === null ? `${name}[${Number(index.value) % width}]` : `${name}.${member}`;
  }
  // The number of the object less that of the first one.
  const isRow = member !== null && index.kind === "sum" && index.constant === -BigInt(first);
  const [only] = isRow && index.monomials.length === 1 ? index.monomials : [];
  if (only?.coefficient !== 1n) return null;
  return `${printSum(printer, [only], 0n).text}.${member}`;
}

/** The names of the numbers that stand for objects. */
const objectNames = memoised((variables: readonly ProgramVariable[]): ReadonlyMap<bigint, string> => {
  const types = variables.flatMap(({ type }) => (type.kind === "int" ? (type.enumerators ?? []) : []));
  return new Map(types.map(({ name, value }) => [value, name]));
});

function distinctNames(
  symbols: Symbols,
  variables: readonly Variable[],
  blockName: BlockName,
): ReadonlyMap<Variable, PlaceName> {
  const names = new Map<Variable, PlaceName>();
  const clashing = (name: (variable: Variable) => PlaceName, among: readonly Variable[]) => {
    const byName = new Map<string, Variable[]>();
    for (const variable of among) {
      const own = name(variable);
      const text = textOf(own, own.path);
      byName.set(text, [...(byName.get(text) ?? []), variable]);
      names.set(variable, own);
    }
    return [...byName.values()].filter((same) => same.length > 1);
  };
  const inFile = (variable: Variable) => fileName(symbols, variable, blockName);
  for (const same of clashing(inFile, variables)) {
    for (const twice of clashing((variable) => inFunction(symbols, variable, inFile(variable)), same)) {
      for (const thrice of clashing((variable) => located(symbols, variable, inFile(variable)), twice)) {
        for (const variable of thrice) {
          const name = present(names.get(variable));
          names.set(variable, { ...name, mark: `${name.mark}@${owner(symbols, variable)?.frame}` });
        }
      }
    }
  }
  return names;
}

function fileName(symbols: Symbols, variable: Variable, blockName: BlockName): PlaceName {
  const place = owner(symbols, variable);
  const file = place === null ? undefined : nth(symbols.program.variables, place.variable).file;
  return { ...plainName(symbols, variable, blockName), scope: file === undefined ? "" : `${file}::` };
}

function plainName(symbols: Symbols, variable: Variable, blockName: BlockName): PlaceName {
  const nothing = { before: "", scope: "", path: "", after: "", mark: "" };
  const cell = symbols.cellOf(variable);
  if (cell === null) return { ...nothing, owner: variable.name.replace(/[#@!~].*$/, "") };
  switch (cell.kind) {
    case "register":
      return { ...nothing, owner: sourceOfVariable(symbols.program, cell.variable).text };
    case "region": {
      const path = cell.region.path.replace(/^\[\]/, "");
      const isPart = isNamedBlock(cell.object, blockName) && path.startsWith(".");
      return { ...nothing, owner: objectName(cell.object, blockName), path: isPart ? `->${path.slice(1)}` : path };
    }
    case "address":
      return { ...nothing, before: "&", owner: objectName(cell.object, blockName) };
    case "size": {
      const { origin, name } = cell.object;
      const block = origin.kind === "heap" ? blockName(origin.number) : null;
      return { ...nothing, before: "bytes(", owner: block ?? name, after: ")" };
    }
    case "rounds":
      return { ...nothing, owner: "#rounds" };
    case "input":
      return { ...nothing, owner: `input ${cell.number}` };
  }
}

function objectName({ origin, name }: SymbolicObject, blockName: BlockName): string {
  const block = origin.kind === "heap" ? blockName(origin.number) : null;
  return block === null ? name : `(${block})`;
}

/** The variable of the program that a place belongs to. */
function owner(symbols: Symbols, variable: Variable): { readonly variable: number; readonly frame: FrameId } | null {
  const cell = symbols.cellOf(variable);
  if (cell === null || cell.kind === "rounds" || cell.kind === "input") return null;
  if (cell.kind === "register") return cell;
  return cell.object.origin.kind === "variable" ? cell.object.origin : null;
}

function inFunction(symbols: Symbols, variable: Variable, name: PlaceName): PlaceName {
  const place = owner(symbols, variable);
  if (place === null) return name;
  const { function: id } = nth(symbols.program.variables, place.variable);
  const fn = id === null ? null : nth(symbols.program.functions, id);
  const scope = fn === null ? "" : fn.file === undefined ? fn.name : `${fn.file}::${fn.name}`;
  return { ...name, scope: `${scope}::${name.scope}` };
}

function located(symbols: Symbols, variable: Variable, name: PlaceName): PlaceName {
  const place = owner(symbols, variable);
  if (place === null) return name;
  return { ...name, mark: `:${nth(symbols.program.variables, place.variable).range.line}` };
}

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
  const { name, madeUp } = nth(symbols.program.variables, id);
  return madeUp ? null : { name, variable: id };
}

function ownerOf({ origin }: SymbolicObject): VariableId | null {
  return origin.kind === "variable" ? origin.variable : null;
}

/** A program need not include `<stdint.h>`. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ["int8_t", "signed char"],
  ["uint8_t", "unsigned char"],
  ["int16_t", "short"],
  ["uint16_t", "unsigned short"],
  ["int32_t", "int"],
  ["uint32_t", "unsigned int"],
  ["int64_t", "long long"],
  ["uint64_t", "unsigned long long"],
]);

function styleWith(symbols: Symbols, cast: string, notice: NonNullable<SourceStyle["notice"]>): SourceStyle {
  const nameOf = (place: Variable) => {
    const cell = symbols.cellOf(place);
    const path = cell?.kind === "region" ? cell.region.path.replace(/^\[\]/, "") : "";
    return `${cName(symbols, place)?.name ?? place.name}${path}`;
  };
  return {
    language: languages.c,
    hasRemainders: true,
    typeName: (type) => typeNames.get(type) ?? type,
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

/** The program's variable that a place is, or is a part of; null for a block. */
export function variableOfPlace(symbols: Symbols, place: Place): ProgramVariable | null {
  const cell = symbols.cellOf(place);
  if (cell?.kind === "register") return nth(symbols.program.variables, cell.variable);
  const origin = cell?.kind === "region" ? cell.object.origin : null;
  return origin?.kind === "variable" ? nth(symbols.program.variables, origin.variable) : null;
}
