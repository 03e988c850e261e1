import type { FunctionId, ProgramVariable } from "../../../ir/program.ts";
import { type Node, withoutTypes } from "../../../recorder/syntax.ts";
import { type Repr, reprOf } from "../encoding.ts";
import { tagsOf } from "../evidence.ts";
import type { RecordedFunction } from "../recordedFile.ts";
import type { FunctionShape, ModelContext } from "./context.ts";
import { addVariable, typeOf } from "./registers.ts";

/** The identifier of a parameter that is a plain one, with or without a default. */
export function plainParameter(param: Node): Node | null {
  const inner = param.type === "TSParameterProperty" ? param.parameter : param;
  const target = inner.type === "AssignmentPattern" ? inner.left : inner;
  return withoutTypes(target).type === "Identifier" ? target : null;
}

/** Is the value of a parameter to be read from the log when the function begins? */
export function isReadAtEntry(model: ModelContext, param: Node): boolean {
  const identifier = plainParameter(param);
  if (identifier === null) return param.type === "RestElement";
  if (model.demoted.has(identifier)) return true;
  const inner = param.type === "TSParameterProperty" ? param.parameter : param;
  return inner.type === "AssignmentPattern" && inner.right.type !== "Literal";
}

/** A function's number, parameters and result, made when it is first called. */
export function shapeOf(model: ModelContext, fn: RecordedFunction): FunctionShape {
  const known = model.functions.get(fn);
  if (known !== undefined) return known;
  // The initialiser of the program and the test come first.
  const id = (model.functions.size + 1) as FunctionId;
  const shapeAt = (repr: Repr, node: Node) =>
    ({
      type: typeOf(model, repr),
      kind: "parameter",
      storage: "register",
      function: id,
      range: fn.file.rangeOf(node),
    }) as const;
  const parameter = (name: string, repr: Repr, node: Node): ProgramVariable =>
    addVariable(model, { name, ...shapeAt(repr, node) });
  const hidden = (name: string, repr: Repr, node: Node): ProgramVariable =>
    addVariable(model, { name, madeUp: true, ...shapeAt(repr, node) });
  const { sites, node } = fn;
  const hasSelf = sites.kind !== "arrow" && (sites.thisSite !== null || sites.kind === "constructor");
  const self = hasSelf ? parameter("this", "any", { ...node, end: node.start } as Node) : null;
  const parameters = node.params.map((param, i) => {
    const identifier = plainParameter(param);
    if (identifier === null) return hidden(`$parameter${i + 1}`, "any", param);
    const binding = fn.file.table.bindingOf.get(identifier);
    // One that inner functions use is copied to where they see it.
    const isShared = binding != null && model.captured.has(binding);
    const repr = reprOf(tagsOf(model.evidence.values.get(identifier)));
    return isShared ? hidden(`$${identifier.name}`, repr, identifier) : parameter(identifier.name, repr, identifier);
  });
  const results = tagsOf(model.evidence.results.get(fn));
  const isNothing = sites.kind === "constructor" || [...results].every((tag) => tag === "undefined");
  const shape: FunctionShape = { id, function: fn, self, parameters, result: isNothing ? null : reprOf(results) };
  model.functions.set(fn, shape);
  return shape;
}
