import { nth } from "../../base/checked.ts";
import { assertNever } from "../../base/errors.ts";
import {
  type BitField,
  type Field,
  type IntType,
  rangeOfInt,
  type StructLayout,
  type StructType,
  sizeOf,
  type Type,
} from "../../ir/type.ts";
import { type BasicTypes, requestedAlignOf } from "./cType.ts";

/** A declared member. `width` is for bit-fields; a nameless one of width 0 ends the current storage unit. */
export type Member = {
  readonly name: string;
  readonly type: Type;
  readonly width: number | null;
  /** From `__attribute__((aligned(n)))` on the member. */
  readonly align: number | null;
  readonly packed: boolean;
};

export type LayoutRequest = {
  readonly members: readonly Member[];
  readonly union: boolean;
  readonly packed: boolean;
  readonly align: number | null;
};

/** Alignment inside a struct. On i386 8-byte scalars have alignment 4. */
export function alignOf(type: Type, pointerBytes: 4 | 8): number {
  const requested = requestedAlignOf(type);
  if (requested !== undefined) return requested;
  switch (type.kind) {
    case "int":
      return pointerBytes === 4 ? Math.min(4, type.bits / 8) : type.bits / 8;
    case "bool":
    case "void":
    case "function":
      return 1;
    case "float":
      if (pointerBytes === 4) return 4;
      return type.approximated ? 16 : type.bits / 8;
    case "pointer":
      return pointerBytes;
    case "array":
      return alignOf(type.element, pointerBytes);
    case "struct":
      return type.layout?.align ?? 1;
    default:
      return assertNever(type, "type");
  }
}

export function alignUp(value: number, align: number): number {
  return Math.ceil(value / align) * align;
}

/** The System V layout, as in gcc on x86 Linux. */
export function layoutOf(request: LayoutRequest, pointerBytes: 4 | 8): StructLayout {
  let align = request.align ?? 1;
  /** In bits, because bit-fields pack. */
  let end = 0;
  let largest = 0;
  const placed: { member: Member; bit: number }[] = [];
  for (const member of request.members) {
    const packed = request.packed || member.packed;
    const natural = packed ? 1 : alignOf(member.type, pointerBytes);
    const memberAlign = Math.max(natural, member.align ?? 1);
    const size = sizeOf(member.type, pointerBytes) ?? 0;
    const at = request.union ? 0 : end;
    if (member.width !== null) {
      const unit = size * 8;
      const step = alignOf(member.type, pointerBytes) * 8;
      let bit = at;
      if (member.width === 0) bit = alignUp(at, step);
      else {
        if (member.align !== null) bit = alignUp(bit, member.align * 8);
        // A bit-field spans no more alignment units than its type.
        if (!packed && Math.ceil(((bit % step) + member.width) / step) > unit / step) bit = alignUp(bit, step);
        // A nameless bit-field takes room but does not raise the alignment.
        if (member.name !== "") align = Math.max(align, memberAlign);
      }
      if (member.name !== "") placed.push({ member, bit });
      end = bit + member.width;
    } else {
      const bit = alignUp(at, memberAlign * 8);
      align = Math.max(align, memberAlign);
      placed.push({ member, bit });
      end = bit + size * 8;
    }
    largest = Math.max(largest, end);
  }
  const size = alignUp(Math.ceil(largest / 8), align);
  const fields = placed.map(({ member, bit }) => fieldAt(member, bit, size));
  return { size, align, fields };
}

function fieldAt(member: Member, bit: number, structSize: number): Field {
  if (member.width === null) return { name: member.name, type: member.type, offset: bit / 8 };
  return { name: member.name, ...storageUnit(member.type as IntType, bit, member.width, structSize) };
}

/** The narrowest unit of a bit-field's signedness that holds its bits and lies inside the struct. */
function storageUnit(
  type: IntType | { readonly kind: "bool" },
  bit: number,
  width: number,
  structSize: number,
): { type: Type; offset: number; bitField: BitField } {
  if (type.kind === "bool") {
    return { type, offset: Math.floor(bit / 8), bitField: { shift: bit % 8, width } };
  }
  for (const bits of [8, 16, 32, 64, 128] as const) {
    const bytes = bits / 8;
    const first = Math.floor(bit / 8);
    const last = Math.floor((bit + width - 1) / 8);
    const aligned = Math.floor(first / bytes) * bytes;
    for (const offset of [aligned, first, last - bytes + 1]) {
      if (offset < 0 || offset > first || offset + bytes <= last || offset + bytes > structSize) continue;
      const unit: IntType = { kind: "int", bits, signed: type.signed, name: unitName(bits, type.signed) };
      return { type: unit, offset, bitField: { shift: bit - offset * 8, width } };
    }
  }
  // Packed into fewer bytes than any unit: recognised by its width, refused when accessed.
  return { type, offset: Math.floor(bit / 8), bitField: { shift: bit % 8, width } };
}

function unitName(bits: 8 | 16 | 32 | 64 | 128, signed: boolean): string {
  const names = { 8: "char", 16: "short", 32: "int", 64: "long long", 128: "__int128" } as const;
  if (signed) return bits === 8 ? "signed char" : names[bits];
  return `unsigned ${names[bits]}`;
}

/** The path from a struct to a member, through anonymous members; null if there is none. */
export function findField(type: StructType, name: string): readonly Field[] | null {
  for (const field of type.layout?.fields ?? []) {
    if (field.name === name) return [field];
    if (field.name === "" && field.type.kind === "struct") {
      const inner = findField(field.type, name);
      if (inner !== null) return [field, ...inner];
    }
  }
  return null;
}

/** As in gcc: the first of `unsigned int`, `int`, `unsigned long`, `long`, … that holds every enumerator. */
export function enumTypeOf(values: readonly bigint[], types: BasicTypes): IntType {
  let low = 0n;
  let high = 0n;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const choices =
    low < 0n
      ? [types.int, types.long, types.longLong]
      : [types.unsignedInt, types.unsignedLong, types.unsignedLongLong];
  return choices.find((type) => holds(type, low) && holds(type, high)) ?? nth(choices, 2);
}

/** Enumerators are `int` if they fit, else of the enumeration's type. */
export function enumeratorType(value: bigint, enumType: IntType, types: BasicTypes): IntType {
  return holds(types.int, value) ? types.int : enumType;
}

function holds(type: IntType, value: bigint): boolean {
  const [low, high] = rangeOfInt(type);
  return low <= value && value <= high;
}

/** C's type identity: unlike `sameType`, `long` and `long long` differ. A struct is compatible only with itself. */
export function compatible(
  a: Type,
  b: Type,
  sameStruct: (a: StructType, b: StructType) => boolean = () => false,
): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "int":
      return b.kind === "int" && a.name === b.name;
    case "float":
      return b.kind === "float" && a.bits === b.bits && a.approximated === b.approximated;
    case "bool":
    case "void":
      return a.kind === b.kind;
    case "pointer":
      return b.kind === "pointer" && compatible(a.to, b.to, sameStruct);
    case "array":
      return (
        b.kind === "array" &&
        (a.length === b.length || a.length === null || b.length === null) &&
        compatible(a.element, b.element, sameStruct)
      );
    case "struct":
      return b.kind === "struct" && sameStruct(a, b);
    case "function":
      if (b.kind !== "function" || !compatible(a.result, b.result, sameStruct)) return false;
      if (a.unprototyped || b.unprototyped) return true;
      return (
        a.variadic === b.variadic &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((parameter, i) => compatible(parameter, nth(b.parameters, i), sameStruct))
      );
  }
}

/** Like `compatible` across files: structs are compared by tag and members (C11 6.2.7), incomplete ones by tag. */
export function compatibleAcross(a: Type, b: Type): boolean {
  return compatible(a, b, structComparison());
}

/** Structs may contain pointers to themselves: a pair under comparison counts as equal. */
function structComparison(): (a: StructType, b: StructType) => boolean {
  const assumed = new Map<StructType, Set<StructType>>();
  const sameStruct = (a: StructType, b: StructType): boolean => {
    if (a.union !== b.union || tagOf(a) !== tagOf(b)) return false;
    if (a.layout === null || b.layout === null) return tagOf(a) !== null;
    if (assumed.get(a)?.has(b)) return true;
    assumed.set(a, (assumed.get(a) ?? new Set()).add(b));
    const [left, right] = [a.layout, b.layout];
    return (
      left.size === right.size &&
      left.align === right.align &&
      left.fields.length === right.fields.length &&
      left.fields.every((field, i) => sameField(field, nth(right.fields, i)))
    );
  };
  const sameField = (a: Field, b: Field): boolean =>
    a.name === b.name &&
    a.offset === b.offset &&
    a.bitField?.shift === b.bitField?.shift &&
    a.bitField?.width === b.bitField?.width &&
    compatible(a.type, b.type, sameStruct);
  return sameStruct;
}

/** null for a struct without a tag; its name contains its place. */
function tagOf({ name }: StructType): string | null {
  return name.includes("<") ? null : name;
}
