import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import { memoised } from "../../base/memo.ts";
import { type AddressParts, addressParts, isAlwaysNumber } from "../../ir/dataFlow.ts";
import { type Expression, indexLimit, type Load, type Offset } from "../../ir/expression.ts";
import type { Store } from "../../ir/operation.ts";
import { type ScalarType, sizeOf } from "../../ir/type.ts";
import { bitFieldBytes } from "../memory/access.ts";
import { fieldReadable, fieldWritable } from "../memory/objectLayout.ts";
import { type FunctionContext, leafIndex, newSite, temporary } from "./context.ts";
import { emitExpression, isSimple, literal, reusable } from "./emitExpression.ts";
import { variedValue } from "./emitVaried.ts";

/** The value of an address that is not accessed at once. */
export function emitAddress(context: FunctionContext, expression: Expression): string {
  const parts = addressParts(expression, context.varied === null);
  const root = emitRoot(context, parts.root);
  if (parts.terms.length === 0) {
    if (parts.constant === 0) return root;
    const object = knownObject(context, parts.root);
    if (object !== null && parts.constant > 0 && parts.constant <= object.size) return `(${root} + ${parts.constant})`;
  }
  return `offsetPointer(${root}, ${emitDelta(context, parts)}, ${newSite(context, expression)})`;
}

function emitRoot(context: FunctionContext, root: Expression): string {
  if (root.kind !== "addressOf") return emitExpression(context, root);
  if (root.object.kind === "function") return literal(nth(context.layout.functions, root.object.function).pointer);
  const place = context.layout.variables.get(root.object.variable);
  if (place !== undefined) return literal(place.pointer);
  const name = `o${root.object.variable}`;
  return context.mode.dependence ? `trackValue(T, ${leafIndex(context, root)}, ${name})` : name;
}

function emitDelta(context: FunctionContext, parts: AddressParts): string {
  const texts = parts.terms.map(({ index, scale, offset }) => {
    const text = variedValue(context, context.varied?.index(offset) ?? -1, emitExpression(context, index));
    const number = emitIndex(context, offset, isAlwaysNumber(index) ? text : `indexNumber(M, ${text})`);
    return scale === 1 ? number : `${number} * ${scale}`;
  });
  if (parts.constant !== 0 || texts.length === 0) texts.push(literal(parts.constant));
  return texts.length === 1 ? nth(texts, 0) : `(${texts.join(" + ")})`;
}

function emitIndex(context: FunctionContext, offset: Offset, number: string): string {
  if (offset.bound === undefined) return number;
  const name = temporary(context);
  const bad = `badIndex(${name}, ${newSite(context, offset)})`;
  return `((${name} = ${number}) >= 0 && ${name} < ${indexLimit(offset.bound)} ? ${name} : ${bad})`;
}

/** A named object that is certainly alive and of known size: no look-up is needed. */
type KnownObject = {
  readonly size: number;
  /** Linear address: a number for statics, a variable's name for locals. */
  readonly base: string;
  readonly writable: boolean;
  readonly alwaysInitialised: boolean;
};

function knownObject(context: FunctionContext, root: Expression): KnownObject | null {
  if (root.kind !== "addressOf" || root.object.kind !== "variable") return null;
  const id = root.object.variable;
  const place = context.layout.variables.get(id);
  const variable = nth(context.program.variables, id);
  if (place !== undefined) {
    return {
      size: place.size,
      base: `${place.address}`,
      writable:
        variable.literal === undefined && (variable.isConst !== true || context.fn.id === context.program.initializer),
      alwaysInitialised: !context.staticsMayBeIndeterminate,
    };
  }
  const size = sizeOf(variable.type, context.program.pointerBytes);
  return size === null ? null : { size, base: `m${id}`, writable: true, alwaysInitialised: false };
}

/** `base + delta`, with two numbers added at compile time. */
function placeText(base: string, delta: string): string {
  if (delta === "0") return base;
  return /^\d+$/.test(base) && /^\d+$/.test(delta) ? `${Number(base) + Number(delta)}` : `${base} + ${delta}`;
}

export function emitLoad(context: FunctionContext, expression: Load): string {
  const parts = addressParts(expression.address, context.varied === null);
  const access = scalarAccess(expression.type, context.program.pointerBytes);
  const root = emitRoot(context, parts.root);
  const delta = emitDelta(context, parts);
  const site = newSite(context, expression);
  if (context.mode.dependence) return trackedLoad(context, expression, root, delta, site);
  if (expression.bitField !== undefined) {
    const { shift, width } = expression.bitField;
    const signed = expression.type.kind === "int" && expression.type.signed;
    return `readBitField(M, ${root}, ${delta}, { shift: ${shift}, width: ${width} }, ${signed}, ${site})`;
  }
  if (access.direct === null) return `${access.read}(M, ${root}, ${delta}, ${site})`;
  const object = knownObject(context, parts.root);
  if (object === null) return emitFoundLoad(context, access, access.direct, root, delta, site);
  const last = object.size - access.size;
  const high = access.direct.fits === null ? "" : temporary(context);
  const ready = (at: string) =>
    [
      ...(object.alwaysInitialised ? [] : [access.direct?.isInitialised(at)]),
      ...(access.direct?.fits == null ? [] : [access.direct.fits(at, high)]),
    ].join(" && ");
  if (parts.terms.length === 0) {
    const slow = `${access.read}(M, ${root}, ${delta}, ${site})`;
    if (parts.constant < 0 || parts.constant > last) return slow;
    const at = placeText(object.base, delta);
    const [condition, value] = [ready(at), access.direct.get(at, high)];
    return condition === "" ? value : `(${condition} ? ${value} : ${slow})`;
  }
  const name = temporary(context);
  const at = placeText(object.base, name);
  const condition = ready(at);
  const more = condition === "" ? "" : ` && ${condition}`;
  const slow = `${access.read}(M, ${root}, ${name}, ${site})`;
  return `((${name} = ${delta}) >= 0 && ${name} <= ${last}${more} ? ${access.direct.get(at, high)} : ${slow})`;
}

/** The index of the first field of a pointer's object; see `locateRead`. */
function fieldsText(pointer: string): string {
  return `(${pointer} * ${2 ** -29} + 4) & -8`;
}

/** Finds the object in the text itself: V8 inlines few functions into one that accesses memory often. */
function emitFoundLoad(
  context: FunctionContext,
  { size, read }: ScalarAccess,
  direct: DirectAccess,
  root: string,
  delta: string,
  site: number,
): string {
  const { first: pointer, again } = reusable(context, root);
  const place = reusable(context, delta);
  const [offset, fields] = [temporary(context), temporary(context)];
  const high = direct.fits === null ? "" : temporary(context);
  const fits = direct.fits === null ? "" : ` && ${direct.fits(offset, high)}`;
  return [
    `((${offset} = (${pointer} | 0) + ${place.first}) >= 0`,
    `${offset} <= M.objects[(${fields} = ${fieldsText(again)}) + ${fieldReadable}] - ${size}`,
    `(${offset} += M.objects[${fields}], ${direct.isInitialised(offset)}${fits})`,
  ]
    .join(" && ")
    .concat(` ? ${direct.get(offset, high)} : ${read}(M, ${again}, ${place.again}, ${site}))`);
}

function trackedLoad(context: FunctionContext, expression: Load, root: string, delta: string, site: number): string {
  const { bitField, type } = expression;
  const access = scalarAccess(type, context.program.pointerBytes);
  const [pointer, offset] = [temporary(context), temporary(context)];
  const place = `(${pointer} = ${root}), (${offset} = ${delta})`;
  const index = leafIndex(context, expression);
  if (bitField === undefined) {
    const value = `${access.read}(M, ${place}, ${site})`;
    return `trackLoad(T, M, ${index}, ${value}, ${pointer}, ${offset}, ${access.size})`;
  }
  const { shift, width } = bitField;
  const value = `readBitField(M, ${place}, { shift: ${shift}, width: ${width} }, ${type.kind === "int" && type.signed}, ${site})`;
  const { first, count } = bitFieldBytes(bitField);
  return `trackLoad(T, M, ${index}, ${value}, ${pointer}, ${offset} + ${first}, ${count})`;
}

function emitTrackedStore(
  context: FunctionContext,
  operation: Store,
  root: string,
  delta: string,
  statement: string,
): void {
  const { bitField } = operation;
  if (bitField === undefined) {
    const { size } = scalarAccess(operation.type, context.program.pointerBytes);
    context.lines.push(statement, `trackStore(T, M, ${root}, ${delta}, ${size});`);
    return;
  }
  const { first, count } = bitFieldBytes(bitField);
  const place = `T, M, ${root}, ${delta} + ${first}, ${count}`;
  context.lines.push(`trackKept(${place});`, statement, `trackStore(${place});`);
}

/** Emits a store. Returns text for the pointer and the stored value. */
export function emitStore(context: FunctionContext, operation: Store): { pointer: string; value: string } {
  const parts = addressParts(operation.address, context.varied === null);
  const access = scalarAccess(operation.type, context.program.pointerBytes);
  const keep = (text: string) => {
    if (isSimple(text)) return text;
    const name = temporary(context);
    context.lines.push(`${name} = ${text};`);
    return name;
  };
  const root = keep(emitRoot(context, parts.root));
  const delta = keep(emitDelta(context, parts));
  const place = context.varied?.value(context.edge) ?? -1;
  const value = keep(variedValue(context, place, emitExpression(context, operation.value)));
  const site = newSite(context, null);
  const result = { pointer: delta === "0" ? root : `${root} + ${delta}`, value };
  if (operation.bitField !== undefined) {
    const { shift, width } = operation.bitField;
    const statement = `writeBitField(M, ${root}, ${delta}, { shift: ${shift}, width: ${width} }, ${value}, ${site});`;
    if (context.mode.dependence) emitTrackedStore(context, operation, root, delta, statement);
    else context.lines.push(statement);
    return result;
  }
  const slow = `${access.write}(M, ${root}, ${delta}, ${value}, ${site});`;
  if (context.mode.dependence) {
    emitTrackedStore(context, operation, root, delta, slow);
    return result;
  }
  const object = knownObject(context, parts.root);
  const last = object === null ? -1 : object.size - access.size;
  const certain = parts.terms.length === 0;
  if (access.direct === null || object?.writable === false || (object !== null && certain && !isWithin(parts, last))) {
    context.lines.push(slow);
    return result;
  }
  if (object === null) {
    const [offset, fields] = [temporary(context), temporary(context)];
    context.lines.push(
      `${fields} = ${fieldsText(root)};`,
      `if ((${offset} = (${root} | 0) + ${delta}) >= 0 && ${offset} <= M.objects[${fields} + ${fieldWritable}] - ${access.size}) {`,
      `${offset} += M.objects[${fields}]; ${access.direct.initialise(offset)} ${access.direct.set(offset, value)}`,
      `} else ${slow}`,
    );
    return result;
  }
  const at = placeText(object.base, delta);
  const initialise = object.alwaysInitialised ? "" : `${access.direct.initialise(at)} `;
  const fast = `${initialise}${access.direct.set(at, value)}`;
  context.lines.push(certain ? fast : `if (${delta} >= 0 && ${delta} <= ${last}) { ${fast} } else ${slow}`);
  return result;
}

function isWithin({ constant }: AddressParts, last: number): boolean {
  return constant >= 0 && constant <= last;
}

/** How a scalar type is accessed: by a checked function, or at an address known to be valid. */
export type ScalarAccess = {
  readonly size: number;
  /** `name(M, pointer, delta, site)` */
  readonly read: string;
  /** `name(M, pointer, delta, value, site)` */
  readonly write: string;
  /** Null for types that need more than a view. */
  readonly direct: DirectAccess | null;
};

/** The value at a linear address. */
type DirectAccess = {
  /** `high` is the name that `fits` assigned. */
  readonly get: (at: string, high: string) => string;
  readonly set: (at: string, value: string) => string;
  readonly isInitialised: (at: string) => string;
  readonly initialise: (at: string) => string;
  /** For 64 bits: whether they are a number that JavaScript has; assigns the upper half to `high`. */
  readonly fits: ((at: string, high: string) => string) | null;
};

/** Library calls ask for it during runs. */
const accesses = {
  4: memoised((type: ScalarType) => accessOf(type, 4)),
  8: memoised((type: ScalarType) => accessOf(type, 8)),
};

export function scalarAccess(type: ScalarType, pointerBytes: 4 | 8): ScalarAccess {
  return accesses[pointerBytes](type);
}

function accessOf(type: ScalarType, pointerBytes: 4 | 8): ScalarAccess {
  switch (type.kind) {
    case "bool":
      return { size: 1, read: "readBool", write: "writeInt8", direct: null };
    case "float":
      return viewAccess(type.bits / 8, `Float${type.bits}`, `writeFloat${type.bits}`);
    case "pointer":
      return pointerBytes === 8
        ? { size: 8, read: "readPointer64", write: "writePointer64", direct: halves(true, setPointer) }
        : { size: 4, read: "readPointer32", write: "writePointer32", direct: null };
    case "int": {
      const name = `${type.signed ? "Int" : "Uint"}${type.bits}`;
      const write = `writeInt${type.bits}`;
      if (type.bits <= 32) return viewAccess(type.bits / 8, name, write);
      return { size: type.bits / 8, read: `read${name}`, write, direct: type.bits === 64 ? halves(type.signed) : null };
    }
    default:
      return assertNever(type, "type");
  }
}

function viewAccess(size: number, name: string, write: string): ScalarAccess {
  const order = size === 1 ? "" : ", true";
  return {
    size,
    read: `read${name}`,
    write,
    direct: {
      get: (at) => `M.view.get${name}(${at}${order})`,
      set: (at, value) => `M.view.set${name}(${at}, ${value}${order});`,
      ...shadowAccess(size),
      fits: null,
    },
  };
}

function shadowAccess(size: number): Pick<DirectAccess, "isInitialised" | "initialise"> {
  const order = size === 1 ? "" : ", true";
  const bits = Math.min(size, 4) * 8;
  const words = (at: string) => (size === 8 ? [at, `${at} + 4`] : [at]);
  const join = (texts: readonly string[], by: string) => texts.join(by);
  return {
    isInitialised: (at) =>
      join(
        words(at).map((word) => `M.shadow.getInt${bits}(${word}${order}) === 0`),
        " && ",
      ),
    initialise: (at) =>
      join(
        words(at).map((word) => `M.shadow.setInt${bits}(${word}, 0${order});`),
        " ",
      ),
  };
}

/** 64 bits as two halves: the value is a number unless the upper half is large (see `readInt64`). */
function halves(signed: boolean, set: DirectAccess["set"] = setAny): DirectAccess {
  const least = (high: string) => (signed ? ` && ${high} >= -2097151` : "");
  return {
    get: (at, high) => `${high} * 4294967296 + M.view.getUint32(${at}, true)`,
    set,
    ...shadowAccess(8),
    fits: (at, high) => `(${high} = M.view.get${signed ? "Int" : "Uint"}32(${at} + 4, true)) < 2097152${least(high)}`,
  };
}

function setAny(at: string, value: string): string {
  return `setInt64(M.view, ${at}, ${value});`;
}

function setPointer(at: string, value: string): string {
  return `M.view.setInt32(${at}, ${value}, true); M.view.setInt32(${at} + 4, Math.floor(${value} / 4294967296), true);`;
}
