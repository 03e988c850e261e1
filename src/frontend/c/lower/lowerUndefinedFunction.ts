import { libraryAlias } from "../../../c/library/table.ts";
import { emitTo, read } from "../../../ir/builder.ts";
import { finishGraph } from "../../../ir/finishGraph.ts";
import type { ProgramVariable, VariableId } from "../../../ir/program.ts";
import { isScalar } from "../../../ir/type.ts";
import type { Expr } from "../ast.ts";
import { pointerTo, voidType } from "../types/cType.ts";
import { copyStruct } from "./accessPlace.ts";
import { addVariable, type Context, newContext, type UnitContext, unsupported } from "./context.ts";
import { type CallExpr, lowerCall, loweredType } from "./lowerCall.ts";
import type { LoweredFunction } from "./lowerFunction.ts";
import { refuse } from "./refuse.ts";
import type { FunctionEntity } from "./scope.ts";

/**
 * The address of a function without a body is taken: a function that calls it in the way a direct call would (a
 * library operation, an input), so that calls through pointers need no cases of their own.
 */
export function lowerUndefinedFunction(unit: UnitContext, entity: FunctionEntity): LoweredFunction {
  const { range, name, type } = entity;
  const cx = newContext(unit, entity.id, name, type, unit.fileScope);
  const parameters: VariableId[] = [];
  const hidden = (parameterName: string, parameterType: Parameters<typeof pointerTo>[0]) => {
    const variable = addVariable(unit, {
      name: parameterName,
      madeUp: true,
      type: pointerTo(parameterType),
      kind: "parameter",
      storage: "register",
      function: entity.id,
      range,
    });
    parameters.push(variable.id);
    return variable;
  };
  const result = type.result.kind === "struct" ? hidden("$result", type.result) : null;
  const args: Expr[] = [];
  type.parameters.forEach((parameter, i) => {
    const parameterName = `$${i + 1}`;
    if (parameter.kind === "struct") {
      const address = read(hidden(parameterName, parameter));
      cx.scope.names.set(parameterName, { kind: "local", place: { kind: "memory", type: parameter, address } });
    } else if (isScalar(parameter)) {
      const shape = { kind: "parameter", storage: "register", function: entity.id, range, madeUp: true } as const;
      const variable = addVariable(unit, { ...shape, name: parameterName, type: parameter });
      parameters.push(variable.id);
      const place = { kind: "register", type: parameter, variable: variable.id } as const;
      cx.scope.names.set(parameterName, { kind: "local", place });
    }
    args.push({ kind: "identifier", name: parameterName, range });
  });
  if (type.variadic) hidden("$arguments", voidType);
  cx.temporaries = args.length;
  const callee: Expr = { kind: "identifier", name, range };
  try {
    emitCallAndReturn(cx, { kind: "call", callee, arguments: args, range }, entity, result);
  } catch (error) {
    refuse(cx, error, range);
  }
  return {
    id: entity.id,
    name,
    type: loweredType(type),
    parameters,
    graph: finishGraph(cx.graph, 0, cx.exit),
    range,
  };
}

function emitCallAndReturn(cx: Context, call: CallExpr, entity: FunctionEntity, result: ProgramVariable | null): void {
  const { name, type, range } = entity;
  if (type.variadic && libraryAlias(name) !== null) {
    unsupported("TF259", `a pointer to the variadic library function ${name} is not supported`, range);
  }
  const value = lowerCall(cx, call, null);
  if (value.kind === "struct" && result !== null) {
    copyStruct(cx, { kind: "memory", type: value.type, address: read(result) }, value.place, range);
  }
  const returned = value.kind === "scalar" && isScalar(type.result) ? value.expression : null;
  emitTo(cx, cx.exit, { kind: "return", value: returned }, range);
}
