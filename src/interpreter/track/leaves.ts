import { assertNever } from "../../base/errors.ts";
import { type Expression, expressionOperands } from "../../ir/expression.ts";
import { type Operation, operationExpressions } from "../../ir/operation.ts";
import type { Program } from "../../ir/program.ts";

/**
 * A part of an edge's expressions whose value a replay records: reads (registers, memory), and values only the machine
 * knows (addresses of locals, pointers from 32-bit integers and back). Everything else can be computed from them.
 */
export type Leaf = {
  readonly expression: Expression;
  /** `address`: it only determines the place that is read, written or called. */
  readonly role: "value" | "address";
  /** The arguments of a call that it belongs to (-1 is the called function); `[0]` for other operations. */
  readonly parts: readonly number[];
};

const leafCache = new WeakMap<Operation, readonly Leaf[]>();

/** The leaves of an operation, each object once. The edges of a branch share their condition and the list. */
export function leavesOf(program: Program, operation: Operation): readonly Leaf[] {
  let leaves = leafCache.get(operation);
  if (leaves === undefined) {
    leaves = collectLeaves(program, operation);
    leafCache.set(operation, leaves);
  }
  return leaves;
}

function collectLeaves(program: Program, operation: Operation): readonly Leaf[] {
  const leaves = new Map<Expression, Leaf>();
  const add = (expression: Expression, role: Leaf["role"], part: number): void => {
    const { role: before = "address", parts = [] } = leaves.get(expression) ?? {};
    leaves.set(expression, {
      expression,
      role: before === "value" ? before : role,
      parts: parts.includes(part) ? parts : [...parts, part],
    });
  };
  const visit = (expression: Expression, role: Leaf["role"], part: number): void => {
    if (expression.kind === "load") visit(expression.address, "address", part);
    else for (const operand of expressionOperands(expression)) visit(operand, role, part);
    if (isLeaf(program, expression)) add(expression, role, part);
  };
  for (const { expression, role, part } of rolesOf(operation)) visit(expression, role, part);
  return [...leaves.values()];
}

function isLeaf(program: Program, expression: Expression): boolean {
  switch (expression.kind) {
    case "variable":
    case "load":
      return true;
    case "addressOf":
      return expression.object.kind === "variable" && program.variables[expression.object.variable]!.kind !== "static";
    case "constant":
      return program.pointerBytes === 4 && expression.type.kind === "pointer" && expression.value !== 0n;
    case "convert": {
      const pointers = Number(expression.type.kind === "pointer") + Number(expression.operand.type.kind === "pointer");
      const isNull = expression.operand.kind === "constant" && expression.operand.value === 0n;
      return program.pointerBytes === 4 && pointers === 1 && expression.type.kind !== "bool" && !isNull;
    }
    case "offset":
    case "fieldAddress":
    case "unary":
    case "binary":
    case "comparison":
    case "pointerDifference":
      return false;
    default:
      return assertNever(expression, "expression");
  }
}

type Use = { readonly expression: Expression; readonly role: Leaf["role"]; readonly part: number };

function rolesOf(operation: Operation): readonly Use[] {
  const isCall = operation.kind === "call" || operation.kind === "callLibrary";
  const first = operation.kind === "call" && operation.callee.kind === "pointer" ? -1 : 0;
  return operationExpressions(operation).map((expression, i): Use => {
    const part = isCall ? first + i : 0;
    const isAddress = operation.kind === "copy" || (operation.kind === "store" && i === 0) || part === -1;
    return { expression, role: isAddress ? "address" : "value", part };
  });
}

const codeCache = new WeakMap<Program, Int32Array>();

/** Program-wide numbers of edges: by function the number of its edge 0; the last entry is their count. */
export function edgeCodesOf(program: Program): Int32Array {
  let codes = codeCache.get(program);
  if (codes === undefined) {
    codes = new Int32Array(program.functions.length + 1);
    for (const { id, edges } of program.functions) codes[id + 1] = codes[id]! + edges.length;
    codeCache.set(program, codes);
  }
  return codes;
}
