import { nth } from "../../base/checked.ts";
import { Defect } from "../../base/errors.ts";
import { type ScalarValue, toBigInt } from "../../ir/scalarValue.ts";
import { ctype } from "./ctype.ts";
import {
  type Entry,
  type LibraryType,
  type LoweredEntry,
  libraryType,
  type OperationEntry,
  operations,
  type PrototypeParameter,
  parsePrototype,
  printPrototype,
} from "./entry.ts";
import { mathematics } from "./math/functions.ts";
import { writtenParameter } from "./memoryUse.ts";
import { notSupported } from "./notSupported.ts";
import { opening } from "./stdio/opening.ts";
import { positioning } from "./stdio/positioning.ts";
import { printing } from "./stdio/printing.ts";
import { lines, reading } from "./stdio/reading.ts";
import { allocation, endings, environment } from "./stdlib/allocation.ts";
import { numbers } from "./stdlib/numbers.ts";
import { randomNumbers } from "./stdlib/randomNumbers.ts";
import { blocks } from "./string/blocks.ts";
import { comparing, errorTexts } from "./string/comparing.ts";
import { copying } from "./string/copying.ts";
import { searching, separating } from "./string/searching.ts";
import { calendar } from "./writtenInC/calendar.ts";
import { commandLine } from "./writtenInC/commandLine.ts";
import { quotients } from "./writtenInC/quotients.ts";
import { signals } from "./writtenInC/signals.ts";
import { sorting } from "./writtenInC/sorting.ts";
import { surroundings } from "./writtenInC/surroundings.ts";
import { wideStrings } from "./writtenInC/wideStrings.ts";

/** `<arpa/inet.h>`: network byte order, highest byte first. */

function swapped(name: string, bytes: 2 | 4): OperationEntry {
  return operations("arpa/inet.h")({
    prototype: `uint${8 * bytes}_t ${name}(uint${8 * bytes}_t number)`,
    run: (_, number: number) => {
      const view = new DataView(new ArrayBuffer(4));
      if (bytes === 4) {
        view.setUint32(0, number);
        return view.getUint32(0, true);
      }
      view.setUint16(0, number & 0xffff);
      return view.getUint16(0, true);
    },
  });
}

export const byteOrder: readonly OperationEntry[] = [
  swapped("htonl", 4),
  swapped("ntohl", 4),
  swapped("htons", 2),
  swapped("ntohs", 2),
];

/** `<setjmp.h>`; see `lowerJump`. The names with underscores are glibc's. */
const jumps: readonly LoweredEntry[] = [
  ["setjmp.h", "int setjmp(jmp_buf)"],
  ["setjmp.h", "int sigsetjmp(sigjmp_buf, int)"],
  ["setjmp.h", "void longjmp(jmp_buf, int) __attribute__((noreturn))"],
  ["setjmp.h", "void siglongjmp(sigjmp_buf, int) __attribute__((noreturn))"],
  [null, "int _setjmp(void *)"],
  [null, "int __sigsetjmp(void *, int)"],
].map(([header, prototype]) => ({
  kind: "lowered",
  header: header ?? null,
  prototype: prototype ?? "",
  meaning: "jumps out of functions to a place that is still active",
}));

/** `<strings.h>`, `<string.h>`: the index of the lowest set bit, counted from 1; 0 if no bit is set. */

function firstBit(type: string, name: string, header: string): OperationEntry {
  return operations(header)({
    prototype: `int ${name}(${type} number)`,
    run: (_, value: ScalarValue) => {
      const number = toBigInt(value);
      return number === 0n ? 0 : (number & -number).toString(2).replace("-", "").length;
    },
  });
}

export const bits: readonly OperationEntry[] = [
  firstBit("int", "ffs", "strings.h"),
  firstBit("long", "ffsl", "string.h"),
  firstBit("long long", "ffsll", "string.h"),
];

/** All library functions that Tracefold supports; a new one is one entry in one of these lists. */
export const entries: readonly Entry[] = [
  ...allocation,
  ...bits,
  ...blocks,
  ...byteOrder,
  ...calendar,
  ...commandLine,
  ...comparing,
  ...copying,
  ...ctype,
  ...endings,
  ...environment,
  ...errorTexts,
  ...jumps,
  ...lines,
  ...mathematics,
  ...numbers,
  ...opening,
  ...positioning,
  ...printing,
  ...quotients,
  ...randomNumbers,
  ...reading,
  ...searching,
  ...separating,
  ...signals,
  ...sorting,
  ...surroundings,
  ...wideStrings,
  ...notSupported,
];

/** An operation with its parsed prototype; `callLibrary` operations name it. */
export type LibraryFunction = OperationEntry & {
  readonly name: string;
  /** The types that a call passes and returns, whatever the program declares; variadic arguments are promoted. */
  readonly signature: {
    readonly result: LibraryType;
    readonly parameters: readonly LibraryType[];
    readonly variadic: boolean;
  };
  readonly parameters: readonly PrototypeParameter[];
};

function toFunction(entry: OperationEntry): LibraryFunction {
  const { name, parameters, variadic, result } = parsePrototype(entry.prototype);
  const types = parameters.map(({ type }) => libraryType(type));
  return { ...entry, name, parameters, signature: { result: libraryType(result), parameters: types, variadic } };
}

const byName: ReadonlyMap<string, Entry> = new Map(entries.map((entry) => [entryName(entry), entry]));

const functions: ReadonlyMap<string, LibraryFunction> = new Map(
  entries.flatMap((entry) => (entry.kind === "operation" ? [[entryName(entry), toFunction(entry)] as const] : [])),
);

export function entryName({ prototype }: Entry): string {
  const match = /([\w$]+)\(/.exec(prototype);
  if (match === null) throw new Defect(`not a prototype: ${prototype}`);
  return nth(match, 1);
}

export function findEntry(name: string): Entry | null {
  return byName.get(name) ?? null;
}

/** The operation of that name; null if there is none. */
export function findFunction(name: string): LibraryFunction | null {
  return functions.get(name) ?? null;
}

/** The operation named by a `callLibrary` operation. */
export function libraryFunction(name: string): LibraryFunction {
  const found = functions.get(name);
  if (found === undefined) throw new Defect(`library function ${name} is not in the table`);
  return found;
}

export function libraryFunctions(): Iterable<LibraryFunction> {
  return functions.values();
}

/** The argument position of a parameter. */
export function parameterIndex({ name, parameters }: LibraryFunction, parameter: string): number {
  const index = parameters.findIndex((candidate) => candidate.name === parameter);
  if (index === -1) throw new Defect(`${name} has no parameter ${parameter}`);
  return index;
}

/** True if a call may change memory other than `errno`, so that a value read before it must be kept. */
export function mayWrite({ memory }: LibraryFunction): boolean {
  return memory.some((use) => use.kind === "frees" || use.kind === "remembers" || writtenParameter(use) !== null);
}

/** A call under another name; `keep` selects the arguments that the library function takes. */
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

export function declaredAliases(header: string): readonly { readonly name: string; readonly of: LibraryFunction }[] {
  if (header !== "strings.h") return [];
  return ["index", "rindex"].map((name) => ({ name, of: libraryFunction(otherNames[name]!) }));
}

const builtinPrefix = "__builtin_";

/**
 * The operation that a call means; null if none. `__builtin_memcpy`, `__printf_chk` and the like mean the plain
 * function.
 */
export function libraryAlias(name: string): LibraryAlias | null {
  const plain = name.startsWith(builtinPrefix) ? name.slice(builtinPrefix.length) : name;
  const found = findFunction(Object.hasOwn(otherNames, name) ? otherNames[name]! : plain);
  // Functions that only lowering and our own headers call have no header.
  if (found !== null && (found.header !== null || name.startsWith("__tf_")))
    return { function: found, keep: () => true };
  const checked = /^__(\w+)_chk$/.exec(plain);
  const checkedFunction = checked === null ? null : findFunction(nth(checked, 1));
  return checkedFunction && { function: checkedFunction, keep: keptByCheckedVariant(checkedFunction) };
}

/**
 * The `_chk` variants have a flag (before the format), the size of the destination, or both: `fprintf(f, FLAG, fmt…)`,
 * `sprintf(s, FLAG, SIZE, fmt…)`, `snprintf(s, n, FLAG, SIZE, fmt…)`; otherwise a size at the end.
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

export function declarations(header: string): string {
  const own = entries
    .filter((entry) => entry.header === header)
    .map(({ kind, prototype }) => (kind === "operation" ? printPrototype(parsePrototype(prototype)) : `${prototype};`));
  const others = declaredAliases(header).map(({ name, of }) =>
    printPrototype({ ...parsePrototype(of.prototype), name }),
  );
  return [...own, ...others, ""].join("\n");
}
