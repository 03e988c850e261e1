import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import { constant, emitTo, read } from "../../ir/builder.ts";
import { type FinishedGraph, finishGraph } from "../../ir/finishGraph.ts";
import type { FunctionId, SourceStatement, VariableId } from "../../ir/program.ts";
import { type FunctionType, isScalar, type PointerType, type Type } from "../../ir/type.ts";
import type {
  BlockItem,
  BlockStatement,
  FunctionDefinition,
  InitDeclarator,
  ParameterDeclaration,
  Statement,
} from "../ast.ts";
import { oldStyleParameters } from "../declare/declareFile.ts";
import { emitDeclare } from "../declare/lowerDeclaration.ts";
import { nameOf, typeOfDeclarator, typeOfSpecifiers } from "../declare/resolveType.ts";
import { type Constness, constnessOf, type FunctionEntity } from "../declare/scope.ts";
import { newPlace } from "../declare/statics.ts";
import { decay, pointerTo, voidType } from "../types/cType.ts";
import { addVariable, type Context, inputError, newContext, type UnitContext } from "./context.ts";
import { functionDeclarator, implicitParameterKey } from "./findAddressTaken.ts";
import { loweredType } from "./lowerCall.ts";
import { copyStruct } from "./lowerPlace.ts";
import { lowerBlock } from "./lowerStatement.ts";

/** A function with final control flow whose variables and callees still have provisional ids. */
export type LoweredFunction = {
  readonly id: FunctionId;
  readonly name: string;
  readonly type: FunctionType;
  readonly parameters: readonly VariableId[];
  readonly graph: FinishedGraph;
  readonly statements?: readonly SourceStatement[];
  readonly range: SourceRange;
};

export function lowerFunction(unit: UnitContext, entity: FunctionEntity, item: FunctionDefinition): LoweredFunction {
  const cx = newContext(unit, entity.id, entity.name, entity.type, unit.fileScope);
  const parameters = declareParameters(cx, entity, item);
  lowerBlock(cx, item.body, false);
  for (const [name, label] of cx.labels) {
    if (!label.defined) inputError("TF177", `label ${name} is not defined`, label.range);
  }
  emitTo(cx, cx.exit, { kind: "return", value: valueAtEnd(cx) }, endOf(item.body.range));
  return {
    id: entity.id,
    name: entity.name,
    type: loweredType(entity.type),
    parameters,
    graph: finishGraph(cx.graph, 0, cx.exit),
    statements: sourceStatements(item.body),
    range: item.range,
  };
}

/** Only `main` returns 0 by default; elsewhere using a missing value is undefined. */
function valueAtEnd(cx: Context) {
  const result = cx.type?.result;
  return cx.name === "main" && result?.kind === "int" ? constant(result, 0n) : null;
}

function endOf(range: SourceRange): SourceRange {
  return { ...range, line: range.endLine, column: Math.max(1, range.endColumn - 1) };
}

type DeclaredParameter = {
  readonly name: string | null;
  readonly type: Type;
  readonly addressTaken: boolean;
  readonly constness: Constness;
  readonly range: SourceRange;
};

function declareParameters(cx: Context, entity: FunctionEntity, item: FunctionDefinition): VariableId[] {
  const ids: VariableId[] = [];
  if (entity.type.result.kind === "struct") {
    cx.resultPointer = hiddenParameter(cx, "$result", pointerTo(entity.type.result), item.range);
    ids.push(cx.resultPointer);
  }
  declaredParameters(cx, entity, item, (parameter) => ids.push(declareParameter(cx, parameter)));
  if (entity.type.variadic) {
    cx.argumentBlock = hiddenParameter(cx, "$arguments", pointerTo(voidType), item.range);
    ids.push(cx.argumentBlock);
  }
  return ids;
}

function hiddenParameter(cx: Context, name: string, type: PointerType, range: SourceRange): VariableId {
  const shape = { kind: "parameter", storage: "register", function: cx.owner, range } as const;
  return addVariable(cx.unit, { ...shape, name, madeUp: true, type }).id;
}

/** A struct arrives as an address; the function copies it. */
function declareParameter(cx: Context, parameter: DeclaredParameter): VariableId {
  const { unit } = cx;
  const { name, type, addressTaken, constness, range } = parameter;
  if (type.kind === "struct") {
    const pointer = hiddenParameter(cx, `$${name ?? "unnamed"}`, pointerTo(type), range);
    if (name === null) return pointer;
    const shape = { kind: "local", function: cx.owner, range } as const;
    // In memory as the argument is: a copy may have members without a value.
    const { place } = newPlace(unit, name, type, true, shape);
    cx.scope.names.set(name, { kind: "local", place, constness });
    if (place.kind === "memory") emitDeclare(cx, place, range);
    copyStruct(cx, place, { kind: "memory", type, address: read(nth(unit.variables, pointer)) }, range);
    return pointer;
  }
  if (!isScalar(type)) return inputError("TF153", `parameter ${name ?? ""} has an incomplete type`, range);
  const shape = {
    kind: "parameter",
    function: cx.owner,
    range,
    ...(name === null ? { madeUp: true as const } : {}),
  } as const;
  const { place, variables } = newPlace(unit, name ?? "$unnamed", type, addressTaken, shape);
  if (name !== null) cx.scope.names.set(name, { kind: "local", place, constness });
  return nth(variables, 0).id;
}

/** One by one: the type of a later parameter may depend on the value of an earlier one. */
function declaredParameters(
  cx: Context,
  entity: FunctionEntity,
  item: FunctionDefinition,
  declare: (parameter: DeclaredParameter) => void,
): void {
  const list = functionDeclarator(item.declarator)!;
  const { addressTaken } = cx.unit;
  if (list.identifiers.length > 0) {
    const types = oldStyleParameters(cx, item);
    const declarators = new Map<string, InitDeclarator>();
    for (const { declarators: inits } of item.parameterDeclarations) {
      for (const init of inits) declarators.set(nameOf(init.declarator) ?? "", init);
    }
    for (const name of list.identifiers) {
      const init = declarators.get(name);
      const taken =
        init === undefined
          ? addressTaken.names.has(implicitParameterKey(entity.name, name))
          : addressTaken.declarations.has(init);
      declare({
        name,
        type: types.get(name) ?? cx.unit.types.int,
        addressTaken: taken,
        constness: [],
        range: init?.range ?? list.range,
      });
    }
    return;
  }
  for (const parameter of list.parameters) declare(prototypeParameter(cx, parameter, addressTaken.declarations));
}

function prototypeParameter(
  cx: Context,
  parameter: ParameterDeclaration,
  taken: ReadonlySet<unknown>,
): DeclaredParameter {
  const type = decay(typeOfDeclarator(cx, typeOfSpecifiers(cx, parameter.specifiers), parameter.declarator));
  const [first, ...others] = constnessOf(parameter.specifiers, parameter.declarator);
  return {
    name: nameOf(parameter.declarator),
    type,
    addressTaken: taken.has(parameter),
    // An array is passed as a pointer.
    constness: first === undefined ? [] : [first ?? false, ...others],
    range: parameter.range,
  };
}

/** The statements inside a block, outer before inner. A macro's statements have the range of its use. */
export function sourceStatements(body: BlockStatement): readonly SourceStatement[] {
  const statements: SourceStatement[] = [];
  // A worklist: generated programs nest deeply.
  const work: BlockItem[] = [body];
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { own, below } = outline(item);
    if (own !== null) statements.push(own);
    for (const inner of below.toReversed()) work.push(inner);
  }
  return statements;
}

type Outline = { readonly own: SourceStatement | null; readonly below: readonly BlockItem[] };

function outline(item: BlockItem): Outline {
  switch (item.kind) {
    case "block":
      return { own: null, below: item.items };
    case "declaration":
      return whole("declaration", item.range);
    case "expressionStatement":
    case "asm":
      return whole("simple", item.range);
    case "return":
      return whole("return", item.range);
    case "goto":
    case "computedGoto":
    case "break":
    case "continue":
      return whole("jump", item.range);
    case "if":
      return headed("if", item.range, item.then, item.else === null ? [item.then] : [item.then, item.else]);
    case "while":
    case "for":
      return headed("loop", item.range, item.body, [item.body]);
    case "doWhile": {
      const { body, range } = item;
      const head = { ...range, line: body.range.endLine, column: body.range.endColumn };
      return { own: { kind: "loop", range, head }, below: [body] };
    }
    case "switch":
      return headed("switch", item.range, item.body, [item.body]);
    case "case":
    case "default":
    case "label":
      return { own: null, below: [item.body] };
    case "choice":
      return outline(item.otherwise);
    case "empty":
    case "staticAssert":
    case "watch":
    case "stated":
      return { own: null, below: [] };
    default:
      return assertNever(item, "statement");
  }
}

function whole(kind: SourceStatement["kind"], range: SourceRange): Outline {
  return { own: { kind, range, head: range }, below: [] };
}

/** The range from the keyword to the start of the body. */
function headed(
  kind: SourceStatement["kind"],
  range: SourceRange,
  body: Statement,
  below: readonly Statement[],
): Outline {
  const { line, column } = body.range;
  const isBefore = body.range.file === range.file && (line > range.line || column > range.column);
  const head = isBefore ? { ...range, endLine: line, endColumn: column } : range;
  return { own: { kind, range, head }, below };
}
