import { nth, present } from "../base/checked.ts";
import { formatPlace } from "../base/sourceRange.ts";
import type { Expression } from "../ir/expression.ts";
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
import { objectIdOf, offsetOf } from "./memory/pointer.ts";

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

/** Arrays of at least this size, and allocated blocks, begin at a multiple of it (System V ABI for x86-64). */
const widest = 16;

/**
 * Whether an access at an address that is no multiple of its size is undefined: by a load or store of the program's own, in
 * an object whose own alignment tells. A member of a packed struct may be anywhere, and so may a small array of characters.
 */
export function isMisaligned(
  { program, sites, memory }: { program: Program; sites: readonly TrapSite[]; memory: Memory },
  pointer: number,
  size: number,
  site: number,
): boolean {
  const { function: fn, edge, expression } = nth(sites, site);
  const { operation } = nth(nth(program.functions, fn).edges, edge);
  const address =
    expression?.kind === "load" ? expression.address : operation.kind === "store" ? operation.address : null;
  if (address === null || isInPacked(program, address)) return false;
  const alignment = Math.min(size, program.pointerBytes);
  const object = describeObject(program, sites, memory, pointer);
  if (object === null || offsetOf(pointer) % alignment === 0) return false;
  if (object.kind === "heap") return true;
  if (object.variable === null || object.kind === "literal") return false;
  const { type } = nth(program.variables, object.variable);
  const isLong = type.kind === "array" && object.size >= widest;
  return (isLong ? widest : alignmentOf(program, type)) >= alignment;
}

function alignmentOf(program: Program, type: Type): number {
  if (type.kind === "array") return alignmentOf(program, type.element);
  if (type.kind === "struct") return type.layout?.align ?? 1;
  return Math.min(sizeOf(type, program.pointerBytes) ?? 1, program.pointerBytes);
}

function isInPacked(program: Program, address: Expression): boolean {
  switch (address.kind) {
    case "fieldAddress":
      return isPacked(program, address.pointer.type) || isInPacked(program, address.pointer);
    case "offset":
      return isInPacked(program, address.pointer);
    case "convert":
      return isInPacked(program, address.operand);
    default:
      return false;
  }
}

/** Is it a pointer to a struct with a member that needs more than the struct has? */
function isPacked(program: Program, pointer: Type): boolean {
  const layout = pointer.kind === "pointer" && pointer.to.kind === "struct" ? pointer.to.layout : null;
  return layout?.fields.some(({ type }) => alignmentOf(program, type) > layout.align) === true;
}
