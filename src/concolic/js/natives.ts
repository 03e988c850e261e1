import { nth, present } from "../../base/checked.ts";
import { isObject, type Recorded, type RecordedObject } from "../../js/recorder/readLog.ts";
import type { Node } from "../../js/recorder/syntax.ts";
import { type Concrete, isPrimitive, unknownValue } from "../../js/recorder/valueRules.ts";
import {
  binary,
  call,
  constant,
  type EntryExpr,
  element,
  field,
  fresh,
  literal,
  plusInteger,
  type ShadowValue,
} from "../expr.ts";
import { addCondition, type CallFrame, freshOpaque, rememberEntry, sourceOf } from "./frame.ts";
import { elementName } from "./heap.ts";

/** A call that entered no recorded function. `length`: of the receiver afterwards, if it is an array. */
export type NativeCall = {
  readonly node: Node;
  readonly name: string;
  readonly receiver: ShadowValue | null;
  readonly args: readonly ShadowValue[];
  readonly logged: Recorded;
  readonly length: number | null;
};

export function className(value: Concrete): string | null {
  return isObject(value as Recorded) ? (value as RecordedObject).className : null;
}

/** Effects of library functions. Others are opaque: their effects are unknown, and the contract names the call. */
export function nativeCall(frame: CallFrame, native: NativeCall): ShadowValue {
  const kind = native.receiver === null ? null : className(native.receiver.concrete);
  if (native.receiver !== null && kind === "Array" && native.length !== null)
    return arrayChange(frame, native, native.length);
  if (native.receiver !== null && (kind === "Map" || kind === "Set")) {
    const known = collection(frame, native, native.receiver);
    if (known !== null) return known;
  }
  return pureOrOpaque(frame, native);
}

export function lengthOf(frame: CallFrame, array: ShadowValue, concrete: number): ShadowValue {
  return frame.heap.read(array, "length", field(array.term, "length"), concrete);
}

function setLength(frame: CallFrame, array: ShadowValue, concrete: number, term: EntryExpr): void {
  frame.heap.write(array, "length", field(array.term, "length"), { concrete, term });
}

function cell(frame: CallFrame, array: ShadowValue, index: number, term: EntryExpr, logged: Concrete): ShadowValue {
  return frame.heap.read(array, elementName(index), element(array.term, term), logged);
}

function arrayChange(frame: CallFrame, native: NativeCall, after: number): ShadowValue {
  const array = present(native.receiver);
  const { name, args, logged, node } = native;
  switch (name) {
    case "push": {
      const before = after - args.length;
      const length = lengthOf(frame, array, before);
      args.forEach((value, at) => {
        const index = plusInteger(length.term, at);
        frame.heap.write(array, elementName(before + at), element(array.term, index), value);
      });
      const term = plusInteger(length.term, args.length);
      setLength(frame, array, after, term);
      return { concrete: logged, term };
    }
    case "pop":
    case "shift": {
      const known = frame.heap.peek(array.concrete, "length")?.concrete;
      const before = typeof known === "number" ? known : logged === undefined && after === 0 ? 0 : after + 1;
      const length = lengthOf(frame, array, before);
      if (before === 0) {
        addCondition(frame, binary("===", length.term, constant(0)), node, "branch");
        return { concrete: logged, term: constant(undefined) };
      }
      addCondition(frame, binary(">", length.term, constant(0)), node, "branch");
      const index = name === "pop" ? plusInteger(length.term, -1) : constant(0);
      const taken = cell(frame, array, name === "pop" ? before - 1 : 0, index, logged);
      if (name === "shift") frame.heap.scramble(array, "moved down by one");
      setLength(frame, array, before - 1, plusInteger(length.term, -1));
      return taken;
    }
    case "fill":
    case "sort":
    case "reverse":
    case "copyWithin":
      if (name === "fill") fillCells(frame, array, args, after);
      else frame.heap.scramble(array, sourceOf(frame, node));
      return { concrete: logged, term: array.term };
    default: {
      frame.heap.scramble(array, sourceOf(frame, node));
      setLength(frame, array, after, freshOpaque(frame, sourceOf(frame, node)));
      return result(frame, native);
    }
  }
}

/** `fill` of a new array, or of a range: short ones cell by cell. */
function fillCells(frame: CallFrame, array: ShadowValue, args: readonly ShadowValue[], length: number): void {
  if (frame.heap.isFresh(array.concrete) && args[1] === undefined) {
    for (let at = 0; at < Math.min(length, 64); at++)
      frame.heap.write(array, elementName(at), element(array.term, constant(at)), nth(args, 0));
    return;
  }
  frame.heap.scramble(array, `filled with ${args[0]?.term.key}`);
}

/** Cells of Maps and Sets are named by the key's identity. */
function keyCell(key: ShadowValue): string | null {
  if (key.concrete === unknownValue) return null;
  if (isPrimitive(key.concrete)) return literal(key.concrete);
  return isObject(key.concrete) ? `#${key.concrete.number}` : null;
}

function collection(frame: CallFrame, native: NativeCall, receiver: ShadowValue): ShadowValue | null {
  const { name, args, logged, node } = native;
  const key = args[0] === undefined ? null : keyCell(args[0]);
  const { heap } = frame;
  const has = (concrete: Concrete): ShadowValue =>
    heap.read(receiver, `has:${key}`, call("has", receiver.term, [nth(args, 0).term]), concrete);
  const put = (presence: boolean): void =>
    heap.write(receiver, `has:${key}`, call("has", receiver.term, [nth(args, 0).term]), {
      concrete: presence,
      term: constant(presence),
    });
  if (name === "clear") {
    heap.write(receiver, "size", field(receiver.term, "size"), { concrete: 0, term: constant(0) });
    return { concrete: undefined, term: constant(undefined) };
  }
  if (key === null) return null;
  switch (name) {
    case "has": {
      const known = has(logged);
      return { concrete: logged, term: known.term };
    }
    case "get":
      return heap.read(receiver, `get:${key}`, call("get", receiver.term, [nth(args, 0).term]), logged);
    case "set":
    case "add": {
      const place = call("get", receiver.term, [nth(args, 0).term]);
      if (name === "set")
        heap.write(receiver, `get:${key}`, place, args[1] ?? { concrete: undefined, term: constant(undefined) });
      put(true);
      resize(frame, receiver, freshOpaque(frame, `size after ${sourceOf(frame, node)}`));
      return { concrete: logged, term: receiver.term };
    }
    case "delete": {
      const was = has(logged);
      put(false);
      heap.write(receiver, `get:${key}`, call("get", receiver.term, [nth(args, 0).term]), {
        concrete: undefined,
        term: constant(undefined),
      });
      resize(frame, receiver, freshOpaque(frame, `size after ${sourceOf(frame, node)}`));
      return { concrete: logged, term: was.term };
    }
    default:
      return null;
  }
}

function resize(frame: CallFrame, receiver: ShadowValue, term: EntryExpr): void {
  frame.heap.write(receiver, "size", field(receiver.term, "size"), { concrete: unknownValue, term });
}

const pureNames = new Set(
  [
    "floor ceil round trunc abs sign min max sqrt cbrt pow hypot log log2 log10 exp imul fround",
    "isInteger isSafeInteger isNaN isFinite parseInt parseFloat isArray Number String Boolean BigInt",
    "toString toFixed toUpperCase toLowerCase trim trimStart trimEnd charAt charCodeAt codePointAt at",
    "startsWith endsWith includes indexOf lastIndexOf slice substring substr padStart padEnd repeat join concat",
    "test hasOwnProperty hasOwn is isFrozen localeCompare fromCharCode replace replaceAll",
  ].flatMap((line) => line.split(" ")),
);

/** Functions that return objects or call recorded callbacks, and change nothing else. */
const harmlessNames = new Set(
  [
    "keys values entries fromEntries getOwnPropertyNames getOwnPropertySymbols getOwnPropertyDescriptor getPrototypeOf create",
    "map filter find findIndex findLast findLastIndex some every reduce reduceRight forEach flat flatMap from of with",
    "toSorted toReversed toSpliced split match matchAll search exec normalize codePoints raw",
    "stringify parse getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds toISOString valueOf toJSON",
    "now random sin cos tan atan atan2 asin acos sinh cosh tanh clz32 expm1 log1p has get size next Symbol for Array Object",
    "isPrototypeOf propertyIsEnumerable toLocaleString toLocaleLowerCase toLocaleUpperCase toPrecision toExponential",
    "encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape resolve reject isSealed isExtensible",
    "isWellFormed subarray asIntN asUintN description",
  ].flatMap((line) => line.split(" ")),
);

const longestCall = 40;

/** Functions that return a new object. Others may return an existing one: `find`, `reduce`, a function of a package. */
const makers = new Set(
  [
    "map filter slice splice concat flat flatMap toSorted toReversed toSpliced with from of Array keys values entries",
    "fromEntries create getOwnPropertyNames getOwnPropertySymbols getOwnPropertyDescriptor parse structuredClone",
    "split match matchAll exec all allSettled race any then catch finally subarray",
  ].flatMap((line) => line.split(" ")),
);

function result(frame: CallFrame, native: NativeCall): ShadowValue {
  return resultOf(frame, native.name, native.logged, sourceOf(frame, native.node));
}

/** The result of code that is not recorded. An unseen object is new if such code makes one. */
export function resultOf(frame: CallFrame, name: string, logged: Recorded, text: string): ShadowValue {
  if (!isObject(logged) || logged.kind !== "object") return { concrete: logged, term: freshOpaque(frame, text) };
  const known = frame.entryObjects.get(logged) ?? frame.heap.freshObjects().get(logged);
  if (known !== undefined) return { concrete: logged, term: known };
  return makers.has(name) ? freshObject(frame, logged, text) : { concrete: logged, term: freshOpaque(frame, text) };
}

export function freshObject(frame: CallFrame, object: RecordedObject, text: string): ShadowValue {
  const term = fresh(frame.fresh++, object.className, text);
  frame.heap.markFresh(object, term);
  return { concrete: object, term };
}

function pureOrOpaque(frame: CallFrame, native: NativeCall): ShadowValue {
  const { receiver, args, name, logged } = native;
  const readsHeap = receiver !== null && isObject(receiver.concrete as Recorded) && receiver.term.kind !== "free";
  if (!pureNames.has(name) && !harmlessNames.has(name)) {
    const text = sourceOf(frame, native.node);
    frame.delegated.add(text.length <= longestCall ? text : `${name}(…)`);
  }
  if (!pureNames.has(name) || !isPrimitive(logged) || (readsHeap && frame.heap.writeCount > 0))
    return result(frame, native);
  const term = call(
    name,
    receiver?.term ?? null,
    args.map((one) => one.term),
  );
  rememberEntry(frame, term, logged);
  return { concrete: logged, term };
}
