import { nth } from "../../base/checked.ts";
import { type AddressParts, addressParts, isAlwaysNumber } from "../../ir/dataFlow.ts";
import { type Expression, indexLimit, type Load, type Offset } from "../../ir/expression.ts";
import type { Store } from "../../ir/operation.ts";
import { sizeOf } from "../../ir/type.ts";
import { bitFieldBytes } from "../memory/access.ts";
import { fieldReadable, fieldWritable } from "../memory/objectLayout.ts";
import { type FunctionContext, leafIndex, newSite, temporary } from "./context.ts";
import { type EmittedOperand, emitExpression, isSimple, literal, reusable } from "./emitExpression.ts";
import { variedValue } from "./emitVaried.ts";
import { type DirectAccess, type ScalarAccess, scalarAccess } from "./scalarAccess.ts";

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
  if (object === null) return emitFoundLoad(context, access, access.direct, parts, { root, delta, site });
  const last = object.size - access.size;
  const high = access.direct.fits === null ? "" : temporary(context);
  const ready = (at: string) =>
    [
      ...(object.alwaysInitialised ? [] : [access.direct?.isInitialised(at)]),
      ...(access.direct?.fits == null ? [] : [access.direct.fits(at, high)]),
    ].join(" && ");
  if (parts.terms.length === 0) {
    const slow = `${access.read}(M, ${root}, ${delta}, ${site})`;
    if (!isPlace(parts.constant, last, access.direct)) return slow;
    const at = placeText(object.base, delta);
    const [condition, value] = [ready(at), access.direct.get(at, high)];
    return condition === "" ? value : `(${condition} ? ${value} : ${slow})`;
  }
  const name = temporary(context);
  const at = placeText(object.base, name);
  const condition = ready(at);
  const more = condition === "" ? "" : ` && ${condition}`;
  const slow = `${access.read}(M, ${root}, ${name}, ${site})`;
  const start = isStart({ first: `(${name} = ${delta})`, again: name }, parts, access.direct, 16);
  return `(${start} && ${name} <= ${last}${more} ? ${access.direct.get(at, high)} : ${slow})`;
}

/** True if a scalar can lie at this offset of an object whose last one is at `last`: every object begins at an aligned address. */
function isPlace(offset: number, last: number, { alignment }: DirectAccess): boolean {
  return offset >= 0 && offset <= last && offset % alignment === 0;
}

/**
 * Whether an offset, a number of any size, is not negative and aligned. `base` is the alignment of what it is added to: 16 of
 * an object's address, 1 of the offset in a pointer.
 */
function isStart(offset: EmittedOperand, parts: AddressParts, { alignment }: DirectAccess, base: 1 | 16): string {
  const isAligned = (bytes: number) => bytes % alignment === 0;
  const isSurely = isAligned(base) && isAligned(parts.constant) && parts.terms.every(({ scale }) => isAligned(scale));
  if (isSurely) return `${offset.first} >= 0`;
  // Two numbers that fit in 32 bits, one of them not negative: if the sum does not fit, it is beyond every object.
  const isShort = parts.terms.length === 0 && parts.constant >= 0 && parts.constant < 2 ** 31;
  if (isShort) return `(${offset.first} & ${alignment - 1 - 2 ** 31}) === 0`;
  return `${offset.first} >= 0 && (${offset.again} & ${alignment - 1}) === 0`;
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
  parts: AddressParts,
  { root, delta, site }: { readonly root: string; readonly delta: string; readonly site: number },
): string {
  const { first: pointer, again } = reusable(context, root);
  const place = reusable(context, delta);
  const [offset, fields] = [temporary(context), temporary(context)];
  const high = direct.fits === null ? "" : temporary(context);
  const fits = direct.fits === null ? "" : ` && ${direct.fits(offset, high)}`;
  return [
    `(${isStart({ first: `(${offset} = (${pointer} | 0) + ${place.first})`, again: offset }, parts, direct, 1)}`,
    `${offset} <= M.objects[(${fields} = ${fieldsText(again)}) | ${fieldReadable}] - ${size}`,
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
  const { direct } = access;
  const isNowhere = (place: DirectAccess) => object !== null && certain && !isPlace(parts.constant, last, place);
  if (direct === null || object?.writable === false || isNowhere(direct)) {
    context.lines.push(slow);
    return result;
  }
  if (object === null) {
    const [offset, fields] = [temporary(context), temporary(context)];
    const start = isStart({ first: `(${offset} = (${root} | 0) + ${delta})`, again: offset }, parts, direct, 1);
    context.lines.push(
      `${fields} = ${fieldsText(root)};`,
      `if (${start} && ${offset} <= M.objects[${fields} | ${fieldWritable}] - ${access.size}) {`,
      `${offset} += M.objects[${fields}]; ${direct.initialise(offset)} ${direct.set(offset, value)}`,
      `} else ${slow}`,
    );
    return result;
  }
  const at = placeText(object.base, delta);
  const initialise = object.alwaysInitialised ? "" : `${direct.initialise(at)} `;
  const fast = `${initialise}${direct.set(at, value)}`;
  const start = isStart({ first: delta, again: delta }, parts, direct, 16);
  context.lines.push(certain ? fast : `if (${start} && ${delta} <= ${last}) { ${fast} } else ${slow}`);
  return result;
}
