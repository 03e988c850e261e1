import type { DataModelName } from "../../ir/type.ts";
import { hasGnuInline, languageStandard } from "./options.ts";

/** Macros of an old gcc: programs test `__GNUC__` to learn whether attributes and statement expressions work. */
export function predefinedMacros(model: DataModelName, standard: string | null = null): string {
  const { version, strict } = languageStandard(standard);
  const wide = model === "LP64";
  const word = wide ? "long" : "int";
  const values: readonly (readonly [string, string])[] = [
    ["__STDC__", "1"],
    ...(version === null ? [] : ([["__STDC_VERSION__", version]] as const)),
    ...(strict ? ([["__STRICT_ANSI__", "1"]] as const) : []),
    [hasGnuInline(standard) ? "__GNUC_GNU_INLINE__" : "__GNUC_STDC_INLINE__", "1"],
    ["__STDC_HOSTED__", "1"],
    ["__STDC_NO_THREADS__", "1"],
    ["__STDC_NO_ATOMICS__", "1"],
    ["__TRACEFOLD__", "1"],
    ["__GNUC__", "4"],
    ["__GNUC_MINOR__", "2"],
    ["__GNUC_PATCHLEVEL__", "1"],
    ["__VERSION__", '"4.2.1 compatible Tracefold"'],
    ["__linux__", "1"],
    ["__linux", "1"],
    ...(strict ? [] : ([["linux", "1"], ["unix", "1"], ...(wide ? [] : ([["i386", "1"]] as const))] as const)),
    ["__gnu_linux__", "1"],
    ["__unix__", "1"],
    ["__unix", "1"],
    ["__ELF__", "1"],
    ...(wide
      ? ([
          ["__LP64__", "1"],
          ["_LP64", "1"],
          ["__x86_64__", "1"],
          ["__x86_64", "1"],
          ["__amd64__", "1"],
        ] as const)
      : ([
          ["__ILP32__", "1"],
          ["_ILP32", "1"],
          ["__i386__", "1"],
          ["__i386", "1"],
        ] as const)),
    ["__CHAR_BIT__", "8"],
    ["__SIZEOF_SHORT__", "2"],
    ["__SIZEOF_INT__", "4"],
    ["__SIZEOF_LONG__", wide ? "8" : "4"],
    ["__SIZEOF_LONG_LONG__", "8"],
    ["__SIZEOF_FLOAT__", "4"],
    ["__SIZEOF_DOUBLE__", "8"],
    ["__SIZEOF_POINTER__", wide ? "8" : "4"],
    ["__SIZEOF_SIZE_T__", wide ? "8" : "4"],
    ["__SIZEOF_PTRDIFF_T__", wide ? "8" : "4"],
    ["__SIZEOF_WCHAR_T__", "4"],
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
