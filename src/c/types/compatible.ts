import { nth } from "../../base/checked.ts";
import type { Field, StructType, Type } from "../../ir/type.ts";

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
