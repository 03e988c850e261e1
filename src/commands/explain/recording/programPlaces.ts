import { nth } from "../../../base/checked.ts";
import type { SourceRange } from "../../../base/sourceRange.ts";
import { type Expression, rangeOfExpression } from "../../../ir/expression.ts";
import { hasSourceNames } from "../../../ir/naming.ts";
import type { Operation } from "../../../ir/operation.ts";
import { sourceOfExpression, sourceOfPlace } from "../../../ir/printOperation.ts";
import type { Edge, Function, Program } from "../../../ir/program.ts";
import { initializerName } from "../../../ir/reservedNames.ts";
import { sourceTextAt, withNegations } from "../../../ir/source.ts";
import type { RecordedPlaceOfStep, RecordedStatement, SourceExtent } from "../../../recording/recording.ts";
import { type Unit, unitsOf } from "../why/visits.ts";

/** The statements and places of a program, executed or not, as a recording has them. */
export type ProgramPlaces = {
  readonly files: readonly string[];
  readonly functions: readonly string[];
  readonly statements: readonly RecordedStatement[];
  readonly places: readonly RecordedPlaceOfStep[];
  /** By the numbers that the dependence graph has for edges. */
  placeOf(code: number): number;
  /** True for a condition that the model has without the `!` of the source. */
  isNegated(code: number): boolean;
  statementOf(unit: Unit): number;
  /** The number of a read among those of its place; -1 if the source has no text for it. */
  partOf(place: number, expression: Expression): number;
};

export function programPlaces(program: Program): ProgramPlaces {
  const files = program.files.map(({ path }) => path);
  const fileNumbers = new Map(files.map((path, i) => [path, i]));
  const unitOf = unitsOf(program);
  const statements: RecordedStatement[] = [];
  const numbers = new Map<number, number>();
  const places: RecordedPlaceOfStep[] = [];
  const reads: Map<Expression, number>[] = [];
  const negated = new Set<number>();
  const statementOf = (unit: Unit): number => {
    const known = numbers.get(unit.id);
    if (known !== undefined) return known;
    numbers.set(unit.id, statements.length);
    statements.push({
      kind: unit.kind === "if" ? "condition" : unit.kind,
      file: fileNumbers.get(unit.range.file) ?? 0,
      function: unit.function.id,
      at: extentOf(unit.range),
      whole: extentOf(unit.whole),
      text: unit.text.replaceAll(/\s+/g, " ").trim(),
    });
    return statements.length - 1;
  };
  for (const fn of program.functions) {
    for (const edge of fn.edges) {
      const unit = unitOf(fn, edge);
      const isNamed = sourceTextAt(program, edge.range) !== null;
      const { range, negations } =
        edge.operation.kind === "assume" ? withNegations(program, edge.range) : { range: edge.range, negations: 0 };
      if (negations % 2 === 1) negated.add(places.length);
      places.push({
        statement: unit === null ? -1 : statementOf(unit),
        kind: kindOf(edge.operation),
        at: isNamed ? extentOf(range) : null,
        name: range === edge.range ? nameOf(program, fn, edge) : (sourceTextAt(program, range) ?? ""),
        ...targetOf(program, edge),
        reads: [],
      });
      reads.push(new Map());
    }
  }
  return {
    files,
    functions: program.functions.map(({ name }) => (name === initializerName ? "(initial values)" : name)),
    statements,
    places,
    placeOf: (code) => code,
    isNegated: (code) => negated.has(code),
    statementOf,
    partOf(place, expression) {
      const known = reads[place]?.get(expression);
      if (known !== undefined) return known;
      const text = textOf(program, expression);
      const own = nth(places, place).reads as { text: string; at: SourceExtent | null }[];
      if (text !== null) own.push(text);
      const part = text === null ? -1 : own.length - 1;
      reads[place]?.set(expression, part);
      return part;
    },
  };
}

export function extentOf({ line, column, endLine, endColumn }: SourceRange): SourceExtent {
  return [line, column, endLine, endColumn];
}

function kindOf(operation: Operation): RecordedPlaceOfStep["kind"] {
  switch (operation.kind) {
    case "assign":
    case "store":
    case "copy":
      return "write";
    case "assume":
    case "case":
      return "condition";
    case "call":
      return "call";
    case "callLibrary":
      return "library";
    case "return":
      return "return";
    case "input":
      return "input";
    case "declare":
    case "fail":
    case "skip":
      return "other";
  }
}

function nameOf(program: Program, fn: Function, { operation }: Edge): string {
  switch (operation.kind) {
    case "assign":
    case "input":
      return nameOfVariable(program, operation.target);
    case "callLibrary":
      return operation.target === null ? "" : nameOfVariable(program, operation.target);
    case "call":
      return operation.callee.kind === "direct" ? nth(program.functions, operation.callee.function).name : "";
    case "store":
      return hasSourceNames(program, operation.address) ? sourceOfPlace(program, operation.address) : "";
    case "copy":
      return hasSourceNames(program, operation.to) ? sourceOfPlace(program, operation.to) : "";
    case "assume":
      return textOf(program, operation.condition)?.text ?? "";
    case "case":
      return textOf(program, operation.selector)?.text ?? "";
    case "return":
      return fn.name;
    default:
      return "";
  }
}

function targetOf(program: Program, { operation }: Edge): Pick<RecordedPlaceOfStep, "target"> {
  if (operation.kind !== "call" || operation.target === null) return {};
  const target = nameOfVariable(program, operation.target);
  return target === "" ? {} : { target };
}

/** Empty for variables that lowering made. */
export function nameOfVariable({ variables }: Program, id: number): string {
  const { name, madeUp, kind } = nth(variables, id);
  return madeUp === true || kind === "temporary" ? "" : name;
}

function textOf(program: Program, expression: Expression): { text: string; at: SourceExtent | null } | null {
  if (!hasSourceNames(program, expression)) return null;
  const range = rangeOfExpression(expression);
  const text = range === null ? null : sourceTextAt(program, range);
  return { text: text ?? sourceOfExpression(program, expression), at: range === null ? null : extentOf(range) };
}
