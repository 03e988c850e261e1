import { assertNever } from "../base/assertNever.ts";
import { Defect } from "../base/errors.ts";
import type { Expression } from "./expression.ts";
import { printExpression } from "./printOperation.ts";
import type { Program } from "./program.ts";
import type { ScalarType } from "./type.ts";
import { rangeOfInt, sameRepresentation } from "./typeFacts.ts";

/** Verifies the typing rules on `Expression`; `where` begins the message of a violation. */
export function checkExpression(program: Program, expression: Expression, where: () => string): void {
  const require = (condition: boolean, message: string): void => {
    if (!condition) throw new Defect(`${where()}: ${message} in ${printExpression(program, expression)}`);
  };
  const inside = (part: Expression) => checkExpression(program, part, where);
  const same = (a: Expression, b: Expression) =>
    require(sameRepresentation(a.type, b.type), `operands of different types (${a.type.kind}, ${b.type.kind})`);
  const pointer = (part: Expression) => require(part.type.kind === "pointer", "an address that is not a pointer");
  const integer = (type: ScalarType) => require(type.kind === "int", "an operand that is not an integer");
  switch (expression.kind) {
    case "constant":
      if (expression.type.kind === "int" || expression.type.kind === "bool") {
        const [low, high] = rangeOfInt(expression.type);
        const value = expression.value as bigint;
        require(low <= value && value <= high, `constant ${value} outside of its type`);
      }
      return;
    case "variable": {
      const variable = program.variables[expression.variable];
      require(variable?.storage === "register", "a read of what is not a register");
      return require(sameRepresentation(variable!.type as ScalarType, expression.type), "a read at another type");
    }
    case "load":
      pointer(expression.address);
      return inside(expression.address);
    case "addressOf": {
      if (expression.object.kind === "function") return;
      return require(program.variables[expression.object.variable]?.storage === "memory", "the address of a register");
    }
    case "offset":
      pointer(expression.pointer);
      integer(expression.index.type);
      require((expression.bound?.length ?? 0) >= 0, "a bound below zero");
      inside(expression.pointer);
      return inside(expression.index);
    case "fieldAddress":
      pointer(expression.pointer);
      return inside(expression.pointer);
    case "unary":
      require(sameRepresentation(expression.type, expression.operand.type), "a unary operator that changes the type");
      return inside(expression.operand);
    case "binary":
      require(sameRepresentation(expression.type, expression.left.type), "a result of another type");
      if (expression.operator === "<<" || expression.operator === ">>") {
        integer(expression.left.type);
        integer(expression.right.type);
      } else same(expression.left, expression.right);
      if (expression.type.kind !== "int") {
        require(expression.type.kind === "float" &&
          "+-*/".includes(expression.operator), "a type without this operator");
      }
      inside(expression.left);
      return inside(expression.right);
    case "comparison":
      same(expression.left, expression.right);
      inside(expression.left);
      return inside(expression.right);
    case "pointerDifference":
      pointer(expression.left);
      pointer(expression.right);
      inside(expression.left);
      return inside(expression.right);
    case "convert":
      return inside(expression.operand);
    default:
      return assertNever(expression, "expression");
  }
}
