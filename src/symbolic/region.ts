import { assertNever } from "../base/assertNever.ts";
import type { BitField, ScalarType, Type } from "../ir/type.ts";
import { completeSize, isScalar, sizeOf } from "../ir/typeFacts.ts";

/**
 * A part of a memory object that the logic sees as one unknown: a single scalar (`count` 1), or equally typed scalars
 * at a fixed distance, which become one array indexed by their number. `count` is null where the object's size is not
 * known (heap blocks, variable-length arrays).
 */
export type Region = {
  readonly offset: number;
  readonly stride: number;
  readonly count: number | null;
  readonly type: ScalarType;
  readonly bitField?: BitField;
  /** Access path from the object's name, with `[]` where an index goes: `.x`, `[]`, `[].next`. */
  readonly path: string;
};

/**
 * Splits an object of the given type into regions, or returns null where its bytes have no one reading: unions, and
 * arrays inside structs inside arrays (two indices that no single stride describes).
 */
export function regionsOf(type: Type, pointerBytes: 4 | 8): readonly Region[] | null {
  const regions: Region[] = [];
  return collect(type, 0, "", null, pointerBytes, regions) ? regions : null;
}

type Repetition = { readonly stride: number; readonly count: number | null };

function collect(
  type: Type,
  offset: number,
  path: string,
  repetition: Repetition | null,
  pointerBytes: 4 | 8,
  regions: Region[],
): boolean {
  if (isScalar(type)) {
    regions.push({
      offset,
      type,
      path,
      stride: repetition?.stride ?? 0,
      count: repetition === null ? 1 : repetition.count,
    });
    return true;
  }
  switch (type.kind) {
    case "array": {
      if (repetition !== null) return false;
      // Several dimensions of scalars are one row of scalars.
      let element: Type = type;
      let count: number | null = 1;
      while (element.kind === "array") {
        count = count === null || element.length === null ? null : count * element.length;
        element = element.element;
      }
      const stride = sizeOf(element, pointerBytes);
      if (stride === null || stride === 0) return false;
      return collect(element, offset, `${path}[]`, { stride, count }, pointerBytes, regions);
    }
    case "struct":
      if (type.layout === null || type.union) return false;
      return type.layout.fields.every((field) => {
        const place = offset + field.offset;
        const name = `${path}.${field.name}`;
        if (field.bitField === undefined) return collect(field.type, place, name, repetition, pointerBytes, regions);
        if (repetition !== null || !isScalar(field.type)) return false;
        regions.push({ offset: place, stride: 0, count: 1, type: field.type, bitField: field.bitField, path: name });
        return true;
      });
    case "void":
    case "function":
      return false;
    default:
      return assertNever(type, "type");
  }
}

/** The regions of a heap block that is used as an array of `element`. */
export function regionsOfBlock(element: Type, pointerBytes: 4 | 8): readonly Region[] | null {
  return regionsOf({ kind: "array", element, length: null }, pointerBytes);
}

export function regionSize(region: Region, pointerBytes: 4 | 8): number {
  return completeSize(region.type, pointerBytes);
}
