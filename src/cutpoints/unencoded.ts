import type { MemoryUse } from "../c/library/memoryUse.ts";
import { type LibraryFunction, libraryFunction, parameterIndex } from "../c/library/table.ts";
import { rootOfAddress } from "../ir/dataFlow.ts";
import type { Expression } from "../ir/expression.ts";
import type { CallLibrary, Operation, UndefinedBehaviour } from "../ir/operation.ts";
import type { Program } from "../ir/program.ts";
import { sizeOf } from "../ir/type.ts";

/** Undefined behaviour that an operation may have and that no formula expresses. */
export type Unencoded = { readonly reason: string; readonly behaviours: readonly UndefinedBehaviour[] };

const outside: readonly UndefinedBehaviour[] = ["out-of-bounds-read", "out-of-bounds-write"];

/**
 * Where the property asks for such behaviour, nothing can be proved; where it does not, a proof says that it assumes that
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
        : [operation.arguments[parameterIndex(known, parameter)]!];
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
    const argument = stripped(operation.arguments[parameterIndex(known, factor)]!);
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
  const size = sizeOf(program.variables[root.object.variable]!.type, program.pointerBytes);
  return size !== null && offset + bytes <= BigInt(size);
}

/** The start of a string literal. */
function isLiteral(program: Program, address: Expression): boolean {
  const root = stripped(address);
  if (root.kind !== "addressOf" || root.object.kind !== "variable") return false;
  return program.variables[root.object.variable]!.literal !== undefined;
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
