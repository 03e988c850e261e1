import type { Field, StructType, Type } from "../../ir/type.ts";
import { compatible } from "./compatible.ts";

/**
 * Are types of two files compatible? As `compatible`, but structs are compared by tag and members (C11 6.2.7): each file
 * has its own. One that a file only names fits every other of its tag.
 */
export function compatibleAcross(a: Type, b: Type): boolean {
  return compatible(a, b, structComparison());
}

/** Structs may contain pointers to themselves: a pair that is being compared counts as equal. */
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
      left.fields.every((field, i) => sameField(field, right.fields[i]!))
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

/** null for a struct without one, whose name says where it stands. */
function tagOf({ name }: StructType): string | null {
  return name.includes("<") ? null : name;
}
