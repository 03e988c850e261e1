import { assertNever } from "../../../base/errors.ts";
import type { LibraryType } from "../../../c/library/entry.ts";
import type { Type } from "../../../ir/type.ts";
import type { BasicTypes } from "../types/basicTypes.ts";
import { pointerTo, voidType } from "../types/cType.ts";

/** A type of the library in the program's data model. */
export function typeOfLibrary(name: LibraryType, types: BasicTypes): Type {
  switch (name) {
    case "void":
      return voidType;
    case "pointer":
      return pointerTo(voidType);
    case "string":
      return pointerTo(types.char);
    case "int":
      return types.int;
    case "unsigned int":
      return types.unsignedInt;
    case "long":
      return types.long;
    case "unsigned long":
      return types.unsignedLong;
    case "long long":
      return types.longLong;
    case "unsigned long long":
      return types.unsignedLongLong;
    case "size":
      return types.size;
    case "float":
      return types.float;
    case "double":
      return types.double;
    case "long double":
      return types.longDouble;
    default:
      return assertNever(name, "library type");
  }
}
