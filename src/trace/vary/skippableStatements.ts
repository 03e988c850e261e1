import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { Edge, Function, Program, SourceStatement, VariableId } from "../../ir/program.ts";
import { statementAt } from "../../ir/statementAt.ts";

export type SkippableStatement = { readonly edges: readonly Edge[]; readonly range: Edge["range"] };

/**
 * Statements that a run can leave out as if they were not there: expression statements without a branch inside, and the
 * assignments in the head of a loop (`i++`).
 */
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

/** Who reads a temporary: a part of a statement that stands elsewhere, such as the initialiser of a field, needs what the statement computes. */
function temporaryReaders(program: Program, fn: Function): ReadonlyMap<VariableId, readonly Edge[]> {
  const readers = new Map<VariableId, Edge[]>();
  for (const edge of fn.edges) {
    const visit = (expression: Expression): void => {
      if (expression.kind === "variable" && program.variables[expression.variable]!.kind === "temporary") {
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
  return operation.kind === "assign" && program.variables[operation.target]!.kind !== "temporary";
}
