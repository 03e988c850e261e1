import { nth, present } from "../../base/checked.ts";
import { sourceFile } from "../../base/sourceFile.ts";
import { emit, emitTo } from "../../ir/builder.ts";
import { checkProgram } from "../../ir/checkProgram.ts";
import type { Expression } from "../../ir/expression.ts";
import { finishGraph } from "../../ir/finishGraph.ts";
import type { Function, FunctionId, Program } from "../../ir/program.ts";
import { initializerName } from "../../ir/reservedNames.ts";
import type { FunctionShape, InputPlan, JsContext, LoweringChoices, ModelContext } from "../lowering/context.ts";
import { finished, lowerFunction, newContext, shapeOf } from "../lowering/function.ts";
import { lowerSilently } from "../lowering/literals.ts";
import { newModel } from "../lowering/model.ts";
import { rangeAt } from "../lowering/opaque.ts";
import { asRepr, constantOf } from "../lowering/values.ts";
import { reprOfRegister, variableOf } from "../lowering/variables.ts";
import type { Node } from "../recorder/syntax.ts";
import { encodingOf, special } from "./encoding.ts";
import type { ReplayEvidence } from "./evidence.ts";
import type { RecordedFile, RecordedFunction } from "./recordedFile.ts";

export type Lowered = {
  readonly program: Program;
  /** By the number that the name of an input ends in. */
  readonly inputs: readonly InputPlan[];
  /** Which node an expression of the program is the value of. */
  readonly nodeOf: ReadonlyMap<Expression, Node>;
  readonly model: ModelContext;
};

/** The recorded run of a test as a program: its entry is the test, everything that it called is a function of it. */
export function lowerRecording(
  files: readonly RecordedFile[],
  calls: readonly RecordedFunction[],
  evidence: ReplayEvidence,
  choices: LoweringChoices,
): Lowered {
  const model = newModel(files, evidence, encodingOf(evidence), choices);
  const test = present(calls.at(-1));
  const shapes = calls.map((fn) => shapeOf(model, fn));
  const initializer = lowerInitializer(model, test.file);
  const functions: Function[] = [initializer];
  // Functions are numbered when they are first called, so the list grows while it is worked off.
  for (const shape of model.functions.values()) {
    const fn = lowerFunction(model, shape);
    functions.push(shape === shapes.at(-1) ? { ...fn, name: "test" } : fn);
  }
  const isBare = shapes.length === 1 && nth(shapes, 0).self === null && nth(shapes, 0).parameters.length === 0;
  if (!isBare) functions.push(lowerSequence(model, shapes, functions.length as FunctionId));
  const used = files.filter((file) => [...model.functions.keys()].some((fn) => fn.file === file));
  const program: Program = {
    files: used.map(({ path, text }) => sourceFile(path, text)),
    language: "typescript",
    dataModel: "LP64",
    pointerBytes: 8,
    functions: functions.map((fn) => ({
      ...fn,
      locals: model.variables.flatMap(({ id, function: owner, kind }) =>
        owner === fn.id && kind !== "parameter" ? [id] : [],
      ),
    })),
    variables: model.variables,
    initializer: 0 as FunctionId,
    entry: isBare ? nth(shapes, 0).id : present(functions.at(-1)).id,
    notes: [...model.notes.values()],
  };
  checkProgram(program);
  return { program, inputs: model.inputs, nodeOf: model.nodeOf, model };
}

/** Hooks run before the test. */
function lowerSequence(model: ModelContext, shapes: readonly FunctionShape[], id: FunctionId): Function {
  const { file, node } = present(shapes.at(-1)).function;
  const cx = newContext(model, null, id, file);
  const range = file.rangeOf({ start: node.start, end: node.start });
  for (const shape of shapes) {
    const passed = [...(shape.self === null ? [] : [shape.self]), ...shape.parameters].map(
      (each) => asRepr(model, constantOf(model, special.undefined), reprOfRegister(each)).expr,
    );
    const callee = { kind: "direct", function: shape.id } as const;
    emit(cx, { kind: "call", callee, arguments: passed, target: null }, range);
  }
  emitTo(cx, cx.exit, { kind: "return", value: null }, range);
  return {
    ...finished(finishGraph(cx.graph, 0, cx.exit)),
    id,
    name: "hooks and test",
    type: { kind: "function", result: { kind: "void" }, parameters: [], variadic: false, unprototyped: false },
    parameters: [],
    locals: [],
    range,
  };
}

/** The variables of files that literals give a value. */
function lowerInitializer(model: ModelContext, file: RecordedFile): Function {
  const id = 0 as FunctionId;
  const cx = newContext(model, null, id, file);
  for (const { file: own, binding, name, init, statement } of model.globals.initialized) {
    const inside: JsContext = { ...cx, function: { file: own } };
    const value = lowerSilently(inside, init);
    cx.here = inside.here;
    if (value === null) continue;
    const variable = variableOf(inside, binding, name);
    const held = asRepr(model, value, reprOfRegister(variable));
    emit(cx, { kind: "assign", target: variable.id, value: held.expr }, rangeAt(inside, statement));
  }
  const range = file.rangeOf({ start: 0, end: 0 });
  const error = constantOf(model, special.undefined);
  emit(cx, { kind: "assign", target: model.exception.error.id, value: error.expr }, range);
  emitTo(cx, cx.exit, { kind: "return", value: null }, range);
  return {
    ...finished(finishGraph(cx.graph, 0, cx.exit)),
    id,
    name: initializerName,
    type: { kind: "function", result: { kind: "void" }, parameters: [], variadic: false, unprototyped: false },
    parameters: [],
    locals: [],
    range,
  };
}
