import type { StructType, Type } from "../../ir/type.ts";

/**
 * C's type identity, qualifiers aside: unlike `sameType`, `long` and `long long` differ at equal width. In one file a
 * struct is compatible only with itself.
 */
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
        a.parameters.every((parameter, i) => compatible(parameter, b.parameters[i]!, sameStruct))
      );
  }
}
