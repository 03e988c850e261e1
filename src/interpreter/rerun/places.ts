import { nth } from "../../base/checked.ts";
import { memoised } from "../../base/memo.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { isBranch } from "../../ir/branches.ts";
import { controlFlowOf } from "../../ir/controlFlow.ts";
import {
  type Binary,
  type Comparison,
  type Constant,
  type Expression,
  expressionOperands,
  rangeOfExpression,
  type VariableRead,
} from "../../ir/expression.ts";
import { languageOf } from "../../ir/language.ts";
import { isQuiet, operationExpressions } from "../../ir/operation.ts";
import type {
  Edge,
  Function,
  LocationId,
  Program,
  ProgramVariable,
  SourceStatement,
  VariableId,
} from "../../ir/program.ts";
import { containsRange, sourceTextAt, statementAt } from "../../ir/source.ts";
import { type ScalarType, sameType } from "../../ir/type.ts";

/** A place to vary (`mode.vary`). Conditions and values can be overridden in one instance or all, others in all. */
export type VariedPlace = { readonly function: Function; readonly edge: Edge } & (
  | /** A two-way branch; `edge` is taken if the condition is true. */
  { readonly kind: "condition"; readonly location: LocationId }
  /** `argument` is its number in a call; an index is any number that moves a pointer. */
  | {
      readonly kind: "value";
      readonly use: ValueUse;
      readonly type: ScalarType;
      readonly expression: Expression | null;
      readonly argument: number;
    }
  | { readonly kind: "constant"; readonly expression: Constant }
  | { readonly kind: "comparison"; readonly expression: Comparison }
  | { readonly kind: "operator"; readonly expression: Binary }
  | { readonly kind: "variable"; readonly expression: VariableRead; readonly others: readonly ProgramVariable[] }
  /** A statement that can be skipped: it contains no branch. `edge` is its first. */
  | { readonly kind: "statement"; readonly edges: readonly Edge[]; readonly range: Edge["range"] }
);

export type ValueUse = "assigned" | "stored" | "argument" | "returned" | "selector" | "index";

/** The places of a program, by number and by owner; -1 for none. */
export type VariedPlaces = {
  readonly list: readonly VariedPlace[];
  condition(fn: Function, location: LocationId): number;
  value(edge: Edge): number;
  argument(edge: Edge, index: number): number;
  index(expression: Expression): number;
  /** A constant, a comparison, an operator or a variable. */
  expression(expression: Expression): number;
  statement(edge: Edge): number;
};

export const variedPlacesOf = memoised((program: Program): VariedPlaces => findPlaces(program));

function findPlaces(program: Program): VariedPlaces {
  const list: VariedPlace[] = [];
  const conditions = program.functions.map(({ locations }) => new Int32Array(locations).fill(-1));
  const values = new Map<Edge, number>();
  const passed = new Map<Edge, readonly number[]>();
  const indices = new Map<Expression, number>();
  const expressions = new Map<Expression, number>();
  const statements = new Map<Edge, number>();
  const add = (place: VariedPlace): number => list.push(place) - 1;
  for (const fn of program.functions) {
    const othersOf = otherVariablesOf(program, fn);
    for (const edge of fn.edges) {
      if (isQuiet(edge.operation)) continue;
      const place = { function: fn, edge };
      addCondition(fn, edge, nth(conditions, fn.id), add);
      const own = ownValue(program, fn, edge);
      if (own !== null) values.set(edge, add({ ...place, kind: "value", argument: -1, ...own }));
      const { operation } = edge;
      if (operation.kind === "call" || operation.kind === "callLibrary") {
        const numbers = operation.arguments.map((expression, argument) =>
          add({ ...place, kind: "value", use: "argument", type: expression.type, expression, argument }),
        );
        passed.set(edge, numbers);
      }
      for (const expression of operationExpressions(operation)) {
        addExpressions(program, expression, { ...place, othersOf }, add, indices, expressions);
      }
    }
    for (const { edges, range } of skippableStatements(program, fn)) {
      const number = add({ function: fn, edge: nth(edges, 0), kind: "statement", edges, range });
      for (const edge of edges) statements.set(edge, number);
    }
  }
  return {
    list,
    condition: (fn, location) => nth(conditions, fn.id)[location]!,
    value: (edge) => values.get(edge) ?? -1,
    argument: (edge, index) => passed.get(edge)?.[index] ?? -1,
    index: (expression) => indices.get(expression) ?? -1,
    expression: (expression) => expressions.get(expression) ?? -1,
    statement: (edge) => statements.get(edge) ?? -1,
  };
}

function addCondition(fn: Function, edge: Edge, numbers: Int32Array, add: (place: VariedPlace) => number): void {
  const { operation, from } = edge;
  if (operation.kind !== "assume" || operation.negated) return;
  if (nth(controlFlowOf(fn).outgoing, from).length === 2) {
    numbers[from] = add({ function: fn, edge, kind: "condition", location: from });
  }
}

type OwnValue = { readonly use: ValueUse; readonly type: ScalarType; readonly expression: Expression | null };

function ownValue(program: Program, fn: Function, edge: Edge): OwnValue | null {
  const { operation } = edge;
  switch (operation.kind) {
    case "assign":
      return { use: "assigned", type: operation.value.type, expression: operation.value };
    case "store":
      return operation.bitField === undefined
        ? { use: "stored", type: operation.type, expression: operation.value }
        : null;
    case "return":
      return operation.value === null
        ? null
        : { use: "returned", type: operation.value.type, expression: operation.value };
    case "callLibrary": {
      // Blocks of `alloca` are freed when the function returns.
      if (operation.target === null || operation.name === "alloca") return null;
      return { use: "assigned", type: nth(program.variables, operation.target).type as ScalarType, expression: null };
    }
    case "case": {
      // One place for all cases: the edge whose selector is emitted.
      if (nth(controlFlowOf(fn).outgoing, edge.from)[0] !== edge) return null;
      return { use: "selector", type: operation.selector.type, expression: operation.selector };
    }
    default:
      return null;
  }
}

/** The varied parts of an expression; both edges of a branch share them. */
function addExpressions(
  program: Program,
  root: Expression,
  { function: fn, edge, othersOf }: { readonly function: Function; readonly edge: Edge; readonly othersOf: OthersOf },
  add: (place: VariedPlace) => number,
  indices: Map<Expression, number>,
  expressions: Map<Expression, number>,
): void {
  // In a model most arithmetic finds the row of an object.
  const { isModel } = languageOf(program);
  const isSource = (expression: Expression) => !isModel || rangeOfExpression(expression) !== null;
  const visit = (expression: Expression): void => {
    const place = { function: fn, edge };
    if (!expressions.has(expression) && isSource(expression)) {
      if (isVariedConstant(expression)) expressions.set(expression, add({ ...place, kind: "constant", expression }));
      if (expression.kind === "comparison") {
        expressions.set(expression, add({ ...place, kind: "comparison", expression }));
      }
      const others = expression.kind === "variable" ? othersOf(expression) : [];
      if (expression.kind === "variable" && others.length > 0) {
        expressions.set(expression, add({ ...place, kind: "variable", expression, others }));
      }
      if (expression.kind === "binary") expressions.set(expression, add({ ...place, kind: "operator", expression }));
    }
    if (expression.kind === "offset" && !indices.has(expression) && rangeOfExpression(expression.index) !== null) {
      const { index } = expression;
      const value = { use: "index", type: index.type, expression: index, argument: -1 } as const;
      indices.set(expression, add({ ...place, kind: "value", ...value }));
    }
    for (const operand of expressionOperands(expression)) visit(operand);
  };
  if (!isBranch(edge) || nth(controlFlowOf(fn).outgoing, edge.from)[0] === edge) visit(root);
}

function isVariedConstant(expression: Expression): expression is Constant {
  return expression.kind === "constant" && expression.type.kind !== "pointer" && rangeOfExpression(expression) !== null;
}

export type OthersOf = (read: VariableRead) => readonly ProgramVariable[];

/** At most this many alternatives: functions with more variables of a type are tables in disguise. */
const mostOthers = 8;

/** Variables that may have been meant at a read: same type and in scope, the function's own first; not in macros. */
export function otherVariablesOf(program: Program, fn: Function): OthersOf {
  const own = program.variables.filter((variable) => variable.function === fn.id && isNamed(variable));
  const shared = program.variables.filter(
    (variable) => variable.function === null && isNamed(variable) && variable.file === fn.file,
  );
  const blocks = (fn.statements ?? []).filter(({ kind }) => kind === "if" || kind === "loop" || kind === "switch");
  const scopes = new Map(own.map((variable) => [variable, innermost(blocks, variable.range)]));
  return (read) => {
    const range = rangeOfExpression(read);
    const variable = nth(program.variables, read.variable);
    if (range === null || !isNamed(variable) || sourceTextAt(program, range) !== variable.name) return [];
    const isMeant = (other: ProgramVariable) => {
      if (other.name === variable.name || !sameType(other.type, variable.type)) return false;
      if (other.kind === "parameter" || other.function === null) return isBefore(other.range, range);
      const scope = scopes.get(other) ?? null;
      return isBefore(other.range, range) && (scope === null || containsRange(scope, range));
    };
    return [...own, ...shared].filter(isMeant).slice(0, mostOthers);
  };
}

function isNamed({ storage, madeUp, partOf, kind, name }: ProgramVariable): boolean {
  const isPlain = madeUp === undefined && partOf === undefined && kind !== "temporary";
  return storage === "register" && isPlain && /^[A-Za-z_]\w*$/.test(name);
}

function innermost(blocks: NonNullable<Function["statements"]>, range: SourceRange): SourceRange | null {
  return blocks.findLast((block) => containsRange(block.range, range))?.range ?? null;
}

function isBefore(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && (a.line < b.line || (a.line === b.line && a.column < b.column));
}

export type SkippableStatement = { readonly edges: readonly Edge[]; readonly range: Edge["range"] };

/** Statements that a run can skip: expression statements without a branch, and `i++` in the head of a loop. */
export function skippableStatements(program: Program, fn: Function): readonly SkippableStatement[] {
  const simple = new Map<SourceStatement, Edge[]>();
  const result: SkippableStatement[] = [];
  for (const edge of fn.edges) {
    const statement = statementAt(fn, edge.range);
    if (statement === null) continue;
    if (statement.kind === "simple") {
      const edges = simple.get(statement);
      if (edges === undefined) simple.set(statement, [edge]);
      else edges.push(edge);
    } else if (statement.kind === "loop" && writesForGood(program, edge)) {
      result.push({ edges: [edge], range: edge.range });
    }
  }
  const readers = temporaryReaders(program, fn);
  const isOwn = (edges: readonly Edge[]) =>
    edges.every(({ operation }) => {
      const target = operation.kind === "assign" || operation.kind === "call" ? operation.target : null;
      return target === null || (readers.get(target) ?? []).every((reader) => edges.includes(reader));
    });
  for (const [{ range }, edges] of simple) if (edges.every(canBeSkipped) && isOwn(edges)) result.push({ edges, range });
  return result;
}

/** The readers of temporaries: another statement's initialiser may need what the statement computes. */
function temporaryReaders(program: Program, fn: Function): ReadonlyMap<VariableId, readonly Edge[]> {
  const readers = new Map<VariableId, Edge[]>();
  for (const edge of fn.edges) {
    const visit = (expression: Expression): void => {
      if (expression.kind === "variable" && nth(program.variables, expression.variable).kind === "temporary") {
        const known = readers.get(expression.variable);
        if (known === undefined) readers.set(expression.variable, [edge]);
        else if (known.at(-1) !== edge) known.push(edge);
      }
      expressionOperands(expression).forEach(visit);
    };
    operationExpressions(edge.operation).forEach(visit);
  }
  return readers;
}

function canBeSkipped({ operation }: Edge): boolean {
  return /^(assign|store|copy|call|callLibrary)$/.test(operation.kind);
}

function writesForGood(program: Program, { operation }: Edge): boolean {
  if (operation.kind === "store") return true;
  return operation.kind === "assign" && nth(program.variables, operation.target).kind !== "temporary";
}
