/** The role of each reserved word. A word that is not listed is a name. */
const WORDS = {
  storage: "typedef extern static auto register",
  basic:
    "void char int float double short long unsigned signed __signed __signed__ _Bool __auto_type " +
    "_Complex __complex __complex__ __int128 __int128_t __uint128_t __float128 __int8 __int16 __int32 __int64 " +
    "_Float16 _Float32 _Float64 _Float128 _Float32x _Float64x _Decimal32 _Decimal64",
  // Microsoft's calling conventions and pointer sizes do not change the meaning of a program.
  qualifier:
    "const __const __const__ volatile __volatile __volatile__ restrict __restrict __restrict__ __extension__ " +
    "_Atomic __cdecl _cdecl __stdcall _stdcall __fastcall __w64 __ptr32 __ptr64 _Nonnull _Nullable",
  inline: "inline __inline __inline__ __forceinline",
  noreturn: "_Noreturn",
  threadLocal: "_Thread_local __thread",
  record: "struct union",
  enum: "enum",
  typeof: "typeof __typeof __typeof__",
  attribute: "__attribute__ __attribute",
  declspec: "__declspec",
  alignas: "_Alignas",
  staticAssert: "_Static_assert",
  asm: "asm __asm __asm__",
  sizeof: "sizeof",
  alignof: "_Alignof __alignof __alignof__",
  complexPart: "__real__ __imag__ __real __imag",
  generic: "_Generic",
  localLabel: "__label__",
  statement: "if else while do for switch case default return goto break continue",
} as const;

export type KeywordRole = keyof typeof WORDS;

const ROLES: ReadonlyMap<string, KeywordRole> = new Map(
  (Object.keys(WORDS) as KeywordRole[]).flatMap((role) => WORDS[role].split(" ").map((word) => [word, role] as const)),
);

export function keywordRole(word: string): KeywordRole | undefined {
  return ROLES.get(word);
}

/** The roles of words that may start a declaration. */
const SPECIFIERS: ReadonlySet<KeywordRole> = new Set([
  "storage",
  "basic",
  "qualifier",
  "inline",
  "noreturn",
  "threadLocal",
  "record",
  "enum",
  "typeof",
  "attribute",
  "declspec",
  "alignas",
]);

export function startsSpecifiers(role: KeywordRole): boolean {
  return SPECIFIERS.has(role);
}

/** Other spellings of basic types. */
const SPELLINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["__signed", ["signed"]],
  ["__signed__", ["signed"]],
  ["__complex", ["_Complex"]],
  ["__complex__", ["_Complex"]],
  ["__int128_t", ["__int128"]],
  ["__uint128_t", ["__int128", "unsigned"]],
  ["__float128", ["_Float128"]],
  ["__int8", ["char"]],
  ["__int16", ["short"]],
  ["__int32", ["int"]],
  ["__int64", ["long", "long"]],
]);

/** The standard words for a word whose role is `basic`. */
export function basicWords(word: string): readonly string[] {
  return SPELLINGS.get(word) ?? [word];
}
