import { nth } from "../../base/checked.ts";
import { Defect } from "../../base/errors.ts";
import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { FloatType, IntType, PointerType } from "../../ir/type.ts";
import type { Term } from "../../logic/term.ts";
import type { ErrnoName } from "./errno.ts";
import type { Host, SymbolicCall } from "./host.ts";
import type { MemoryUse } from "./memoryUse.ts";

/** One function of the C library. */
export type Entry = OperationEntry | SourceEntry | EndingEntry | InputEntry | LoweredEntry | UnsupportedEntry;

type Declared = {
  /** The C declaration. The parameters of an operation have names; the other fields refer to them. */
  readonly prototype: string;
  /** The header that declares it; null if none does. */
  readonly header: string | null;
};

/** A call is one operation of the program model. */
export type OperationEntry = Declared & {
  readonly kind: "operation";
  readonly memory: readonly MemoryUse[];
  /** The values it sets `errno` to, and when. */
  readonly errno: Partial<Readonly<Record<ErrnoName, string>>>;
  /**
   * `environment`: results come from outside the program (input, random numbers). `determined`: from arguments and
   * memory.
   */
  readonly source: "environment" | "determined";
  /** The parameter that it returns, if any. */
  readonly returns: string | null;
  readonly allocates: Allocation | null;
  /** Executes a call. Arguments are canonical values of the passed types; the result has the function's own type. */
  readonly run: (host: Host, ...args: never[]) => ScalarValue | undefined;
  /** The symbolic effect of its writes, if `memory` does not describe them; returns false if unknown. */
  readonly effect: ((call: SymbolicCall, ...args: never[]) => boolean) | null;
  /** The symbolic result; null if unknown. */
  readonly value: ((call: SymbolicCall, ...args: never[]) => Term | null) | null;
};

/** The block that a call allocates; null if there is no room. */
export type Allocation = {
  /** The product of these parameters in bytes, or the size of a copy of a string of at most `atMost` characters. */
  readonly size:
    | { readonly kind: "bytes"; readonly factors: readonly string[] }
    | { readonly kind: "copyOf"; readonly string: string; readonly atMost: string | null };
  readonly life: "heap" | "stack";
  readonly zeroed: boolean;
  /** The parameter that points to the block whose bytes it takes over. */
  readonly replaces: string | null;
};

/** Calls back into the program; therefore implemented in C. */
export type SourceEntry = Declared & { readonly kind: "source" };

export type EndingEntry = Declared & { readonly kind: "ending"; readonly reason: "abort" | "exit" };

export type InputEntry = Declared & { readonly kind: "input" };

/** The front end gives a call its meaning. */
export type LoweredEntry = Declared & { readonly kind: "lowered"; readonly meaning: string };

/** Declared so that programs can be parsed; a reachable call is refused. */
export type UnsupportedEntry = Declared & { readonly kind: "unsupported"; readonly reason: string | null };

type Defaulted = "memory" | "errno" | "source" | "returns" | "allocates" | "effect" | "value" | "kind" | "header";

/** Makes operations of a header; fills in defaults for omitted fields. */
export function operations(header: string | null): (entry: OperationFields) => OperationEntry {
  return (entry) => ({
    kind: "operation",
    header,
    memory: [],
    errno: {},
    source: "determined",
    returns: null,
    allocates: null,
    effect: null,
    value: null,
    ...entry,
  });
}

export type OperationFields = Omit<OperationEntry, Defaulted> & Partial<Pick<OperationEntry, Defaulted>>;

/** A parsed C declaration: `char *strchr(const char *string, int character)`. */
export type Prototype = {
  readonly name: string;
  /** Types as written. */
  readonly result: string;
  readonly parameters: readonly PrototypeParameter[];
  readonly variadic: boolean;
};

export type PrototypeParameter = { readonly name: string; readonly type: string };

/** Every parameter has a name; none is a function or an array. */
export function parsePrototype(text: string): Prototype {
  const match = /^(.*?[ *])([\w$]+)\((.*)\)$/.exec(text);
  if (match === null) throw new Defect(`not a prototype: ${text}`);
  const [, result, name, list] = match as unknown as [string, string, string, string];
  const parts = list === "void" ? [] : list.split(",").map((part) => part.trim());
  const named = parts.filter((part) => part !== "...");
  return {
    name,
    result: result.trim(),
    parameters: named.map(parseParameter),
    variadic: named.length < parts.length,
  };
}

function parseParameter(text: string): PrototypeParameter {
  const match = /^(.*[ *])(\w+)$/.exec(text);
  if (match === null) throw new Defect(`a parameter without a name: ${text}`);
  return { type: nth(match, 1).trim(), name: nth(match, 2) };
}

/** As a header declares it, without parameter names, which may be macros of the program. */
export function printPrototype({ name, result, parameters, variadic }: Prototype): string {
  const types = [...parameters.map(({ type }) => type), ...(variadic ? ["..."] : [])];
  const space = result.endsWith("*") ? "" : " ";
  return `${result}${space}${name}(${types.length === 0 ? "void" : types.join(", ")});`;
}

/** The types that calls of library functions pass and return, whatever the program declares. */
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

/** Parses a C type of a prototype. */
export function libraryType(text: string): LibraryType {
  const type = text.replace(/\bconst /g, "");
  if (type === "char *") return "string";
  if (type.endsWith("*")) return "pointer";
  const known = plain[type];
  if (known === undefined) throw new Defect(`no library function can have the type ${text}`);
  return known;
}

/** The types that library functions read and write in the program's memory. */

function integer(bits: IntType["bits"], name: string): IntType {
  return { kind: "int", bits, signed: true, name };
}

const integers = {
  8: integer(8, "signed char"),
  16: integer(16, "short"),
  32: integer(32, "int"),
  64: integer(64, "long long"),
} as const;

export const signedInteger = (bits: keyof typeof integers): IntType => integers[bits];
export const int = integers[32];
export const unsignedInt: IntType = { kind: "int", bits: 32, signed: false, name: "unsigned int" };
export const float: FloatType = { kind: "float", bits: 32 };
export const double: FloatType = { kind: "float", bits: 64 };
export const pointer: PointerType = { kind: "pointer", to: { kind: "void" } };

/** A pointer of the running program: 0 is null; addition moves it by bytes. */
export type Pointer = number;

export function inC(header: string, prototype: string): SourceEntry {
  return { kind: "source", prototype, header };
}
