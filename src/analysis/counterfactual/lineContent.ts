import type { SourceRange } from "../../base/sourceRange.ts";
import { type Expression, expressionOperands, rangeOfExpression } from "../../ir/expression.ts";
import { operationExpressions } from "../../ir/operation.ts";
import type { Edge, Program } from "../../ir/program.ts";

/** What a line is made of: where there is more to get wrong, more goes wrong. */
export type LineContent = {
  readonly operators: number;
  readonly constants: number;
  readonly subscripts: number;
  readonly calls: number;
  /** Different variables and fields. */
  readonly names: number;
  /** It decides how the run goes on. */
  readonly tests: boolean;
  readonly returns: boolean;
};

export const noContent: LineContent = {
  operators: 0,
  constants: 0,
  subscripts: 0,
  calls: 0,
  names: 0,
  tests: false,
  returns: false,
};

/** A copy of one value: it can be wrong in nothing but in what it copies. */
export function isPlain({ operators, constants, subscripts, calls, tests }: LineContent): boolean {
  return operators + constants + subscripts + calls === 0 && !tests;
}

export function lineKey({ file, line }: SourceRange): string {
  return `${file}:${line}`;
}

/** By line. */
export function contentOfLines(program: Program): ReadonlyMap<string, LineContent> {
  const lines = new Map<string, { -readonly [K in keyof LineContent]: LineContent[K] }>();
  const names = new Map<string, Set<string>>();
  const seen = new Set<Expression>();
  for (const { edges } of program.functions) {
    for (const edge of edges) {
      const key = lineKey(edge.range);
      const line = lines.get(key) ?? { ...noContent };
      lines.set(key, line);
      const known = names.get(key) ?? new Set();
      names.set(key, known);
      const count = (expression: Expression): void => {
        // Both ways of a branch have the same condition.
        if (seen.has(expression)) return;
        seen.add(expression);
        if (expression.kind === "variable") known.add(`${expression.variable}`);
        else if (expression.kind === "fieldAddress") known.add(`.${expression.field}`);
        else if (expression.kind === "constant") line.constants += rangeOfExpression(expression) === null ? 0 : 1;
        else if (expression.kind === "offset") line.subscripts++;
        else if (/^(binary|comparison|pointerDifference|unary)$/.test(expression.kind)) line.operators++;
        for (const operand of expressionOperands(expression)) count(operand);
      };
      for (const expression of operationExpressions(edge.operation)) count(expression);
      note(line, edge);
      line.names = known.size;
    }
  }
  return lines;
}

function note(line: { -readonly [K in keyof LineContent]: LineContent[K] }, { operation }: Edge): void {
  if (operation.kind === "call" || operation.kind === "callLibrary") line.calls++;
  if (operation.kind === "assume" || operation.kind === "case") line.tests = true;
  if (operation.kind === "return") line.returns = true;
}
