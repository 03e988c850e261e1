import type { Edge, Function, Program } from "../../ir/program.ts";
import type { SourceStatement } from "../../ir/sourceStatement.ts";
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
  for (const [{ range }, edges] of simple) if (edges.every(canBeSkipped)) result.push({ edges, range });
  return result;
}

function canBeSkipped({ operation }: Edge): boolean {
  return /^(assign|store|copy|call|callLibrary)$/.test(operation.kind);
}

function writesForGood(program: Program, { operation }: Edge): boolean {
  if (operation.kind === "store") return true;
  return operation.kind === "assign" && program.variables[operation.target]!.kind !== "temporary";
}
