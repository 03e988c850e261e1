import { nth } from "../../../base/checked.ts";
import { remembered } from "../../../base/memo.ts";
import type { DependenceGraph } from "../../../dependence/dependenceGraph.ts";
import { objectIdOf, offsetOf } from "../../../interpreter/memory/pointer.ts";
import { rootOfAddress } from "../../../ir/dataFlow.ts";
import type { Expression } from "../../../ir/expression.ts";
import type { Operation } from "../../../ir/operation.ts";
import type { Type } from "../../../ir/type.ts";
import { pathTo } from "../why/memoryAtSteps.ts";

/** A part of a variable: `x`, `t[1]`, `s.left`. `activation` is that of its call; null for one of the file. */
export type VariablePart = { readonly name: string; readonly activation: number | null };

type Address = { readonly expression: Expression; readonly variable: number };

/** The variables whose addresses were passed or kept: memory that is written through a pointer may be one of them. */
export class VariableObjects {
  readonly #graph: DependenceGraph;
  readonly #byCode = new Map<number, readonly Address[]>();
  readonly #objects = new Map<number, { readonly variable: number; readonly activation: number }>();

  constructor(graph: DependenceGraph) {
    this.#graph = graph;
  }

  /** Notes the addresses that a step hands on. */
  handedOn(step: number): void {
    const graph = this.#graph;
    const code = graph.code(step);
    for (const { expression, variable } of remembered(this.#byCode, code, () => addressesIn(nth(graph.edges, code)))) {
      const pointer = graph.valueOf(step, expression);
      if (typeof pointer === "number")
        this.#objects.set(objectIdOf(pointer), { variable, activation: graph.activation(step) });
    }
  }

  /** The part of a variable that memory of a type is; null if it is no known part of one. */
  partAt(pointer: number, type: Type): VariablePart | null {
    const { program } = this.#graph.trace;
    const found = this.#objects.get(objectIdOf(pointer));
    if (found === undefined) return null;
    const variable = nth(program.variables, found.variable);
    const path = pathTo(variable.type, offsetOf(pointer), type, program.pointerBytes);
    if (path === null || variable.kind === "temporary" || variable.role !== undefined) return null;
    return { name: `${variable.name}${path}`, activation: variable.kind === "static" ? null : found.activation };
  }
}

function addressesIn({ operation }: { readonly operation: Operation }): readonly Address[] {
  return handedOnBy(operation).flatMap((expression) => {
    if (expression.type.kind !== "pointer") return [];
    const root = rootOfAddress(expression);
    const isVariable = root.kind === "addressOf" && root.object.kind === "variable";
    return isVariable ? [{ expression, variable: root.object.variable }] : [];
  });
}

function handedOnBy(operation: Operation): readonly Expression[] {
  switch (operation.kind) {
    case "call":
    case "callLibrary":
      return operation.arguments;
    case "assign":
    case "store":
      return [operation.value];
    default:
      return [];
  }
}
