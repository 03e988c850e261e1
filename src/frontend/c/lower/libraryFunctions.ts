import type { Type } from "../../../ir/type.ts";
import type { BasicTypes } from "../types/basicTypes.ts";
import { pointerTo, voidType } from "../types/cType.ts";

/**
 * The library functions that become `callLibrary` operations where the program has no definition of its own. Calls are
 * lowered to these signatures whatever the program declares; variadic arguments have their promoted types.
 *
 * Streams are pointers: `stdin`, `stdout` and `stderr` hold the addresses of static one-byte objects named `$stdin`,
 * `$stdout` and `$stderr`. The `v…printf` functions take the address of a block of variadic arguments (see
 * `variadic.ts`). `$zero(address, size)` sets bytes to zero; lowering makes it for large initialisers.
 */
export type LibraryFunction = {
  readonly name: string;
  readonly result: LibraryType;
  readonly parameters: readonly LibraryType[];
  readonly variadic: boolean;
  /** May it change memory that the program can read? */
  readonly writes: boolean;
};

export type LibraryType =
  | "void"
  | "pointer"
  | "string"
  | "int"
  | "unsigned int"
  | "long"
  | "unsigned long"
  | "long long"
  | "unsigned long long"
  | "size"
  | "float"
  | "double"
  | "long double";

export function libraryType(name: LibraryType, types: BasicTypes): Type {
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
  }
}

const table: LibraryFunction[] = [];

function add(writes: boolean, result: LibraryType, names: string, ...parameters: (LibraryType | "...")[]): void {
  const fixed = parameters.filter((parameter): parameter is LibraryType => parameter !== "...");
  const variadic = parameters.length > fixed.length;
  for (const name of names.split(" ")) table.push({ name, result, parameters: fixed, variadic, writes });
}

add(true, "void", "$zero", "pointer", "size");

add(false, "pointer", "malloc alloca", "size");
add(false, "pointer", "calloc", "size", "size");
add(true, "pointer", "realloc", "pointer", "size");
add(true, "void", "free", "pointer");

add(false, "int", "printf", "string", "...");
add(false, "int", "fprintf", "pointer", "string", "...");
add(true, "int", "sprintf", "string", "string", "...");
add(true, "int", "snprintf", "string", "size", "string", "...");
add(false, "int", "vprintf", "string", "pointer");
add(false, "int", "vfprintf", "pointer", "string", "pointer");
add(true, "int", "vsprintf", "string", "string", "pointer");
add(true, "int", "vsnprintf", "string", "size", "string", "pointer");
add(false, "int", "puts", "string");
add(false, "int", "putchar", "int");
add(false, "int", "fputs", "string", "pointer");
add(false, "int", "fputc putc", "int", "pointer");
add(false, "size", "fwrite", "pointer", "size", "size", "pointer");
add(false, "int", "fflush", "pointer");
add(false, "void", "perror", "string");
add(true, "int", "scanf", "string", "...");
add(true, "int", "fscanf", "pointer", "string", "...");
add(true, "int", "sscanf", "string", "string", "...");
add(false, "int", "getchar");
add(false, "int", "fgetc getc feof ferror", "pointer");
add(false, "int", "ungetc", "int", "pointer");
add(true, "string", "fgets", "string", "int", "pointer");
add(true, "string", "gets", "string");

add(true, "pointer", "memcpy memmove", "pointer", "pointer", "size");
add(true, "pointer", "memset", "pointer", "int", "size");
add(false, "int", "memcmp", "pointer", "pointer", "size");
add(false, "pointer", "memchr", "pointer", "int", "size");
add(false, "size", "strlen", "string");
add(false, "size", "strnlen", "string", "size");
add(false, "int", "strcmp strcasecmp", "string", "string");
add(false, "int", "strncmp strncasecmp", "string", "string", "size");
add(true, "string", "strcpy strcat stpcpy", "string", "string");
add(true, "string", "strncpy strncat", "string", "string", "size");
add(false, "string", "strchr strrchr", "string", "int");
add(false, "string", "strstr strpbrk", "string", "string");
add(false, "string", "strdup", "string");
add(false, "string", "strndup", "string", "size");
add(false, "size", "strspn strcspn", "string", "string");
add(true, "string", "strtok", "string", "string");

add(false, "int", "atoi", "string");
add(false, "long", "atol", "string");
add(false, "long long", "atoll", "string");
add(false, "double", "atof", "string");
add(true, "long", "strtol", "string", "pointer", "int");
add(true, "unsigned long", "strtoul", "string", "pointer", "int");
add(true, "long long", "strtoll", "string", "pointer", "int");
add(true, "unsigned long long", "strtoull", "string", "pointer", "int");
add(true, "double", "strtod", "string", "pointer");

add(false, "int", "abs", "int");
add(false, "long", "labs", "long");
add(false, "long long", "llabs", "long long");
add(false, "int", "rand");
add(false, "void", "srand", "unsigned int");

add(
  false,
  "int",
  "isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toupper tolower",
  "int",
);
add(false, "int", "isascii toascii", "int");

const unaryMath =
  "sqrt fabs floor ceil round trunc rint nearbyint sin cos tan asin acos atan sinh cosh tanh exp exp2 log log2 log10 cbrt";
const binaryMath = "pow fmod atan2 hypot fmin fmax fdim copysign remainder";
for (const [suffix, type] of [
  ["", "double"],
  ["f", "float"],
  ["l", "long double"],
] as const) {
  const suffixed = (names: string) => names.replaceAll(/\w+/g, (name) => name + suffix);
  add(false, type, suffixed(unaryMath), type);
  add(false, type, suffixed(binaryMath), type, type);
}
add(false, "long", "lround lrint", "double");
add(false, "long long", "llround llrint", "double");
add(false, "double", "ldexp", "double", "int");
add(true, "double", "frexp", "double", "pointer");
add(true, "double", "modf", "double", "pointer");

export const libraryFunctions: ReadonlyMap<string, LibraryFunction> = new Map(
  table.map((entry) => [entry.name, entry]),
);

/** A call under another name: which arguments of the call the library function takes. */
export type LibraryAlias = { readonly name: string; readonly keep: (index: number) => boolean };

const otherNames: Readonly<Record<string, string>> = {
  index: "strchr",
  rindex: "strrchr",
  putchar_unlocked: "putchar",
  getchar_unlocked: "getchar",
  putc_unlocked: "putc",
  getc_unlocked: "getc",
  _IO_getc: "getc",
  _IO_putc: "putc",
  __isoc99_scanf: "scanf",
  __isoc99_fscanf: "fscanf",
  __isoc99_sscanf: "sscanf",
  __strdup: "strdup",
  cfree: "free",
};

/** `__builtin_memcpy`, `__builtin___memcpy_chk`, `__printf_chk` and the like mean the plain function. */
export function libraryAlias(name: string): LibraryAlias | null {
  const all = () => true;
  const known = (candidate: string) => libraryFunctions.has(candidate);
  if (known(name)) return name.startsWith("$") ? null : { name, keep: all };
  const other = otherNames[name];
  if (other !== undefined) return { name: other, keep: all };
  const plain = name.startsWith("__builtin_") ? name.slice("__builtin_".length) : name;
  if (plain !== name && known(plain)) return { name: plain, keep: all };
  const checked = /^__(\w+)_chk$/.exec(plain);
  if (checked !== null && known(checked[1]!)) {
    const function_ = libraryFunctions.get(checked[1]!)!;
    return { name: function_.name, keep: keptByCheckedVariant(function_) };
  }
  return null;
}

/**
 * The `_chk` variants carry a flag (before the format), the size of the destination, or both. For the printf family
 * `fprintf(f, FLAG, fmt…)`, `sprintf(s, FLAG, SIZE, fmt…)`, `snprintf(s, n, FLAG, SIZE, fmt…)`; else a size at the end.
 */
function keptByCheckedVariant(function_: LibraryFunction): (index: number) => boolean {
  const dropped: Readonly<Record<string, readonly number[]>> = {
    printf: [0],
    vprintf: [0],
    fprintf: [1],
    vfprintf: [1],
    sprintf: [1, 2],
    vsprintf: [1, 2],
    snprintf: [2, 3],
    vsnprintf: [2, 3],
  };
  const positions = dropped[function_.name] ?? [function_.parameters.length];
  return (index) => !positions.includes(index);
}
