import { declarations } from "../../library/table.ts";

/** Headers about types and their limits. The predefined macros carry the data model. */
export const LANGUAGE_HEADERS: Readonly<Record<string, string>> = {
  "tracefold/size_t.h": "#pragma once\ntypedef __SIZE_TYPE__ size_t;\n",
  "tracefold/ssize_t.h": "#pragma once\ntypedef __PTRDIFF_TYPE__ ssize_t;\n",
  "tracefold/wchar_t.h": "#pragma once\ntypedef __WCHAR_TYPE__ wchar_t;\n",
  "tracefold/null.h": "#ifndef NULL\n#define NULL ((void *)0)\n#endif\n",

  "stddef.h": `#pragma once
#include <tracefold/size_t.h>
#include <tracefold/wchar_t.h>
#include <tracefold/null.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef struct { long long __max_align_ll __attribute__((aligned(8))); long double __max_align_ld; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
`,

  "stdbool.h": `#pragma once
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
`,

  "stdarg.h": `#pragma once
typedef __builtin_va_list va_list;
typedef __builtin_va_list __gnuc_va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_arg(list, type) __builtin_va_arg(list, type)
`,

  "stdalign.h": `#pragma once
#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1
`,

  "stdnoreturn.h": "#pragma once\n#define noreturn _Noreturn\n",

  "iso646.h": `#pragma once
#define and &&
#define and_eq &=
#define bitand &
#define bitor |
#define compl ~
#define not !
#define not_eq !=
#define or ||
#define or_eq |=
#define xor ^
#define xor_eq ^=
`,

  "limits.h": `#pragma once
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define MB_LEN_MAX 16
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX __INT_MAX__
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MIN (-LONG_MAX - 1L)
#define LONG_MAX __LONG_MAX__
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define LLONG_MAX __LONG_LONG_MAX__
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#define LONG_LONG_MIN LLONG_MIN
#define LONG_LONG_MAX LLONG_MAX
#define ULONG_LONG_MAX ULLONG_MAX
#define SSIZE_MAX __LONG_MAX__
#define PATH_MAX 4096
#define NAME_MAX 255
#define IOV_MAX 1024
`,

  "float.h": `#pragma once
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN_EXP (-125)
#define FLT_MIN_10_EXP (-37)
#define FLT_MAX_EXP 128
#define FLT_MAX_10_EXP 38
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F
#define FLT_TRUE_MIN 1.40129846432481707092372958328991613e-45F
#define FLT_DECIMAL_DIG 9
#define FLT_EVAL_METHOD 0
#define FLT_ROUNDS 1
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN_EXP (-1021)
#define DBL_MIN_10_EXP (-307)
#define DBL_MAX_EXP 1024
#define DBL_MAX_10_EXP 308
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_EPSILON 2.22044604925031308084726333618164062e-16
#define DBL_TRUE_MIN 4.94065645841246544176568792868221372e-324
#define DBL_DECIMAL_DIG 17
#define DECIMAL_DIG 21
#define LDBL_MANT_DIG 64
#define LDBL_DIG 18
#define LDBL_MIN_EXP (-16381)
#define LDBL_MAX_EXP 16384
#define LDBL_MAX_10_EXP 4932
#define LDBL_MAX 1.18973149535723176502126385303097021e+4932L
#define LDBL_MIN 3.36210314311209350626267781732175260e-4932L
#define LDBL_EPSILON 1.08420217248550443400745280086994171e-19L
`,

  "stdint.h": stdint(),
  "inttypes.h": inttypes(),
};

/** Types of an exact width, of at least it, and the fastest of at least it, with their limits. */
function stdint(): string {
  const widths = [
    ["8", "signed char", "unsigned char"],
    ["16", "short", "unsigned short"],
    ["32", "int", "unsigned int"],
    ["64", "__INT64_TYPE__", "__UINT64_TYPE__"],
  ] as const;
  const ofWidths = widths.flatMap(([width, signed, unsigned]) => {
    const isWord = width === "16" || width === "32";
    const exact = { name: "", limit: "", types: [signed, unsigned], same: null };
    const own = [`INT${width}_MIN`, `INT${width}_MAX`, `UINT${width}_MAX`];
    const least = { ...exact, name: "_least", limit: "_LEAST", same: own };
    const fastest = isWord
      ? { types: ["__PTRDIFF_TYPE__", "__SIZE_TYPE__"], same: ["PTRDIFF_MIN", "PTRDIFF_MAX", "SIZE_MAX"] }
      : { types: exact.types, same: own };
    return [exact, least, { name: "_fast", limit: "_FAST", ...fastest }].flatMap(({ name, limit, types, same }) => [
      `typedef ${types[0]} int${name}${width}_t;`,
      `typedef ${types[1]} uint${name}${width}_t;`,
      ...["INT?_MIN", "INT?_MAX", "UINT?_MAX"].flatMap((pattern, i) =>
        same === null ? [] : [`#define ${pattern.replace("?", `${limit}${width}`)} ${same[i]}`],
      ),
    ]);
  });
  return `#pragma once
#include <tracefold/glibc.h>
${ofWidths.join("\n")}
#ifdef __LP64__
typedef long intptr_t;
typedef unsigned long uintptr_t;
#define INTPTR_MAX 9223372036854775807L
#define UINTPTR_MAX 18446744073709551615UL
#define __TF_64(c) c ## L
#define __TF_U64(c) c ## UL
#else
typedef int intptr_t;
typedef unsigned int uintptr_t;
#define INTPTR_MAX 2147483647
#define UINTPTR_MAX 4294967295U
#define __TF_64(c) c ## LL
#define __TF_U64(c) c ## ULL
#endif
#define PTRDIFF_MAX INTPTR_MAX
#define SIZE_MAX UINTPTR_MAX
typedef __INT64_TYPE__ intmax_t;
typedef __UINT64_TYPE__ uintmax_t;
#define INTPTR_MIN (-INTPTR_MAX - 1)
#define PTRDIFF_MIN (-PTRDIFF_MAX - 1)
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32768)
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647 - 1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MAX __TF_64(9223372036854775807)
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX __TF_U64(18446744073709551615)
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define WCHAR_MIN (-2147483647 - 1)
#define WCHAR_MAX 2147483647
#define WINT_MIN 0U
#define WINT_MAX 4294967295U
#define SIG_ATOMIC_MIN (-2147483647 - 1)
#define SIG_ATOMIC_MAX 2147483647
#define INT8_C(c) c
#define INT16_C(c) c
#define INT32_C(c) c
#define INT64_C(c) __TF_64(c)
#define UINT8_C(c) c
#define UINT16_C(c) c
#define UINT32_C(c) c ## U
#define UINT64_C(c) __TF_U64(c)
#define INTMAX_C(c) __TF_64(c)
#define UINTMAX_C(c) __TF_U64(c)
`;
}

/** Generates the format macros: for each letter and width a `PRI` and, if C has it, a `SCN`. */
function inttypes(): string {
  const lines = [
    "#pragma once",
    "#include <stdint.h>",
    "#include <tracefold/wchar_t.h>",
    "#ifdef __LP64__",
    '#define __TF_P64 "l"',
    '#define __TF_PPTR "l"',
    "#else",
    '#define __TF_P64 "ll"',
    "#define __TF_PPTR",
    "#endif",
    "typedef struct { intmax_t quot; intmax_t rem; } imaxdiv_t;",
    declarations("inttypes.h").trimEnd(),
  ];
  const widths: readonly (readonly [string, string, string])[] = [
    ["8", "", '"hh"'],
    ["16", "", '"h"'],
    ["32", "", ""],
    ["64", "__TF_P64", "__TF_P64"],
    ["LEAST8", "", '"hh"'],
    ["LEAST16", "", '"h"'],
    ["LEAST32", "", ""],
    ["LEAST64", "__TF_P64", "__TF_P64"],
    ["FAST8", "", '"hh"'],
    ["FAST16", "__TF_PPTR", "__TF_PPTR"],
    ["FAST32", "__TF_PPTR", "__TF_PPTR"],
    ["FAST64", "__TF_P64", "__TF_P64"],
    ["MAX", "__TF_P64", "__TF_P64"],
    ["PTR", "__TF_PPTR", "__TF_PPTR"],
  ];
  for (const letter of ["d", "i", "o", "u", "x", "X"]) {
    for (const [width, print, scan] of widths) {
      lines.push(`#define PRI${letter}${width} ${print} "${letter}"`);
      if (letter !== "X") lines.push(`#define SCN${letter}${width} ${scan} "${letter}"`);
    }
  }
  return `${lines.join("\n")}\n`;
}
