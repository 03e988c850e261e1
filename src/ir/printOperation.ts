import { assertNever } from "../base/assertNever.ts";
import type { Expression } from "./expression.ts";
import type { Case, Operation } from "./operation.ts";
import { printExpression, printPlace } from "./printExpression.ts";
import { printType } from "./printType.ts";
import type { Program } from "./program.ts";

/** One operation in source syntax: `x = x + 1`, `a[i] = 0`, `[i < n]`, `return x`. */
export function printOperation(program: Program, operation: Operation): string {
  const show = (expression: Expression) => printExpression(program, expression);
  const name = (variable: number) => program.variables[variable]!.name;
  const result = (target: number | null) => (target === null ? "" : `${name(target)} = `);
  switch (operation.kind) {
    case "assign":
      return `${name(operation.target)} = ${show(operation.value)}`;
    case "store":
      return `${printPlace(program, operation.address)} = ${show(operation.value)}`;
    case "copy":
      return `${printPlace(program, operation.to)} = ${printPlace(program, operation.from)}`;
    case "assume":
      return `[${printCondition(program, operation.condition, operation.negated)}]`;
    case "case":
      return `[${printCase(program, operation)}]`;
    case "declare": {
      const variable = program.variables[operation.variable]!;
      if (operation.variableLength === undefined) return printType(variable.type, variable.name);
      const element = variable.type.kind === "array" ? variable.type.element : variable.type;
      return printType(element, `${variable.name}[${show(operation.variableLength.length)}]`);
    }
    case "input":
      return `${name(operation.target)} = ${operation.source}()`;
    case "call": {
      const callee =
        operation.callee.kind === "direct"
          ? program.functions[operation.callee.function]!.name
          : `(*${show(operation.callee.pointer)})`;
      return `${result(operation.target)}${callee}(${operation.arguments.map(show).join(", ")})`;
    }
    case "callLibrary":
      return `${result(operation.target)}${operation.name}(${operation.arguments.map(show).join(", ")})`;
    case "return":
      return operation.value === null ? "return" : `return ${show(operation.value)}`;
    case "fail":
      return printFail(operation, show);
    case "skip":
      return "skip";
    default:
      return assertNever(operation, "operation");
  }
}

const opposite = { "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<" } as const;

/** A condition or its negation without a `!` in front of a comparison (floats excepted: NaN is neither < nor >=). */
export function printCondition(program: Program, condition: Expression, negated: boolean): string {
  if (!negated) return printExpression(program, condition);
  if (condition.kind === "comparison" && (condition.left.type.kind !== "float" || isEquality(condition.operator))) {
    return printExpression(program, { ...condition, operator: opposite[condition.operator] });
  }
  const text = printExpression(program, condition);
  return /^[\w$.]+$/.test(text) ? `!${text}` : `!(${text})`;
}

function isEquality(operator: string): boolean {
  return operator === "==" || operator === "!=";
}

function printCase(program: Program, operation: Case): string {
  const selector = printExpression(program, operation.selector);
  const intervals = operation.values ?? operation.others;
  const sign = operation.values === null ? "!=" : "==";
  const shown = intervals.slice(0, 4).map(([low, high]) => (low === high ? `${low}` : `${low} ... ${high}`));
  if (intervals.length > 4) shown.push(`… ${intervals.length - 4} more`);
  return shown.length === 0
    ? "default"
    : `${selector} ${sign} ${shown.join(operation.values === null ? ", " : " or ")}`;
}

function printFail(operation: Operation & { kind: "fail" }, show: (expression: Expression) => string): string {
  switch (operation.reason) {
    case "assertion":
      return `assert(${operation.text}) fails`;
    case "error-location":
      return `${operation.text} reached`;
    case "abort":
      return `${operation.text}()`;
    case "assumption":
      return `assumption ${operation.text} does not hold`;
    case "unsupported":
      return `not supported: ${operation.text}`;
    case "exit":
      return `exit(${operation.code === null ? "" : show(operation.code)})`;
    default:
      return assertNever(operation.reason, "reason");
  }
}
