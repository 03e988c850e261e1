import { present } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import {
  type BitField,
  completeSize,
  type IntType,
  isScalar,
  rangeOfInt,
  type ScalarType,
  type StructType,
  sizeOf,
  type Type,
} from "../../ir/type.ts";
import { integerRange } from "../../logic/division.ts";
import { type Range, unboundedRange } from "../../logic/range.ts";

/**
 * A part of a memory object that the logic sees as one unknown: a single scalar (`count` 1), or equally typed scalars
 * at a fixed distance, which become one array indexed by their number. `count` is null where the object's size is not
 * known (heap blocks, variable-length arrays). Regions of one object never overlap.
 */
export type MemoryRegion = {
  readonly offset: number;
  readonly stride: number;
  readonly count: number | null;
  readonly type: ScalarType;
  readonly bitField?: BitField;
  /** Access path from the object's name, with `[]` where an index goes: `.x`, `[]`, `[].next`. */
  readonly path: string;
};

/** An object that would need more regions than this has none. */
const regionLimit = 256;
/** Arrays inside of the elements of an array are split into their elements up to this length. */
const splitLimit = 32;

/** Splits an object of the given type into regions, or returns null where its bytes have no one reading. */
export function regionsOf(type: Type, pointerBytes: 4 | 8): readonly MemoryRegion[] | null {
  const regions: MemoryRegion[] = [];
  const collector: Collector = { pointerBytes, regions };
  return collect(collector, type, 0, "", null) ? regions : null;
}

/** The regions of a heap block that is used as an array of `element`. */
export function regionsOfBlock(element: Type, pointerBytes: 4 | 8): readonly MemoryRegion[] | null {
  // A struct with a flexible array at its end has its block for itself.
  if (element.kind === "struct" && hasOpenEnd(element)) return regionsOf(element, pointerBytes);
  return regionsOf({ kind: "array", element, length: null }, pointerBytes);
}

function hasOpenEnd(type: Type): boolean {
  if (type.kind === "array") return type.length === null;
  const last = type.kind === "struct" && !type.union ? type.layout?.fields.at(-1) : undefined;
  return last !== undefined && hasOpenEnd(last.type);
}

type Repetition = { readonly stride: number; readonly count: number | null };
type Collector = { readonly pointerBytes: 4 | 8; readonly regions: MemoryRegion[] };

function collect(
  collector: Collector,
  type: Type,
  offset: number,
  path: string,
  repetition: Repetition | null,
  bitField?: BitField,
): boolean {
  if (isScalar(type)) {
    const { stride, count } = repetition ?? { stride: 0, count: 1 };
    collector.regions.push({ offset, type, path, stride, count, ...(bitField === undefined ? {} : { bitField }) });
    return collector.regions.length <= regionLimit;
  }
  switch (type.kind) {
    case "array":
      return collectArray(collector, type, offset, path, repetition);
    case "struct":
      if (type.layout === null) return false;
      if (type.union) return collectUnion(collector, type, offset, path, repetition);
      return type.layout.fields.every((field) =>
        collect(collector, field.type, offset + field.offset, `${path}.${field.name}`, repetition, field.bitField),
      );
    case "void":
    case "function":
      return false;
    default:
      return assertNever(type, "type");
  }
}

function collectArray(
  collector: Collector,
  type: Type & { kind: "array" },
  offset: number,
  path: string,
  repetition: Repetition | null,
): boolean {
  // Several dimensions of scalars are one row of scalars.
  let element: Type = type;
  let count: number | null = 1;
  while (element.kind === "array") {
    count = count === null || element.length === null ? null : count * element.length;
    element = element.element;
  }
  const stride = sizeOf(element, collector.pointerBytes);
  if (stride === null || stride === 0) return count === 0;
  if (repetition === null) return collect(collector, element, offset, `${path}[]`, { stride, count });
  // Two indices that no single stride describes: one region for each value of the inner one.
  if (count === null || count > splitLimit) return false;
  for (let i = 0; i < count; i++) {
    if (!collect(collector, element, offset + i * stride, `${path}[${i}]`, repetition)) return false;
  }
  return true;
}

/** A union is the one integer or pointer that fills it, or its bytes; members are parts of that. */
function collectUnion(
  collector: Collector,
  type: StructType,
  offset: number,
  path: string,
  repetition: Repetition | null,
): boolean {
  const { size, fields } = present(type.layout);
  const fills = (field: { readonly type: Type; readonly bitField?: BitField }) =>
    field.bitField === undefined &&
    isScalar(field.type) &&
    field.type.kind !== "bool" &&
    completeSize(field.type, collector.pointerBytes) === size;
  const filling = fields.filter(fills).map((field) => field.type as ScalarType);
  const whole = filling.find(({ kind }) => kind === "pointer") ?? filling[0] ?? unsignedOfSize(size);
  if (whole !== null) return collect(collector, whole, offset, path, repetition);
  return collectArray(collector, { kind: "array", element: unsignedType(8), length: size }, offset, path, repetition);
}

function unsignedOfSize(size: number): IntType | null {
  return size === 1 || size === 2 || size === 4 || size === 8 || size === 16
    ? unsignedType((size * 8) as IntType["bits"])
    : null;
}

export function unsignedType(bits: IntType["bits"]): IntType {
  return { kind: "int", bits, signed: false, name: `unsigned ${bits}-bit integer` };
}

/** Bytes of one element. */
export function regionSize(region: MemoryRegion, pointerBytes: 4 | 8): number {
  return completeSize(region.type, pointerBytes);
}

/** The values that an element can hold. The byte of a `_Bool` may hold more than 0 and 1 if written as a character. */
export function rangeOfCell(region: MemoryRegion): Range {
  if (region.bitField !== undefined && region.type.kind === "int") {
    return integerRange(region.bitField.width, region.type.signed);
  }
  return region.type.kind === "bool" && region.bitField === undefined
    ? { min: 0n, max: 255n }
    : rangeOfType(region.type);
}

export function rangeOfType(type: ScalarType): Range {
  switch (type.kind) {
    case "int":
    case "bool": {
      const [min, max] = rangeOfInt(type);
      return { min, max };
    }
    case "pointer":
      // Integers made pointers may be negative.
      return integerRange(64, true);
    case "float":
      return unboundedRange;
    default:
      return assertNever(type, "type");
  }
}
