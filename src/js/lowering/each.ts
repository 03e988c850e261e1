import { nth } from "../../base/checked.ts";
import { emit, jump, newLocation } from "../../ir/builder.ts";
import { type Node, withoutTypes } from "../recorder/syntax.ts";
import { reprOf, special } from "../replay/encoding.ts";
import { tagsOf } from "../replay/evidence.ts";
import { methodName } from "../replay/makers.ts";
import type { RecordedFunction } from "../replay/recordedFile.ts";
import { callFunction } from "./call.ts";
import type { JsContext, ModelValue } from "./context.ts";
import { lower } from "./expression.ts";
import { allocate, elementAccess, lengthAccess, load, store, storeQuietly } from "./memory.ts";
import { branch, completed, held, opaque, placed, rangeAt, reprAt } from "./opaque.ts";
import { elementRepr, inspect, lowerRounds, valueFor } from "./rounds.ts";
import { asRepr, binary, constantOf, int, truthOf } from "./values.ts";
import { newTemporary, read } from "./variables.ts";

/** `items.map(f)` and the like as the loop that they are. */
export function lowerEach(cx: JsContext, node: Node, fn: RecordedFunction | null, given: ModelValue): ModelValue {
  const receiver = held(cx, withoutTypes(node.callee).object, given);
  const method = methodName(node)!;
  const rest = node.arguments.slice(1).map((argument) => lower(cx, argument));
  const isReduce = method === "reduce";
  const isEmpty = (cx.model.evidence.rounds.get(node) ?? []).every((round) => round === null);
  const found = inspect(cx, cx.model.evidence.receivers.get(node));
  const collection = found?.family === "map" || found?.family === "set" ? found.family : null;
  const isFollowed = found?.family === "array" || (collection !== null && method === "forEach");
  if (fn === null || isEmpty || (isReduce && rest.length === 0 && !isFollowed)) {
    const makes = method === "map" || method === "filter";
    if (makes) return emptyArray(cx, node);
    return opaque(cx, node, [receiver, ...rest]);
  }
  const range = rangeAt(cx, node);
  const head = { start: node.start, end: nth(node.arguments, 0).start };
  const made = method === "map" || method === "filter" ? emptyArray(cx, node) : null;
  const repr = isReduce ? reprOf(tagsOf(cx.model.evidence.results.get(fn))) : reprAt(cx, node);
  const result =
    made === null && method !== "forEach" ? newTemporary(cx, isReduce ? wider(repr, rest[0]) : repr, range) : null;
  const resultRepr = result === null ? "any" : isReduce ? wider(repr, rest[0]) : repr;
  const put = (value: ModelValue): void => {
    if (result === null) return;
    emit(cx, { kind: "assign", target: result.id, value: asRepr(cx.model, value, resultRepr).expr }, range);
  };
  const startsWithFirst = isReduce && rest.length === 0;
  if (isReduce) put(rest[0] ?? load(cx, elementAccess(cx, receiver, { repr: "int", expr: int(0) }), resultRepr));
  else put(initial(cx, method));
  lowerRounds(cx, {
    node,
    head,
    collection: receiver,
    isFollowed,
    element: collection === "map" ? (found?.kind === "int" ? "int" : "any") : elementRepr(cx, node),
    ...(startsWithFirst ? { from: 1 } : {}),
    each(element, index, next, end) {
      const key = collection === null ? element : held(cx, nth(node.arguments, 0), element);
      const first =
        collection === "map" && isFollowed && found!.kind !== null
          ? valueFor(cx, nth(node.arguments, 0), receiver, key, found!.kind, elementRepr(cx, node))
          : key;
      const second = collection !== null && isFollowed ? key : index;
      const passed = isReduce ? [{ repr: resultRepr, expr: read(result!) }, first, second] : [first, second];
      const value = callFunction(cx, node, fn, null, [...passed, receiver], null);
      const tags = tagsOf(cx.model.evidence.results.get(fn));
      finishRound(cx, node, method, { element, index, value, tags, made, next, end, put });
    },
  });
  if (made !== null) return completed(cx, node, made);
  if (result === null) return constantOf(cx.model, special.undefined);
  const value = placed(cx, node, { repr: resultRepr, expr: read(result) });
  return cx.model.demoted.has(node) ? opaque(cx, node, [value]) : value;
}

function wider(repr: ModelValue["repr"], first: ModelValue | undefined): ModelValue["repr"] {
  if (first === undefined || first.repr === repr) return repr;
  const numeric = (each: ModelValue["repr"]) => each === "int" || each === "double";
  return numeric(repr) && numeric(first.repr) ? "double" : "any";
}

function emptyArray(cx: JsContext, node: Node): ModelValue {
  const array = allocate(cx, node, "array");
  storeQuietly(cx, lengthAccess(cx, array), { repr: "int", expr: int(0) }, node);
  return array;
}

function initial(cx: JsContext, method: string): ModelValue {
  switch (method) {
    case "some":
      return { repr: "bool", expr: int(0) };
    case "every":
      return { repr: "bool", expr: int(1) };
    case "findIndex":
      return { repr: "int", expr: int(-1) };
    default:
      return constantOf(cx.model, special.undefined);
  }
}

type Round = {
  readonly element: ModelValue;
  readonly index: ModelValue;
  readonly value: ModelValue;
  readonly tags: Parameters<typeof truthOf>[2];
  readonly made: ModelValue | null;
  readonly next: number;
  readonly end: number;
  put(value: ModelValue): void;
};

function finishRound(cx: JsContext, node: Node, method: string, round: Round): void {
  const { element, index, value, made, next, end, put } = round;
  const append = (item: ModelValue): void => {
    const length = load(cx, lengthAccess(cx, made!), "int");
    store(cx, elementAccess(cx, made!, length), item, nth(node.arguments, 0), node);
    const longer: ModelValue = {
      repr: "int",
      expr: binary("+", load(cx, lengthAccess(cx, made!), "int").expr, int(1)),
    };
    storeQuietly(cx, lengthAccess(cx, made!), longer, node);
  };
  /** Goes on behind what is done where the callback's answer is as wanted. */
  const when = (wanted: boolean, action: () => void): void => {
    const then = newLocation(cx);
    const truth = truthOf(cx.model, value, round.tags);
    if (wanted) branch(cx, truth, then, next, "branch", nth(node.arguments, 0));
    else branch(cx, truth, next, then, "branch", nth(node.arguments, 0));
    cx.here = then;
    action();
  };
  switch (method) {
    case "map":
      return append(value);
    case "filter":
      return when(true, () => append(element));
    case "reduce":
      return put(value);
    case "forEach":
      return;
    case "every":
      return when(false, () => {
        put({ repr: "bool", expr: int(0) });
        jump(cx, end, rangeAt(cx, node));
      });
    default:
      return when(true, () => {
        put(method === "some" ? { repr: "bool", expr: int(1) } : method === "find" ? element : index);
        jump(cx, end, rangeAt(cx, node));
      });
  }
}
