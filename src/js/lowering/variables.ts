import type { SourceRange } from "../../base/sourceRange.ts";
import type { VariableRead } from "../../ir/expression.ts";
import type { ProgramVariable, VariableId } from "../../ir/program.ts";
import type { ScalarType, Type } from "../../ir/type.ts";
import type { Binding } from "../recorder/scopes.ts";
import type { Node } from "../recorder/syntax.ts";
import { booleanType, doubleType, numberType, type Repr, reprOf, special } from "../replay/encoding.ts";
import type { JsContext, ModelContext, ModelValue } from "./context.ts";
import { opaque, placed, rangeAt, tagsAt } from "./opaque.ts";
import { constantOf } from "./values.ts";

export function bindingAt(cx: JsContext, identifier: Node): Binding | null {
  return cx.function.file.table.bindingOf.get(identifier) ?? null;
}

export function reprOfVariable(cx: Pick<JsContext, "model">, binding: Binding): Repr {
  return reprOf(cx.model.evidence.assigned.get(binding) ?? new Set());
}

/** The variable of a binding: the function's own register, or one that lives as long as the run. */
export function variableOf(cx: JsContext, binding: Binding, at: Node): ProgramVariable {
  const origin = cx.model.globals.origin(binding);
  const shared = cx.model.shared.get(origin);
  if (shared !== undefined) return shared;
  if (origin.owner === null || cx.model.captured.has(origin)) {
    const made = addVariable(cx.model, {
      name: origin.name,
      type: typeOf(cx.model, sharedRepr(cx, origin)),
      kind: "static",
      storage: "register",
      function: null,
      range: rangeAt(cx, at),
    });
    cx.model.shared.set(origin, made);
    return made;
  }
  let variable = cx.locals.get(binding);
  if (variable === undefined) {
    variable = addVariable(cx.model, {
      name: binding.name,
      type: typeOf(cx.model, reprOfVariable(cx, binding)),
      kind: "local",
      storage: "register",
      function: cx.id,
      range: rangeAt(cx, at),
    });
    cx.locals.set(binding, variable);
  }
  return variable;
}

function sharedRepr(cx: JsContext, origin: Binding): Repr {
  return cx.model.sharedReprs.get(origin) ?? reprOfVariable(cx, origin);
}

export function reprOfRegister({ type }: Pick<ProgramVariable, "type">): Repr {
  if (type.kind === "float") return "double";
  if (type.kind !== "int") return "any";
  return type.name === "number" ? "int" : type.name === "boolean" ? "bool" : "any";
}

export function readVariable(cx: JsContext, node: Node): ModelValue {
  const binding = bindingAt(cx, node);
  const tags = tagsAt(cx, node);
  if (binding === null || cx.model.demoted.has(node)) return opaque(cx, node, []);
  const origin = cx.model.globals.origin(binding);
  const isKnown = origin.owner !== null || cx.model.shared.has(origin);
  // Functions and classes of the project, and what other files hand out: names for values, not variables.
  if (tags.has("function") && tags.size === 1) return constantOf(cx.model, special.function);
  if (!isKnown) return opaque(cx, node, []);
  const variable = variableOf(cx, binding, node);
  return placed(cx, node, { repr: reprOfRegister(variable), expr: read(variable) });
}

export function selfValue(cx: JsContext, node: Node): ModelValue {
  if (cx.model.demoted.has(node)) return opaque(cx, node, []);
  const self = cx.shape?.self ?? null;
  if (self !== null) return placed(cx, node, { repr: "any", expr: read(self) });
  for (let fn = cx.shape?.function.sites.parent ?? null; fn !== null; fn = fn.parent) {
    const outer = cx.model.outerSelf.get(fn.node);
    if (outer !== undefined) return placed(cx, node, { repr: "any", expr: read(outer) });
    if (fn.kind !== "arrow") break;
  }
  return opaque(cx, node, []);
}

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

export function newTemporary(cx: JsContext, repr: Repr, range: SourceRange): ProgramVariable {
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
