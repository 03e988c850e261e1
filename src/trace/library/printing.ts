import { Defect } from "../../base/errors.ts";
import type { Value } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { Machine } from "../machine.ts";
import { readBytes, readString, sizeNumber, writeString } from "./bytes.ts";
import { blockArguments, type FormatArguments, passedArguments } from "./formatArguments.ts";
import { formatPrint } from "./formatPrint.ts";
import { streamOf } from "./streamOf.ts";
import { writeStream } from "./streams.ts";

/** `<stdio.h>`: output. */

/** Variadic arguments of a call whose first `fixed` arguments are named. */
export function variadic(machine: Machine, site: number, fixed: number, values: readonly Value[]): FormatArguments {
  const { function: fn, edge } = machine.sites[site]!;
  const { operation } = machine.program.functions[fn]!.edges[edge]!;
  if (operation.kind !== "callLibrary") throw new Defect("not a library call");
  const types: ScalarType[] = operation.arguments.slice(fixed).map(({ type }) => type);
  return passedArguments(machine, site, operation.name, types, values);
}

function format(machine: Machine, site: number, pointer: number, args: FormatArguments): Uint8Array {
  return formatPrint(machine, site, readString(machine, pointer, site).slice(), args);
}

function print(machine: Machine, stream: "output" | "errors", bytes: Uint8Array): number {
  writeStream(machine.streams, stream, bytes);
  return bytes.length;
}

function outputStream(machine: Machine, stream: number, site: number): "output" | "errors" {
  return streamOf(machine, stream, site, "output");
}

function printToString(machine: Machine, site: number, to: number, bytes: Uint8Array): number {
  writeString(machine, to, bytes, site);
  return bytes.length;
}

/** At most `size` bytes with the terminating zero; the result is what would have been written. */
function printBounded(machine: Machine, site: number, to: number, size: Value, bytes: Uint8Array): number {
  const room = sizeNumber(size);
  if (room > 0) writeString(machine, to, bytes.subarray(0, Math.min(bytes.length, room - 1)), site);
  return bytes.length;
}

function fputc(machine: Machine, site: number, character: number, stream: number): number {
  print(machine, outputStream(machine, stream, site), Uint8Array.of(character));
  return character & 255;
}

function putchar(machine: Machine, _site: number, character: number): number {
  print(machine, "output", Uint8Array.of(character));
  return character & 255;
}

function puts(machine: Machine, site: number, string: number): number {
  const bytes = readString(machine, string, site);
  const line = new Uint8Array(bytes.length + 1);
  line.set(bytes);
  line[bytes.length] = 10;
  return print(machine, "output", line);
}

function fwrite(machine: Machine, site: number, from: number, size: Value, count: Value, stream: number): Value {
  const total = sizeNumber(size) * sizeNumber(count);
  const target = outputStream(machine, stream, site);
  print(machine, target, readBytes(machine, from, total, site).slice());
  return total === 0 ? 0 : count;
}

export const printing = {
  printf: (machine: Machine, site: number, fmt: number, ...values: Value[]) =>
    print(machine, "output", format(machine, site, fmt, variadic(machine, site, 1, values))),
  fprintf: (machine: Machine, site: number, stream: number, fmt: number, ...values: Value[]) =>
    print(machine, outputStream(machine, stream, site), format(machine, site, fmt, variadic(machine, site, 2, values))),
  sprintf: (machine: Machine, site: number, to: number, fmt: number, ...values: Value[]) =>
    printToString(machine, site, to, format(machine, site, fmt, variadic(machine, site, 2, values))),
  snprintf: (machine: Machine, site: number, to: number, size: Value, fmt: number, ...values: Value[]) =>
    printBounded(machine, site, to, size, format(machine, site, fmt, variadic(machine, site, 3, values))),
  vprintf: (machine: Machine, site: number, fmt: number, block: number) =>
    print(machine, "output", format(machine, site, fmt, blockArguments(machine, site, block))),
  vfprintf: (machine: Machine, site: number, stream: number, fmt: number, block: number) =>
    print(
      machine,
      outputStream(machine, stream, site),
      format(machine, site, fmt, blockArguments(machine, site, block)),
    ),
  vsprintf: (machine: Machine, site: number, to: number, fmt: number, block: number) =>
    printToString(machine, site, to, format(machine, site, fmt, blockArguments(machine, site, block))),
  vsnprintf: (machine: Machine, site: number, to: number, size: Value, fmt: number, block: number) =>
    printBounded(machine, site, to, size, format(machine, site, fmt, blockArguments(machine, site, block))),
  puts,
  putchar,
  fputc,
  putc: fputc,
  fputs: (machine: Machine, site: number, string: number, stream: number) => {
    print(machine, outputStream(machine, stream, site), readString(machine, string, site).slice());
    return 1;
  },
  fwrite,
  fflush: (_machine: Machine, _site: number, _stream: number) => 0,
  perror: (machine: Machine, site: number, string: number) => {
    const prefix = string === 0 ? new Uint8Array(0) : readString(machine, string, site).slice();
    const colon = prefix.length === 0 ? "" : ": ";
    print(machine, "errors", Buffer.concat([prefix, Buffer.from(`${colon}Success\n`)]));
    return undefined;
  },
};
