import { nth, present } from "../base/checked.ts";
import { formatPlace } from "../base/sourceRange.ts";
import type { Program } from "../ir/program.ts";
import { fuzzEntry } from "../ir/reservedNames.ts";
import { sizeOf, type Type } from "../ir/type.ts";
import type { TrapSite } from "./machine.ts";
import type { Memory } from "./memory/memory.ts";
import {
  fieldKind,
  fieldLength,
  fieldOrigin,
  fieldReadable,
  firstObject,
  type ObjectKind,
  objectFields,
  objectKinds,
} from "./memory/objectLayout.ts";
import { objectIdOf } from "./memory/pointer.ts";

/** The object that a pointer points into, for messages and observers. */
export type ObjectDescription = {
  readonly kind: ObjectKind;
  readonly id: number;
  readonly live: boolean;
  /** In bytes. */
  readonly size: number;
  /** The variable of a static, a local or a literal. */
  readonly variable: number | null;
  readonly function: number | null;
  /** The library function that allocated it. */
  readonly allocator: string | null;
  /** `a`, `the memory from malloc at f.c:3:8`, `the function f`. */
  readonly name: string;
  /** `int a[10]` has `a` with 10 elements. */
  readonly array: {
    readonly element: Type;
    readonly elementSize: number;
    readonly length: number;
    /** All lengths of an array of arrays. */
    readonly dimensions: readonly number[];
  } | null;
};

export function describeObject(
  program: Program,
  sites: readonly TrapSite[],
  memory: Memory,
  pointer: number,
): ObjectDescription | null {
  const id = objectIdOf(pointer);
  if (id < firstObject || id >= memory.objectCount) return null;
  const field = (index: number) => memory.objects[id * objectFields + index]!;
  const kind = objectKinds[field(fieldKind)]!;
  const origin = field(fieldOrigin);
  const size = field(fieldLength);
  const live = kind === "function" || field(fieldReadable) >= 0;
  const base = { kind, id, size, live, variable: null, function: null, allocator: null, array: null };
  switch (kind) {
    case "static":
    case "local":
    case "literal": {
      const variable = nth(program.variables, origin);
      const name =
        kind === "literal" ? literalText(present(variable.literal)) : variable.madeUp ? "a temporary" : variable.name;
      return { ...base, variable: origin, name, array: arrayOf(program, variable.type, size) };
    }
    case "function":
      return { ...base, function: origin, name: `the function ${nth(program.functions, origin).name}` };
    case "argument":
      return { ...base, name: origin === -1 ? "argv" : `argv[${origin}]` };
    case "heap":
    case "stack":
      return { ...base, ...allocation(program, sites, origin) };
    case "none":
      return null;
  }
}

function allocation(
  program: Program,
  sites: readonly TrapSite[],
  site: number,
): Pick<ObjectDescription, "name" | "allocator"> {
  const { function: fn, edge: id } = nth(sites, site);
  const edge = nth(nth(program.functions, fn).edges, id);
  const { operation } = edge;
  if (operation.kind === "declare") return { name: nth(program.variables, operation.variable).name, allocator: null };
  const allocator = operation.kind === "callLibrary" ? operation.name : null;
  if (nth(program.functions, fn).name === fuzzEntry) return { name: "the data", allocator };
  // A call through a pointer to `malloc` is not in the program's own text.
  const place = edge.range.file.startsWith("<") ? "" : ` at ${formatPlace(edge.range)}`;
  return { name: `the memory from ${allocator ?? "an allocation"}${place}`, allocator };
}

function arrayOf(program: Program, type: Type, size: number): ObjectDescription["array"] {
  if (type.kind !== "array") return null;
  const elementSize = sizeOf(type.element, program.pointerBytes);
  if (elementSize === null || elementSize === 0) return null;
  const length = type.length ?? Math.floor(size / elementSize);
  const dimensions = [length];
  for (let inner = type.element; inner.kind === "array"; inner = inner.element) dimensions.push(inner.length ?? 0);
  return { element: type.element, elementSize, length, dimensions };
}

function literalText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, -1)).toString("latin1");
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
}
