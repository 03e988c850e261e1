import type { SourceRange } from "../../../base/sourceRange.ts";
import type { VariableRead } from "../../../ir/expression.ts";
import type { ProgramVariable, VariableId } from "../../../ir/program.ts";
import type { ScalarType, Type } from "../../../ir/type.ts";
import { booleanType, doubleType, numberType, type Repr } from "../encoding.ts";
import type { Context, ModelContext } from "./context.ts";

export function typeOf(model: Pick<ModelContext, "encoding">, repr: Repr): ScalarType {
  switch (repr) {
    case "int":
      return numberType;
    case "bool":
      return booleanType;
    case "double":
      return doubleType;
    case "any":
      return model.encoding.anyType;
  }
}

export function addVariable(
  model: Pick<ModelContext, "variables">,
  variable: Omit<ProgramVariable, "id"> & { readonly type: Type },
): ProgramVariable {
  const made: ProgramVariable = { ...variable, id: model.variables.length as VariableId };
  model.variables.push(made);
  return made;
}

export function read(variable: ProgramVariable): VariableRead {
  return { kind: "variable", type: variable.type as ScalarType, variable: variable.id };
}

export function newTemporary(cx: Context, repr: Repr, range: SourceRange): ProgramVariable {
  return addVariable(cx.model, {
    name: `$${cx.model.variables.length}`,
    madeUp: true,
    type: typeOf(cx.model, repr),
    kind: "temporary",
    storage: "register",
    function: cx.id,
    range,
  });
}
