import type { SourceRange } from "../../base/sourceRange.ts";
import { rangeOfExpression, type VariableRead } from "../../ir/expression.ts";
import type { Function, Program, ProgramVariable } from "../../ir/program.ts";
import { sourceTextAt } from "../../ir/sourceText.ts";
import { containsRange } from "../../ir/statementAt.ts";
import { sameType } from "../../ir/type.ts";

export type OthersOf = (read: VariableRead) => readonly ProgramVariable[];

/** So many stand for one: functions with more variables of a type are tables in disguise. */
const mostOthers = 8;

/**
 * For each function what may have been meant where a variable is read: others of the same type that are in scope there, the function's
 * own before those of the file. Only where the source spells the name: not in macros.
 */
export function otherVariablesOf(program: Program, fn: Function): OthersOf {
  const own = program.variables.filter((variable) => variable.function === fn.id && isNamed(variable));
  const shared = program.variables.filter(
    (variable) => variable.function === null && isNamed(variable) && variable.file === fn.file,
  );
  const blocks = (fn.statements ?? []).filter(({ kind }) => kind === "if" || kind === "loop" || kind === "switch");
  const scopes = new Map(own.map((variable) => [variable, innermost(blocks, variable.range)]));
  return (read) => {
    const range = rangeOfExpression(read);
    const variable = program.variables[read.variable]!;
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

/** The smallest statement with a body around a declaration: where its scope ends at the latest. */
function innermost(blocks: NonNullable<Function["statements"]>, range: SourceRange): SourceRange | null {
  return blocks.findLast((block) => containsRange(block.range, range))?.range ?? null;
}

function isBefore(a: SourceRange, b: SourceRange): boolean {
  return a.file === b.file && (a.line < b.line || (a.line === b.line && a.column < b.column));
}
