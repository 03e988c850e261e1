import { nth } from "../base/checked.ts";
import { remembered } from "../base/memo.ts";
import { expressionsWithin } from "./operation.ts";
import type { Function, Program } from "./program.ts";
import { isScalar, type ScalarType, type Type } from "./type.ts";

/**
 * A call through a pointer fits a function if its arguments and result have the parameters' and the result's
 * representations. All pointers count as equal: programs mix `void *` with others and compilers accept it.
 */
export function signatureOf(
  known: Map<string, number>,
  parameters: readonly ScalarType[],
  result: Type | null,
): number {
  const key = `${parameters.map(representation).join(",")}>${result === null ? "" : representation(result)}`;
  return remembered(known, key, () => known.size);
}

export function fitsSignature(program: Program, fn: Function, key: string): boolean {
  const [parameters, result] = key.split(">") as [string, string];
  const own = fn.parameters.map((id) => representation(nth(program.variables, id).type)).join(",");
  return own === parameters && (result === "" || result === representation(fn.type.result));
}

function representation(type: Type): string {
  if (!isScalar(type)) return "none";
  switch (type.kind) {
    case "pointer":
      return "p";
    case "bool":
      return "b";
    case "float":
      return `f${type.bits}`;
    case "int":
      return `${type.signed ? "i" : "u"}${type.bits}`;
  }
}

/** Functions reachable from the entries: called, or with their address taken. */
export function reachableFunctions(program: Program, entries: readonly number[] = []): ReadonlySet<number> {
  const reachable = new Set<number>();
  const work: number[] = [];
  const reach = (id: number) => {
    if (reachable.has(id)) return;
    reachable.add(id);
    work.push(id);
  };
  reach(program.initializer);
  reach(program.entry);
  for (const entry of entries) reach(entry);
  for (let id = work.pop(); id !== undefined; id = work.pop()) {
    for (const { operation } of nth(program.functions, id).edges) {
      if (operation.kind === "call" && operation.callee.kind === "direct") reach(operation.callee.function);
      for (const expression of expressionsWithin(operation)) {
        if (expression.kind === "addressOf" && expression.object.kind === "function") reach(expression.object.function);
      }
    }
  }
  return reachable;
}
