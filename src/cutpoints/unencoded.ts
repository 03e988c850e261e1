import { nth } from "../base/checked.ts";
import type { SourceRange } from "../base/sourceRange.ts";
import type { MemoryUse } from "../c/library/memoryUse.ts";
import { type LibraryFunction, libraryFunction, parameterIndex } from "../c/library/table.ts";
import { controlFlowOf } from "../ir/controlFlow.ts";
import { addressParts, rootOfAddress, unassignedReadsOf } from "../ir/dataFlow.ts";
import type { Expression } from "../ir/expression.ts";
import type { CallLibrary, Operation, UndefinedBehaviour } from "../ir/operation.ts";
import type { Edge, Function, Program, VariableId } from "../ir/program.ts";
import { sizeOf, type Type } from "../ir/type.ts";

/** Undefined behaviour that an operation may have and that no formula expresses. */
export type Unencoded = { readonly reason: string; readonly behaviours: readonly UndefinedBehaviour[] };

const outside: readonly UndefinedBehaviour[] = ["out-of-bounds-read", "out-of-bounds-write"];

/**
 * If the property asks for such behaviour, nothing can be proved; if it does not, a proof says that it assumes that
 * it does not happen. What is plain from the operation alone, such as `memset(&a, 0, sizeof a)`, is left out.
 */
export function unencodedOf(program: Program, operation: Operation): readonly Unencoded[] {
  if (operation.kind === "copy") {
    const isPlain = [operation.to, operation.from].every((address) => isRoom(program, address, BigInt(operation.size)));
    return isPlain ? [] : [{ reason: "the bounds of what is copied", behaviours: outside }];
  }
  if (operation.kind === "declare" && operation.variableLength !== undefined) {
    const behaviours: readonly UndefinedBehaviour[] = [...outside, "index-out-of-bounds"];
    return [{ reason: "the size of a variable-length array", behaviours }];
  }
  if (operation.kind !== "callLibrary") return [];
  const known = libraryFunction(operation.name);
  const found: Unencoded[] = [];
  if (known.allocates !== null) {
    const { size } = known.allocates;
    const isConstant = size.kind !== "copyOf" && constantProduct(known, operation, size.factors) !== null;
    if (!isConstant) found.push({ reason: "the size of a block that is not a constant", behaviours: outside });
  }
  for (const use of known.memory) {
    if (use.kind === "frees") {
      const reason = `whether what ${operation.name} frees is used again`;
      found.push({ reason, behaviours: ["use-after-free"] });
    } else if (use.kind === "remembers" || !isPlainUse(program, known, operation, use)) {
      const reason = `whether ${operation.name} stays inside of the objects that it gets`;
      found.push({ reason, behaviours: [...outside, "null-dereference"] });
    }
  }
  return found;
}

function isPlainUse(
  program: Program,
  known: LibraryFunction,
  operation: CallLibrary,
  use: Exclude<MemoryUse, { kind: "frees" | "remembers" }>,
): boolean {
  const parameters = use.kind === "copies" ? [use.to, use.from] : [use.at];
  const { extent } = use;
  return parameters.every((parameter) => {
    const given =
      parameter === "..."
        ? operation.arguments.slice(known.parameters.length)
        : [nth(operation.arguments, parameterIndex(known, parameter))];
    return given.every((argument) => {
      if (argument.type.kind !== "pointer") return true;
      if (use.kind === "reads" && isLiteral(program, argument)) return true;
      if (extent.kind !== "bytes") return false;
      const size = constantProduct(known, operation, extent.factors);
      return size !== null && isRoom(program, argument, size);
    });
  });
}

function constantProduct(known: LibraryFunction, operation: CallLibrary, factors: readonly string[]): bigint | null {
  let product = 1n;
  for (const factor of factors) {
    const argument = stripped(nth(operation.arguments, parameterIndex(known, factor)));
    // A negative constant is a huge size.
    if (argument.kind !== "constant" || typeof argument.value !== "bigint" || argument.value < 0n) return null;
    product *= argument.value;
  }
  return product;
}

/** Is it the address of a variable that has so many bytes? */
function isRoom(program: Program, address: Expression, bytes: bigint): boolean {
  let offset = 0n;
  let root = stripped(address);
  while (root.kind === "fieldAddress") {
    offset += BigInt(root.offset);
    root = stripped(root.pointer);
  }
  if (root.kind !== "addressOf" || root.object.kind !== "variable") return false;
  const size = sizeOf(nth(program.variables, root.object.variable).type, program.pointerBytes);
  return size !== null && offset + bytes <= BigInt(size);
}

/** The start of a string literal. */
function isLiteral(program: Program, address: Expression): boolean {
  const root = stripped(address);
  if (root.kind !== "addressOf" || root.object.kind !== "variable") return false;
  return nth(program.variables, root.object.variable).literal !== undefined;
}

function stripped(expression: Expression): Expression {
  return expression.kind === "convert" ? stripped(expression.operand) : expression;
}

/** The pointers that an operation follows apart from loads and stores: null must not be among them. */
export function followedPointers(operation: Operation): readonly Expression[] {
  const pointers =
    operation.kind === "copy"
      ? [rootOfAddress(operation.to), rootOfAddress(operation.from)]
      : operation.kind === "call" && operation.callee.kind === "pointer"
        ? [operation.callee.pointer]
        : [];
  return pointers.filter((pointer) => pointer.kind !== "addressOf");
}

/** A register or bytes of memory that may be read before they are written. No formula says which bytes were written. */
export type Unwritten = { readonly kind: "register" | "memory"; readonly name: string; readonly range: SourceRange };

/** Variables that an edge reads without a value on some way to it, and those that it creates without one. */
export function unwrittenAt(program: Program, fn: Function, edge: Edge): readonly Unwritten[] {
  const { operation, range } = edge;
  const registers = [...(unassignedReadsOf(program, fn).get(edge.id) ?? [])].map((variable) => ({
    kind: "register" as const,
    name: nth(program.variables, variable).name,
    range,
  }));
  if (operation.kind === "declare") {
    const variable = nth(program.variables, operation.variable);
    const isSet = variable.storage === "register" || isWrittenAtOnce(program, fn, edge, operation.variable);
    return isSet ? registers : [...registers, { kind: "memory", name: variable.name, range }];
  }
  if (operation.kind !== "callLibrary") return registers;
  const { allocates } = libraryFunction(operation.name);
  const isBare = allocates !== null && allocates.size.kind === "bytes" && !allocates.zeroed;
  return isBare ? [...registers, { kind: "memory", name: `what ${operation.name} gives`, range }] : registers;
}

/** A type of more parts is not looked into. */
const mostParts = 4096;

/** Do the edges behind a declaration, up to the next choice or call, write every part of the variable? */
function isWrittenAtOnce(program: Program, fn: Function, declaration: Edge, variable: VariableId): boolean {
  const parts = partsOf(nth(program.variables, variable).type, program.pointerBytes);
  if (parts === null) return false;
  const open = new Set(parts);
  const { outgoing } = controlFlowOf(fn);
  for (let at = declaration.to; open.size > 0; ) {
    const [edge, ...others] = nth(outgoing, at);
    if (edge === undefined || others.length > 0 || edge === declaration) return false;
    const { operation } = edge;
    if (operation.kind === "store" && operation.bitField === undefined) {
      const offset = offsetIn(operation.address, variable);
      if (offset !== null) open.delete(offset);
    } else if (operation.kind === "copy") {
      const offset = offsetIn(operation.to, variable);
      // A static object has a value everywhere; of any other one nobody knows.
      if (offset !== null && isStatic(program, operation.from)) {
        for (const part of [...open]) if (part >= offset && part < offset + operation.size) open.delete(part);
      }
    } else if (operation.kind !== "assign" && operation.kind !== "declare" && operation.kind !== "skip") return false;
    at = edge.to;
  }
  return true;
}

/** The place in a variable that an address points to; null if that is not plain. */
function offsetIn(address: Expression, variable: VariableId): number | null {
  const { root, constant, terms } = addressParts(address);
  const isIt = root.kind === "addressOf" && root.object.kind === "variable" && root.object.variable === variable;
  return isIt && terms.length === 0 ? constant : null;
}

function isStatic(program: Program, address: Expression): boolean {
  const { root } = addressParts(address);
  return (
    root.kind === "addressOf" &&
    root.object.kind === "variable" &&
    nth(program.variables, root.object.variable).kind === "static"
  );
}

/** The offsets of a type's scalars; null where they are too many, share bytes or have a size that only the run knows. */
function partsOf(type: Type, pointerBytes: 4 | 8): readonly number[] | null {
  if (type.kind === "array") {
    const size = sizeOf(type.element, pointerBytes);
    const inner = partsOf(type.element, pointerBytes);
    if (type.length === null || size === null || inner === null || type.length * inner.length > mostParts) return null;
    return Array.from({ length: type.length }, (_, i) => inner.map((part) => i * size + part)).flat();
  }
  if (type.kind !== "struct") return [0];
  if (type.union || type.layout === null) return null;
  const parts: number[] = [];
  for (const { type: own, offset, bitField } of type.layout.fields) {
    const inner = bitField === undefined ? partsOf(own, pointerBytes) : null;
    if (inner === null || parts.length + inner.length > mostParts) return null;
    parts.push(...inner.map((part) => offset + part));
  }
  return parts;
}
