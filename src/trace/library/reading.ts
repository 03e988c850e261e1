import type { Value } from "../../ir/scalarValue.ts";
import type { Machine } from "../machine.ts";
import { readString, writeString } from "./bytes.ts";
import { streamCharacters, stringCharacters } from "./characterSource.ts";
import { formatScan } from "./formatScan.ts";
import { variadic } from "./printing.ts";
import { streamOf } from "./streamOf.ts";
import { readCharacter } from "./streams.ts";

/** `<stdio.h>`: input from what `--stdin` gives. */

function getchar(machine: Machine): number {
  return readCharacter(machine.streams);
}

function fgetc(machine: Machine, site: number, stream: number): number {
  streamOf(machine, stream, site, "input");
  return readCharacter(machine.streams);
}

function ungetc(machine: Machine, site: number, character: number, stream: number): number {
  streamOf(machine, stream, site, "input");
  if (character === -1) return -1;
  machine.streams.pushedBack.push(character & 255);
  machine.streams.inputEnded = false;
  return character & 255;
}

/** Up to `max` bytes, a newline included if `keepNewline`; null at the end of the input. */
function readLine(machine: Machine, max: number, keepNewline: boolean): Uint8Array | null {
  const bytes: number[] = [];
  while (bytes.length < max) {
    const c = readCharacter(machine.streams);
    if (c === -1) {
      if (bytes.length === 0) return null;
      break;
    }
    if (c === 10 && !keepNewline) break;
    bytes.push(c);
    if (c === 10) break;
  }
  return Uint8Array.from(bytes);
}

function fgets(machine: Machine, site: number, to: number, size: number, stream: number): number {
  streamOf(machine, stream, site, "input");
  if (size <= 0) return 0;
  const line = size === 1 ? new Uint8Array(0) : readLine(machine, size - 1, true);
  if (line === null) return 0;
  writeString(machine, to, line, site);
  return to;
}

function gets(machine: Machine, site: number, to: number): number {
  const line = readLine(machine, Number.POSITIVE_INFINITY, false);
  if (line === null) return 0;
  writeString(machine, to, line, site);
  return to;
}

function scan(machine: Machine, site: number, fmt: number, fixed: number, values: readonly Value[]): number {
  const format = readString(machine, fmt, site).slice();
  return formatScan(machine, site, format, streamCharacters(machine.streams), variadic(machine, site, fixed, values));
}

export const reading = {
  getchar,
  fgetc,
  getc: fgetc,
  ungetc,
  fgets,
  gets,
  feof: (machine: Machine, _site: number, _stream: number) => (machine.streams.inputEnded ? 1 : 0),
  ferror: (_machine: Machine, _site: number, _stream: number) => 0,
  scanf: (machine: Machine, site: number, fmt: number, ...values: Value[]) => scan(machine, site, fmt, 1, values),
  fscanf: (machine: Machine, site: number, stream: number, fmt: number, ...values: Value[]) => {
    streamOf(machine, stream, site, "input");
    return scan(machine, site, fmt, 2, values);
  },
  sscanf: (machine: Machine, site: number, string: number, fmt: number, ...values: Value[]) => {
    const format = readString(machine, fmt, site).slice();
    const source = stringCharacters(readString(machine, string, site).slice());
    return formatScan(machine, site, format, source, variadic(machine, site, 2, values));
  },
};
