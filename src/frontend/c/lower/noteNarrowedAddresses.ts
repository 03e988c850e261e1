import { type Expression, expressionOperands } from "../../../ir/expression.ts";
import { operationExpressions } from "../../../ir/operation.ts";
import type { Function, Note } from "../../../ir/program.ts";

/**
 * An address that is cut down to fewer bits than a pointer has depends on where objects lie, which is not where a
 * compiled program has them: said once, at the first place.
 */
export function noteNarrowedAddresses(functions: readonly Function[], pointerBytes: 4 | 8): readonly Note[] {
  for (const fn of functions) {
    for (const { operation, range } of fn.edges) {
      if (!operationExpressions(operation).some((expression) => narrowsAddress(expression, pointerBytes))) continue;
      return [
        { message: "an address is cut down to a shorter integer: its bits are not those of a compiled program", range },
      ];
    }
  }
  return [];
}

function narrowsAddress(root: Expression, pointerBytes: 4 | 8): boolean {
  const work: Expression[] = [root];
  for (let expression = work.pop(); expression !== undefined; expression = work.pop()) {
    if (expression.kind === "convert" && expression.operand.type.kind === "pointer") {
      const { type } = expression;
      if (type.kind === "int" && type.bits < pointerBytes * 8) return true;
    }
    work.push(...expressionOperands(expression));
  }
  return false;
}
