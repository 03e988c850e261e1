import { TracefoldError } from "../base/errors.ts";
import type { ScalarValue } from "../ir/scalarValue.ts";
import { isScalar } from "../ir/type.ts";
import type { Machine } from "./machine.ts";
import { createObject, kindArgument, takeBytes } from "./memory/memory.ts";
import { writeInt64, writePointer32 } from "./memory/write.ts";

/** The arguments of the entry function: none, or `argc`, `argv` and `envp`. */
export function entryArguments(
  machine: Machine,
  options: { readonly programName?: string | undefined; readonly args?: readonly string[] | undefined },
): ScalarValue[] {
  const { program } = machine;
  const entry = program.functions[program.entry]!;
  const types = entry.parameters.map((id) => program.variables[id]!.type);
  if (types.length === 0) return [];
  const shape = types.map((type) => (isScalar(type) ? type.kind : "other")).join(" ");
  if (!"int pointer pointer".startsWith(shape)) {
    throw new TracefoldError({
      code: "TF143",
      message: `${entry.name} cannot be the entry: its parameters are not those of main`,
      range: entry.range,
      help: "Write a function without parameters that calls it, with inputs as arguments.",
    });
  }
  const strings = [options.programName ?? "program", ...(options.args ?? [])].map((text) =>
    new TextEncoder().encode(text),
  );
  const pointers = strings.map((bytes, i) => placeString(machine, bytes, i));
  const values: ScalarValue[] = [strings.length, pointerArray(machine, pointers), pointerArray(machine, [])];
  return values.slice(0, types.length);
}

function placeString(machine: Machine, bytes: Uint8Array, index: number): number {
  const { memory } = machine;
  const base = takeBytes(memory, bytes.length + 1);
  memory.bytes.fill(0, base, base + bytes.length + 1);
  memory.bytes.set(bytes, base);
  return createObject(memory, base, bytes.length + 1, kindArgument, index);
}

/** Ends with a null pointer. */
function pointerArray(machine: Machine, pointers: readonly number[]): number {
  const { memory } = machine;
  const { pointerBytes } = memory;
  const size = (pointers.length + 1) * pointerBytes;
  const array = createObject(memory, takeBytes(memory, size), size, kindArgument, -1);
  [...pointers, 0].forEach((pointer, i) => {
    if (pointerBytes === 8) writeInt64(memory, array, i * 8, pointer, -1);
    else writePointer32(memory, array, i * 4, pointer, -1);
  });
  return array;
}
