import type { Choices } from "../../generator/choices.ts";
import { type IntType, intTypes } from "../../generator/intTypes.ts";

/**
 * What a program is about: only the themes that were chosen for it occur, so that each of them meets each other one in
 * some small program.
 */
export const themes = ["arithmetic", "array", "heap", "pointer", "call", "library", "unset", "exit"] as const;
export type Theme = (typeof themes)[number];

export type Scalar = { readonly name: string; readonly type: IntType; readonly role: "input" | "local" | "counter" };
export type ArrayVariable = { readonly name: string; readonly type: IntType; readonly length: number };
/** An array of pointers to `int`: into variables, or to blocks of the heap. */
export type PointerTable = { readonly name: string; readonly length: number; readonly heap: boolean };

/** The state of the construction of one program. */
export type ClaimBuilder = {
  readonly choices: Choices;
  readonly themes: ReadonlySet<Theme>;
  readonly scalars: Scalar[];
  readonly arrays: ArrayVariable[];
  readonly tables: PointerTable[];
  /** Pointers to one block of `int`s each. */
  readonly blocks: string[];
  /** Tables of functions `int (int)`, with the C expression that calls the function at an index. */
  readonly callees: { readonly length: number; readonly call: (index: string, argument: string) => string }[];
  /** Definitions at file level. */
  readonly definitions: string[];
  readonly topLevel: string[];
  /** What of interest the program does, in words: a violation is told with them. */
  readonly features: Set<string>;
  /** Loops around the statement under construction. */
  loops: number;
  names: number;
};

export function name(b: ClaimBuilder, prefix: string): string {
  return `${prefix}${b.names++}`;
}

export function topLevelName(b: ClaimBuilder, prefix: string): string {
  const made = name(b, prefix);
  b.topLevel.push(made);
  return made;
}

/** What is declared in `body` ends with it. */
export function scoped<T>(b: ClaimBuilder, body: () => T): T {
  const lists: unknown[][] = [b.scalars, b.arrays, b.tables, b.blocks];
  const lengths = lists.map(({ length }) => length);
  const result = body();
  lists.forEach((list, i) => {
    list.length = lengths[i]!;
  });
  return result;
}

/** `body` for a loop's body. */
export function inLoop<T>(b: ClaimBuilder, body: () => T): T {
  b.loops++;
  const result = scoped(b, body);
  b.loops--;
  return result;
}

/** `int` more often than the other integer types. */
export function anyType(b: ClaimBuilder): IntType {
  return b.choices.chance(45) ? b.choices.oneOf(plainTypes) : plainTypes[0]!;
}

/** Without the typedefs, which the other generator defines. */
const plainTypes = intTypes.filter(({ name: word }) => !["byte", "word", "wide"].includes(word));

/** The function that reads an input of a type. */
export function reader(type: IntType): string {
  const words: Readonly<Record<string, string>> = {
    unsigned: "uint",
    "signed char": "schar",
    "unsigned char": "uchar",
    "unsigned short": "ushort",
    "unsigned long": "ulong",
    "long long": "longlong",
    "unsigned long long": "ulonglong",
    _Bool: "bool",
  };
  return `__VERIFIER_nondet_${words[type.name] ?? type.name}`;
}

/** Their declarations, for the types that programs read. */
export const readers: readonly string[] = plainTypes.map((type) => `extern ${type.name} ${reader(type)}(void);`);
