import { findFunction, type LibraryFunction, libraryFunction } from "./table.ts";

/** A call under another name: which arguments of the call the library function takes. */
export type LibraryAlias = { readonly function: LibraryFunction; readonly keep: (index: number) => boolean };

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

/** Other names that a header declares. */
export function declaredAliases(header: string): readonly { readonly name: string; readonly of: LibraryFunction }[] {
  if (header !== "strings.h") return [];
  return ["index", "rindex"].map((name) => ({ name, of: libraryFunction(otherNames[name]!) }));
}

const builtinPrefix = "__builtin_";

/**
 * The operation that a call by this name is; null if it is none. `__builtin_memcpy`, `__builtin___memcpy_chk`,
 * `__printf_chk` and the like mean the plain function.
 */
export function libraryAlias(name: string): LibraryAlias | null {
  const plain = name.startsWith(builtinPrefix) ? name.slice(builtinPrefix.length) : name;
  const found = findFunction(Object.hasOwn(otherNames, name) ? otherNames[name]! : plain);
  // What lowering alone makes has no header, and no name that C knows.
  if (found !== null && found.header !== null) return { function: found, keep: () => true };
  const checked = /^__(\w+)_chk$/.exec(plain);
  const checkedFunction = checked === null ? null : findFunction(checked[1]!);
  return checkedFunction && { function: checkedFunction, keep: keptByCheckedVariant(checkedFunction) };
}

/**
 * The `_chk` variants carry a flag (before the format), the size of the destination, or both. For the printf family
 * `fprintf(f, FLAG, fmt…)`, `sprintf(s, FLAG, SIZE, fmt…)`, `snprintf(s, n, FLAG, SIZE, fmt…)`; else a size at the end.
 */
function keptByCheckedVariant({ name, parameters }: LibraryFunction): (index: number) => boolean {
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
  const positions = dropped[name] ?? [parameters.length];
  return (index) => !positions.includes(index);
}
