import type { DataModelName } from "../../ir/type.ts";
import { hasGnuInline, languageStandard } from "./options.ts";

/** Macros of an old gcc: programs test `__GNUC__` to learn whether attributes and statement expressions work. */
export function predefinedMacros(model: DataModelName, standard: string | null = null): string {
  const { version, strict } = languageStandard(standard);
  const wide = model === "LP64";
  const word = wide ? "long" : "int";
  const flags = [
    ..."__STDC__ __STDC_HOSTED__ __STDC_NO_THREADS__ __STDC_NO_ATOMICS__ __TRACEFOLD__".split(" "),
    ..."__linux__ __linux __gnu_linux__ __unix__ __unix __ELF__".split(" "),
    ...(wide ? "__LP64__ _LP64 __x86_64__ __x86_64 __amd64__" : "__ILP32__ _ILP32 __i386__ __i386").split(" "),
    hasGnuInline(standard) ? "__GNUC_GNU_INLINE__" : "__GNUC_STDC_INLINE__",
    ...(strict ? ["__STRICT_ANSI__"] : ["linux", "unix", ...(wide ? [] : ["i386"])]),
  ];
  const sizes = { SHORT: 2, INT: 4, LONG_LONG: 8, FLOAT: 4, DOUBLE: 8, WCHAR_T: 4 };
  const words = ["LONG", "POINTER", "SIZE_T", "PTRDIFF_T"];
  const values: readonly (readonly [string, string])[] = [
    ...flags.map((name) => [name, "1"] as const),
    ...(version === null ? [] : ([["__STDC_VERSION__", version]] as const)),
    ["__GNUC__", "4"],
    ["__GNUC_MINOR__", "2"],
    ["__GNUC_PATCHLEVEL__", "1"],
    ["__VERSION__", '"4.2.1 compatible Tracefold"'],
    ["__CHAR_BIT__", "8"],
    ...Object.entries(sizes).map(([type, size]) => [`__SIZEOF_${type}__`, `${size}`] as const),
    ...words.map((type) => [`__SIZEOF_${type}__`, wide ? "8" : "4"] as const),
    ...(wide ? ([["__SIZEOF_INT128__", "16"]] as const) : []),
    ["__SCHAR_MAX__", "127"],
    ["__SHRT_MAX__", "32767"],
    ["__INT_MAX__", "2147483647"],
    ["__LONG_MAX__", wide ? "9223372036854775807L" : "2147483647L"],
    ["__LONG_LONG_MAX__", "9223372036854775807LL"],
    ["__SIZE_MAX__", wide ? "18446744073709551615UL" : "4294967295U"],
    ...limitsOf(wide),
    ["__SIZE_TYPE__", `unsigned ${word}`],
    ["__PTRDIFF_TYPE__", word],
    ["__INTPTR_TYPE__", word],
    ["__UINTPTR_TYPE__", `unsigned ${word}`],
    ["__WCHAR_TYPE__", wide ? "int" : "long"],
    ["__WINT_TYPE__", "unsigned int"],
    ["__INT8_TYPE__", "signed char"],
    ["__INT16_TYPE__", "short"],
    ["__INT32_TYPE__", "int"],
    ["__INT64_TYPE__", wide ? "long" : "long long"],
    ["__UINT8_TYPE__", "unsigned char"],
    ["__UINT16_TYPE__", "unsigned short"],
    ["__UINT32_TYPE__", "unsigned int"],
    ["__UINT64_TYPE__", wide ? "unsigned long" : "unsigned long long"],
    ["__INTMAX_TYPE__", wide ? "long" : "long long"],
    ["__UINTMAX_TYPE__", wide ? "unsigned long" : "unsigned long long"],
    ["__ORDER_LITTLE_ENDIAN__", "1234"],
    ["__ORDER_BIG_ENDIAN__", "4321"],
    ["__BYTE_ORDER__", "1234"],
  ];
  return values.map(([name, value]) => `#define ${name} ${value}\n`).join("");
}

/** Limits of the types that the headers name. */
function limitsOf(wide: boolean): readonly (readonly [string, string])[] {
  const [long64, unsigned64] = wide ? ["L", "UL"] : ["LL", "ULL"];
  const [word, unsignedWord] = wide ? [`0x7fffffffffffffffL`, "0xffffffffffffffffUL"] : ["0x7fffffff", "0xffffffffU"];
  return [
    ["__INT8_MAX__", "0x7f"],
    ["__INT16_MAX__", "0x7fff"],
    ["__INT32_MAX__", "0x7fffffff"],
    ["__INT64_MAX__", `0x7fffffffffffffff${long64}`],
    ["__INTMAX_MAX__", `0x7fffffffffffffff${long64}`],
    ["__INTPTR_MAX__", word],
    ["__PTRDIFF_MAX__", word],
    ["__UINT8_MAX__", "0xff"],
    ["__UINT16_MAX__", "0xffff"],
    ["__UINT32_MAX__", "0xffffffffU"],
    ["__UINT64_MAX__", `0xffffffffffffffff${unsigned64}`],
    ["__UINTMAX_MAX__", `0xffffffffffffffff${unsigned64}`],
    ["__UINTPTR_MAX__", unsignedWord],
    ["__WCHAR_MAX__", wide ? "0x7fffffff" : "0x7fffffffL"],
    ["__WCHAR_MIN__", "(-__WCHAR_MAX__ - 1)"],
    ["__WINT_MAX__", "0xffffffffU"],
  ];
}
