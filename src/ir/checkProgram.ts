import { nth } from "../base/checked.ts";
import { assertNever, Defect } from "../base/errors.ts";
import { formatPlace } from "../base/sourceRange.ts";
import { controlFlowOf } from "./controlFlow.ts";
import type { Expression } from "./expression.ts";
import type { Case, Operation } from "./operation.ts";
import { binaryOperators } from "./operators.ts";
import { printExpression, printOperation } from "./printOperation.ts";
import type { Edge, Function, Program } from "./program.ts";
import { isScalar, rangeOfInt, type ScalarType, sameRepresentation } from "./type.ts";

/** Checks the invariants stated in this folder's comments. A violation is a defect of the front end. */
export function checkProgram(program: Program): void {
  program.variables.forEach((variable, i) => {
    require(variable.id === i, () => `variable ${variable.name} has id ${variable.id} at index ${i}`);
    require(!variable.madeUp || variable.name.startsWith("$"), () =>
      `${variable.name} is made up but has a name of the source`);
    require(variable.storage === "memory" || isScalar(variable.type), () => `register ${variable.name} is not scalar`);
  });
  program.functions.forEach((fn, i) => {
    require(fn.id === i, () => `function ${fn.name} has id ${fn.id} at index ${i}`);
    checkFunction(program, fn);
  });
}

function checkFunction(program: Program, fn: Function): void {
  const { outgoing, order } = controlFlowOf(fn);
  require(nth(outgoing, fn.exit).length === 0, () => `${fn.name}: the exit has outgoing edges`);
  fn.edges.forEach((edge, i) => {
    require(edge.id === i, () => `${fn.name}: edge ${edge.id} at index ${i}`);
    require(order[edge.from] !== -1, () => `${fn.name}: ${describe(program, edge)} is unreachable`);
    const leaves = edge.operation.kind === "return" || edge.operation.kind === "fail";
    require(leaves === (edge.to === fn.exit), () => `${fn.name}: ${describe(program, edge)} and the exit`);
    checkOperation(program, fn, edge);
  });
  outgoing.forEach((edges, location) => {
    if (location !== fn.exit && order[location] !== -1) checkBranching(program, fn, edges);
  });
}

function checkBranching(program: Program, fn: Function, edges: readonly Edge[]): void {
  const [first, second] = edges;
  require(first !== undefined, () => `${fn.name}: a location other than the exit has no outgoing edge`);
  const operation = first!.operation;
  if (operation.kind === "assume") {
    const other = second?.operation;
    const complementary =
      edges.length === 2 &&
      other?.kind === "assume" &&
      other.condition === operation.condition &&
      other.negated !== operation.negated;
    require(complementary, () => `${fn.name}: ${describe(program, first!)} has no complementary edge`);
  } else if (operation.kind === "case") {
    checkCases(program, fn, edges, operation);
  } else {
    require(edges.length === 1, () => `${fn.name}: ${describe(program, first!)} has siblings`);
  }
}

function checkCases(program: Program, fn: Function, edges: readonly Edge[], first: Case): void {
  let defaults = 0;
  const all: (readonly [bigint, bigint])[] = [];
  for (const { operation } of edges) {
    if (operation.kind !== "case" || operation.selector !== first.selector) {
      throw new Defect(`${fn.name}: ${describe(program, nth(edges, 0))} has a sibling of another switch`);
    }
    if (operation.values === null) defaults++;
    else all.push(...operation.values);
  }
  require(defaults === 1, () => `${fn.name}: a switch has ${defaults} defaults`);
  all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (let i = 1; i < all.length; i++) {
    require(nth(all, i - 1)[1] < nth(all, i)[0], () =>
      `${fn.name}: the cases of a switch overlap at ${nth(all, i)[0]}`);
  }
}

function checkOperation(program: Program, fn: Function, edge: Edge): void {
  const operation = edge.operation;
  const where = () => `${fn.name}: ${describe(program, edge)}`;
  const expression = (value: Expression): ScalarType => {
    checkExpression(program, value, where);
    return value.type;
  };
  const target = (id: number | null, type: ScalarType | null) => {
    if (id === null) return;
    const variable = program.variables[id];
    require(variable?.storage === "register", () => `${where()}: the target is not a register`);
    require(variable!.kind === "static" || variable!.function === fn.id, () =>
      `${where()}: the target is another function's`);
    if (type !== null) {
      require(sameRepresentation(variable!.type as ScalarType, type), () =>
        `${where()}: the value's type is not the target's`);
    }
  };
  switch (operation.kind) {
    case "assign":
      return target(operation.target, expression(operation.value));
    case "store":
      require(expression(operation.address).kind === "pointer", () => `${where()}: the address is not a pointer`);
      return require(sameRepresentation(expression(operation.value), operation.type), () =>
        `${where()}: stored type differs`);
    case "copy":
      require(expression(operation.to).kind === "pointer", () => `${where()}: not a pointer`);
      return require(expression(operation.from).kind === "pointer", () => `${where()}: not a pointer`);
    case "assume":
      expression(operation.condition);
      return;
    case "case":
      return require(expression(operation.selector).kind === "int", () => `${where()}: the selector is not an integer`);
    case "declare":
      if (operation.variableLength !== undefined) expression(operation.variableLength.length);
      return;
    case "input":
      return target(operation.target, operation.type);
    case "call":
      return checkCall(program, operation, where, expression, target);
    case "callLibrary":
      operation.arguments.forEach(expression);
      return target(operation.target, null);
    case "return":
      if (operation.value !== null) checkResult(fn, expression(operation.value), where);
      return;
    case "fail":
      if (operation.code !== null) expression(operation.code);
      return;
    case "skip":
      return;
    default:
      return assertNever(operation, "operation");
  }
}

function checkResult(fn: Function, type: ScalarType, where: () => string): void {
  const result = fn.type.result;
  require(isScalar(result) && sameRepresentation(result, type), () =>
    `${where()}: the value's type is not the result's`);
}

function checkCall(
  program: Program,
  operation: Operation & { kind: "call" },
  where: () => string,
  expression: (value: Expression) => ScalarType,
  target: (id: number | null, type: ScalarType | null) => void,
): void {
  const types = operation.arguments.map(expression);
  if (operation.callee.kind === "pointer") {
    require(expression(operation.callee.pointer).kind === "pointer", () => `${where()}: the callee is not a pointer`);
    return target(operation.target, null);
  }
  const callee = program.functions[operation.callee.function];
  require(callee !== undefined, () => `${where()}: there is no such function`);
  require(callee!.parameters.length === types.length, () => `${where()}: wrong number of arguments`);
  types.forEach((type, i) => {
    const parameter = nth(program.variables, nth(callee!.parameters, i)).type;
    require(isScalar(parameter) && sameRepresentation(parameter, type), () =>
      `${where()}: argument ${i + 1} has another type`);
  });
  const result = callee!.type.result;
  target(operation.target, isScalar(result) ? result : null);
}

function describe(program: Program, edge: Edge): string {
  return `${printOperation(program, edge.operation)} (${formatPlace(edge.range)})`;
}

/** Messages are built only for violations: printing every edge costs more than checking it. */
function require(condition: boolean, message: () => string): asserts condition {
  if (!condition) throw new Defect(message());
}

/** Checks the typing rules on `Expression`; `where` begins the message of a violation. */
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
      if (binaryOperators[expression.operator].rule === "shift") {
        integer(expression.left.type);
        integer(expression.right.type);
      } else same(expression.left, expression.right);
      if (expression.type.kind !== "int") {
        require(expression.type.kind === "float" &&
          binaryOperators[expression.operator].float !== null, "a type without this operator");
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
