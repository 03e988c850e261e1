/** What a reserved word does. A word that is not listed is a name. */
export type KeywordRole =
  | { readonly kind: "storage"; readonly word: "typedef" | "extern" | "static" | "auto" | "register" }
  | { readonly kind: "basic"; readonly words: readonly string[] }
  | { readonly kind: "qualifier" }
  | { readonly kind: "inline" }
  | { readonly kind: "noreturn" }
  | { readonly kind: "unsupportedSpecifier" }
  | { readonly kind: "record" }
  | { readonly kind: "enum" }
  | { readonly kind: "typeof" }
  | { readonly kind: "attribute" }
  | { readonly kind: "declspec" }
  | { readonly kind: "alignas" }
  | { readonly kind: "staticAssert" }
  | { readonly kind: "asm" }
  | { readonly kind: "sizeof" }
  | { readonly kind: "alignof" }
  | { readonly kind: "complexPart" }
  | { readonly kind: "generic" }
  | { readonly kind: "localLabel" }
  | { readonly kind: "statement" };

const ROLES = new Map<string, KeywordRole>();

function define(role: KeywordRole, words: string): void {
  for (const word of words.split(" ")) ROLES.set(word, role);
}

function defineBasic(spellings: string, ...words: string[]): void {
  define({ kind: "basic", words }, spellings);
}

for (const word of ["typedef", "extern", "static", "auto", "register"] as const)
  define({ kind: "storage", word }, word);
for (const word of ["void", "char", "int", "float", "double", "short", "long", "unsigned"]) defineBasic(word, word);
for (const word of [
  "_Float16",
  "_Float32",
  "_Float64",
  "_Float128",
  "_Float32x",
  "_Float64x",
  "_Decimal32",
  "_Decimal64",
])
  defineBasic(word, word);
defineBasic("signed __signed __signed__", "signed");
defineBasic("_Bool", "_Bool");
defineBasic("__auto_type", "__auto_type");
defineBasic("_Complex __complex __complex__", "_Complex");
defineBasic("__int128 __int128_t", "__int128");
defineBasic("__uint128_t", "__int128", "unsigned");
defineBasic("__float128", "_Float128");
defineBasic("__int8", "char");
defineBasic("__int16", "short");
defineBasic("__int32", "int");
defineBasic("__int64", "long", "long");
// Microsoft's calling conventions and pointer sizes say nothing about the meaning of a program.
define(
  { kind: "qualifier" },
  "const __const __const__ volatile __volatile __volatile__ restrict __restrict __restrict__ __extension__ " +
    "_Atomic __cdecl _cdecl __stdcall _stdcall __fastcall __w64 __ptr32 __ptr64 _Nonnull _Nullable",
);
define({ kind: "inline" }, "inline __inline __inline__ __forceinline");
define({ kind: "noreturn" }, "_Noreturn");
define({ kind: "unsupportedSpecifier" }, "_Thread_local __thread");
define({ kind: "record" }, "struct union");
define({ kind: "enum" }, "enum");
define({ kind: "typeof" }, "typeof __typeof __typeof__");
define({ kind: "attribute" }, "__attribute__ __attribute");
define({ kind: "declspec" }, "__declspec");
define({ kind: "alignas" }, "_Alignas");
define({ kind: "staticAssert" }, "_Static_assert");
define({ kind: "asm" }, "asm __asm __asm__");
define({ kind: "sizeof" }, "sizeof");
define({ kind: "alignof" }, "_Alignof __alignof __alignof__");
define({ kind: "complexPart" }, "__real__ __imag__ __real __imag");
define({ kind: "generic" }, "_Generic");
define({ kind: "localLabel" }, "__label__");
define({ kind: "statement" }, "if else while do for switch case default return goto break continue");

export function keywordRole(word: string): KeywordRole | undefined {
  return ROLES.get(word);
}

/** May a declaration start with this reserved word? */
export function startsSpecifiers(role: KeywordRole): boolean {
  switch (role.kind) {
    case "storage":
    case "basic":
    case "qualifier":
    case "inline":
    case "noreturn":
    case "unsupportedSpecifier":
    case "record":
    case "enum":
    case "typeof":
    case "attribute":
    case "declspec":
    case "alignas":
      return true;
    default:
      return false;
  }
}
