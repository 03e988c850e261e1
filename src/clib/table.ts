import { Defect } from "../base/errors.ts";
import { byteOrder } from "./byteOrder.ts";
import { ctype } from "./ctype.ts";
import type { Entry, OperationEntry } from "./entry.ts";
import { calendar } from "./inC/calendar.ts";
import { commandLine } from "./inC/commandLine.ts";
import { quotients } from "./inC/quotients.ts";
import { signals } from "./inC/signals.ts";
import { sorting } from "./inC/sorting.ts";
import { surroundings } from "./inC/surroundings.ts";
import { wideStrings } from "./inC/wideStrings.ts";
import { type LibraryType, libraryType } from "./libraryType.ts";
import { mathematics } from "./math/functions.ts";
import { writtenParameter } from "./memoryUse.ts";
import { notSupported } from "./notSupported.ts";
import { type Parameter, parsePrototype } from "./prototype.ts";
import { lines } from "./stdio/lines.ts";
import { opening } from "./stdio/opening.ts";
import { positioning } from "./stdio/positioning.ts";
import { printing } from "./stdio/printing.ts";
import { reading } from "./stdio/reading.ts";
import { allocation } from "./stdlib/allocation.ts";
import { endings } from "./stdlib/ending.ts";
import { environment } from "./stdlib/environment.ts";
import { numbers } from "./stdlib/numbers.ts";
import { randomNumbers } from "./stdlib/randomNumbers.ts";
import { bits } from "./string/bits.ts";
import { blocks } from "./string/blocks.ts";
import { comparing } from "./string/comparing.ts";
import { copying } from "./string/copying.ts";
import { errorTexts } from "./string/errorTexts.ts";
import { searching } from "./string/searching.ts";
import { separating } from "./string/separating.ts";

/** All functions of the C library that Tracefold knows; a new one is one entry in one of these lists. */
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

/** An operation with its prototype taken apart: what a `callLibrary` operation may name. */
export type LibraryFunction = OperationEntry & {
  readonly name: string;
  /** The types that a call passes and gives, whatever the program declares; variadic arguments are promoted. */
  readonly signature: {
    readonly result: LibraryType;
    readonly parameters: readonly LibraryType[];
    readonly variadic: boolean;
  };
  readonly parameters: readonly Parameter[];
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
  return match[1]!;
}

export function findEntry(name: string): Entry | null {
  return byName.get(name) ?? null;
}

/** The operation of that name; null if there is none. */
export function findFunction(name: string): LibraryFunction | null {
  return functions.get(name) ?? null;
}

/** The operation that a `callLibrary` operation names. */
export function libraryFunction(name: string): LibraryFunction {
  const found = functions.get(name);
  if (found === undefined) throw new Defect(`library function ${name} is not in the table`);
  return found;
}

export function libraryFunctions(): Iterable<LibraryFunction> {
  return functions.values();
}

/** Which argument of a call is a parameter's. */
export function parameterIndex({ name, parameters }: LibraryFunction, parameter: string): number {
  const index = parameters.findIndex((candidate) => candidate.name === parameter);
  if (index === -1) throw new Defect(`${name} has no parameter ${parameter}`);
  return index;
}

/** May a call change memory of the program, apart from `errno`, so that a value read before it must be kept? */
export function mayWrite({ memory }: LibraryFunction): boolean {
  return memory.some((use) => use.kind === "frees" || use.kind === "remembers" || writtenParameter(use) !== null);
}
