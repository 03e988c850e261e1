import { nth } from "../../base/checked.ts";
import { emit, emitTo, newGraph } from "../../ir/builder.ts";
import { type FinishedGraph, finishGraph } from "../../ir/finishGraph.ts";
import type { Edge, Function, FunctionId, ProgramVariable } from "../../ir/program.ts";
import type { ScalarType } from "../../ir/type.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { type Repr, reprOf, special } from "../replay/encoding.ts";
import { tagsOf } from "../replay/evidence.ts";
import type { RecordedFile, RecordedFunction } from "../replay/recordedFile.ts";
import { assignVariable, lowerPattern } from "./assignment.ts";
import type { FunctionShape, JsContext, ModelContext } from "./context.ts";
import { fieldAccess, store } from "./memory.ts";
import { rangeAt, readInputInto } from "./opaque.ts";
import { lowerReturn, lowerStatement, sourceStatements } from "./statement.ts";
import { asRepr, constantOf } from "./values.ts";
import { addVariable, bindingAt, read, reprOfRegister, typeOf } from "./variables.ts";

export function newContext(
  model: ModelContext,
  shape: FunctionShape | null,
  id: FunctionId,
  file: RecordedFile,
): JsContext {
  return {
    model,
    shape,
    function: { file },
    id,
    graph: { ...newGraph(), locations: 2 },
    here: 0,
    exit: 1,
    locals: new Map(),
    targets: [],
    handlers: [],
    finalizers: [],
  };
}

/** A function of the project, as a function of the program model. */
export function lowerFunction(model: ModelContext, shape: FunctionShape): Function {
  const { function: fn, id } = shape;
  const { node, sites, file } = fn;
  const cx = newContext(model, shape, id, file);
  begin(cx, shape);
  if (node.body.type === "BlockStatement") {
    lowerStatement(cx, node.body);
    const end = { start: node.body.end - 1, end: node.body.end };
    const value = shape.result === null ? null : asRepr(model, constantOf(model, special.undefined), shape.result).expr;
    emitTo(cx, cx.exit, { kind: "return", value }, rangeAt(cx, end));
  } else lowerReturn(cx, node.body, node.body);
  return {
    ...finished(finishGraph(cx.graph, 0, cx.exit)),
    id,
    // Functions of a `describe` have no name of their own in front.
    name: sites.name.replace(/^(?:<anonymous>\.)+(?=.)/, ""),
    type: {
      kind: "function",
      result: shape.result === null ? { kind: "void" } : typeOf(model, shape.result),
      parameters: parametersOf(shape).map((each) => nth(model.variables, each).type as ScalarType),
      variadic: false,
      unprototyped: false,
    },
    parameters: parametersOf(shape),
    locals: [],
    statements: sourceStatements(file, node.body),
    range: file.rangeOf(node),
  };
}

function parametersOf({ self, parameters }: FunctionShape) {
  return [...(self === null ? [] : [self.id]), ...parameters.map((each) => each.id)];
}

export function finished(graph: FinishedGraph): Pick<Function, "entry" | "exit" | "locations" | "edges"> {
  const edges = graph.edges.map((edge, id) => ({ ...edge, id }) as unknown as Edge);
  return { entry: graph.entry as never, exit: graph.exit as never, locations: graph.locations, edges };
}

/** Parameters get to where the function's code sees them. */
function begin(cx: JsContext, shape: FunctionShape): void {
  const { node } = shape.function;
  const outer = cx.model.outerSelf.get(node);
  if (outer !== undefined && shape.self !== null)
    emit(
      cx,
      { kind: "assign", target: outer.id, value: read(shape.self) },
      rangeAt(cx, { start: node.start, end: node.start }),
    );
  node.params.forEach((param, i) => {
    const variable = nth(shape.parameters, i);
    const repr = reprOfRegister(variable);
    const identifier = plainParameter(param);
    if (identifier === null) {
      const inner = param.type === "AssignmentPattern" ? param.left : param;
      if (param.type === "RestElement" && param.argument?.type === "Identifier") {
        readInputInto(cx, param.argument, { node: param.argument, of: "value", repr }, variable);
        assignVariable(cx, param.argument, { repr, expr: read(variable) }, param);
      } else lowerPattern(cx, inner, { repr, expr: read(variable) }, inner);
      return;
    }
    if (isReadAtEntry(cx.model, param) && cx.model.evidence.values.has(identifier))
      readInputInto(cx, identifier, { node: identifier, of: "value", repr }, variable);
    const binding = bindingAt(cx, identifier);
    if (binding === null) return;
    if (cx.model.captured.has(binding)) assignVariable(cx, identifier, { repr, expr: read(variable) }, identifier);
    else cx.locals.set(binding, variable);
    if (param.type === "TSParameterProperty" && shape.self !== null) {
      const object = { repr: "any", expr: read(shape.self) } as const;
      store(cx, fieldAccess(cx, object, identifier.name), { repr, expr: read(variable) }, identifier);
    }
  });
}

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
