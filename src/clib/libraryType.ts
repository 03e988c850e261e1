import { Defect } from "../base/errors.ts";

/** The types that calls of library functions pass and give, whatever the program declares. */
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

const plain: Readonly<Record<string, LibraryType>> = {
  void: "void",
  int: "int",
  "unsigned int": "unsigned int",
  long: "long",
  "unsigned long": "unsigned long",
  "long long": "long long",
  "unsigned long long": "unsigned long long",
  uint16_t: "unsigned int",
  uint32_t: "unsigned int",
  intmax_t: "long long",
  uintmax_t: "unsigned long long",
  size_t: "size",
  ssize_t: "long",
  float: "float",
  double: "double",
  "long double": "long double",
  __builtin_va_list: "pointer",
};

/** The type that C text in a prototype stands for. */
export function libraryType(text: string): LibraryType {
  const type = text.replace(/\bconst /g, "");
  if (type === "char *") return "string";
  if (type.endsWith("*")) return "pointer";
  const known = plain[type];
  if (known === undefined) throw new Defect(`no library function can have the type ${text}`);
  return known;
}
