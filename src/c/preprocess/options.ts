import { nth } from "../../base/checked.ts";
import type { SourceFile } from "../../base/sourceFile.ts";
import type { SourceRange } from "../../base/sourceRange.ts";
import type { DataModelName } from "../../ir/type.ts";
import type { FileOrigin, Tokens } from "./tokens.ts";

export type PreprocessOptions = {
  /** Header folders in order (`-I`). */
  readonly includePaths?: readonly string[];
  /** Folders searched first for headers in quotes (`-iquote`). */
  readonly quotePaths?: readonly string[];
  /** `NAME` or `NAME=VALUE` (`-D`). */
  readonly defines?: readonly string[];
  /** Predefined macros to remove (`-U`). */
  readonly undefines?: readonly string[];
  /** Headers read before the file (`-include`). */
  readonly headers?: readonly string[];
  /** `c99`, `gnu11`, …: see `languageStandard`. */
  readonly standard?: string | null;
  readonly dataModel: DataModelName;
  /** Which standard headers; `auto`: `builtin` unless a header is missing and gcc is installed. */
  readonly mode?: "auto" | "builtin" | "gcc";
  /** The text of a file; null if there is none. */
  readFile(path: string, origin: FileOrigin): string | null;
};

/** A remark about preprocessing that is not an error: a `#warning`, the use of gcc's headers. */
export type PreprocessNote = { readonly message: string; readonly range: SourceRange | undefined };

export type PreprocessedSource = {
  readonly tokens: Tokens;
  readonly files: readonly SourceFile[];
  readonly notes: readonly PreprocessNote[];
  /** The origin of the standard headers; `nobody` if the file came preprocessed. */
  readonly by: "builtin" | "gcc" | "nobody";
};

/** The effects of `-std` on a file. */
export type LanguageStandard = {
  /** The value of `__STDC_VERSION__`; null for standards without it. */
  readonly version: string | null;
  /** Without GNU's own names: `linux` may be a variable. */
  readonly strict: boolean;
};

const versions: Readonly<Record<string, string | null>> = {
  "89": null,
  "90": null,
  "99": "199901L",
  "9x": "199901L",
  "11": "201112L",
  "1x": "201112L",
  "17": "201710L",
  "18": "201710L",
  "23": "202000L",
  "2x": "202000L",
};

const isoNames: Readonly<Record<string, string | null>> = {
  "iso9899:1990": null,
  "iso9899:199409": "199409L",
  "iso9899:1999": "199901L",
  "iso9899:2011": "201112L",
  "iso9899:2017": "201710L",
  "iso9899:2018": "201710L",
};

/** `name` follows `-std=`; an unknown one means the default. */
export function languageStandard(name: string | null): LanguageStandard {
  const usual = { version: "201710L", strict: false };
  if (name === null) return usual;
  const iso = isoNames[name];
  if (iso !== undefined) return { version: iso, strict: true };
  const match = /^(c|gnu)(\w+)$/.exec(name);
  const version = match === null ? undefined : versions[nth(match, 2)];
  return version === undefined ? usual : { version, strict: match![1] === "c" };
}

/** Before C99 `inline` had GNU's meaning. */
export function hasGnuInline(name: string | null): boolean {
  const { version } = languageStandard(name);
  return version === null || version === "199409L";
}

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
