import { nth } from "../../../base/checked.ts";
import { fitsInteger, fromBigInt, wrapInteger } from "../../../ir/scalarValue.ts";
import { double, float, type Pointer, pointer, signedInteger } from "../entry.ts";
import type { Host } from "../host.ts";
import { digit, scanFloat, scanInteger } from "../stdlib/numbers.ts";
import { type FormatArguments, formatParser, integerBits, otherDirective, unsupported } from "./formatPrint.ts";
import { readCharacter, type Stream } from "./streams.ts";

/** A byte that must follow, any white space, a directive, or a directive that the format does not finish. */
type ScanPart =
  | { readonly kind: "byte"; readonly byte: number }
  | { readonly kind: "space" }
  | { readonly kind: "unfinished" }
  | ScanDirective;

type ScanDirective = {
  readonly kind: "directive";
  /** `%ld`. */
  readonly name: string;
  readonly suppress: boolean;
  /** The most characters to read. */
  readonly limit: number;
  readonly length: string;
  readonly conversion: string;
  /** For `%[`: membership by byte. */
  readonly set: Uint8Array | null;
};

const isSpace = (c: number) => c === 32 || (c >= 9 && c <= 13);

/** The `scanf` family: the number of assigned directives, or -1 if the input ends before the first one. */
export function formatScan(host: Host, format: Uint8Array, source: CharacterSource, args: FormatArguments): number {
  let assigned = 0;
  for (const part of partsOf(host, format)) {
    const result = scanPart(host, part, source, args);
    if (result === "end") return assigned === 0 ? -1 : assigned;
    if (result === "mismatch") return assigned;
    if (result === "assigned") assigned++;
  }
  return assigned;
}

const partsOf = formatParser(parseScanFormat);

function parseScanFormat(format: Uint8Array): readonly ScanPart[] {
  const parts: ScanPart[] = [];
  for (let at = 0; at < format.length; ) {
    const byte = nth(format, at);
    at++;
    if (isSpace(byte)) parts.push({ kind: "space" });
    else if (byte !== 37) parts.push({ kind: "byte", byte });
    else {
      const directive = parseScanDirective(format, at);
      if (directive === null) return [...parts, { kind: "unfinished" }];
      parts.push(directive.part);
      at = directive.end;
    }
  }
  return parts;
}

type ParsedDirective = { readonly part: ScanDirective; readonly end: number };

function parseScanDirective(format: Uint8Array, start: number): ParsedDirective | null {
  const text = Buffer.from(format.subarray(start, start + 40)).toString("latin1");
  const match = /^(\*?)(\d*)(hh|h|ll|l|q|j|z|t|L|I64|)(.)/s.exec(text);
  if (match === null) return null;
  const [all, star, width, written, conversion] = match as unknown as [string, string, string, string, string];
  const length = written === "I64" ? "ll" : written;
  const end = start + all.length;
  const limit = width === "" ? (conversion === "c" ? 1 : Number.POSITIVE_INFINITY) : Number(width);
  const name = `%${length}${conversion}`;
  const part = { kind: "directive", name, suppress: star !== "", limit, length, conversion, set: null } as const;
  return conversion === "[" ? parseSet(format, end, part) : { part, end };
}

function parseSet(format: Uint8Array, start: number, part: ScanDirective): ParsedDirective | null {
  let at = start;
  const inverted = format[at] === 94;
  if (inverted) at++;
  const set = new Uint8Array(256).fill(inverted ? 1 : 0);
  const value = inverted ? 0 : 1;
  for (let first = true; first || format[at] !== 93; first = false) {
    if (at >= format.length) return null;
    const low = nth(format, at);
    // A hyphen between two characters makes a range.
    if (format[at + 1] === 45 && at + 2 < format.length && format[at + 2] !== 93) {
      for (let c = low; c <= nth(format, at + 2); c++) set[c] = value;
      at += 3;
    } else {
      set[low] = value;
      at++;
    }
  }
  return { part: { ...part, set }, end: at + 1 };
}

function skipSpace(source: CharacterSource): void {
  let c = source.next();
  while (isSpace(c)) c = source.next();
  source.back(c);
}

type ScanResult = "assigned" | "done" | "mismatch" | "end";

function scanPart(host: Host, part: ScanPart, source: CharacterSource, args: FormatArguments): ScanResult {
  switch (part.kind) {
    case "space":
      skipSpace(source);
      return "done";
    case "byte":
      return scanByte(source, part.byte);
    case "unfinished":
      return host.undefined("the format ends in the middle of a directive");
    case "directive":
      return scanOne(host, part, source, args);
  }
}

function scanByte(source: CharacterSource, byte: number): ScanResult {
  const c = source.next();
  if (c === byte) return "done";
  source.back(c);
  return c === -1 ? "end" : "mismatch";
}

function scanOne(host: Host, directive: ScanDirective, source: CharacterSource, args: FormatArguments): ScanResult {
  const { name, conversion, length, suppress, limit } = directive;
  if (conversion !== "c" && conversion !== "[" && conversion !== "n") skipSpace(source);
  if (conversion === "n") {
    if (!suppress) storeInteger(host, args.pointer(name), BigInt(source.consumed()), length);
    return "done";
  }
  if (conversion === "%") return scanByte(source, 37);
  const first = source.next();
  if (first === -1) return "end";
  source.back(first);
  const done: ScanResult = suppress ? "done" : "assigned";
  switch (conversion) {
    case "d":
    case "i":
    case "u":
    case "x":
    case "X":
    case "o":
    case "p": {
      const base = conversion === "d" || conversion === "u" ? 10 : conversion === "i" ? 0 : conversion === "o" ? 8 : 16;
      const { value, negative, length: used } = scanInteger(collectInteger(source, base, limit), base);
      if (used === 0) return "mismatch";
      if (suppress) return done;
      const signed = negative ? -value : value;
      if (conversion === "p") {
        host.writeScalar(args.pointer(name), pointer, host.integerToPointer(fromBigInt(signed)));
      } else storeInteger(host, args.pointer(name), clampLong(host, signed, conversion, length), length);
      return done;
    }
    case "f":
    case "e":
    case "E":
    case "g":
    case "G":
    case "a":
    case "A":
    case "F": {
      const token = collectFloat(source, limit);
      const { value, length: used, inRange } = scanFloat(token);
      if (!isWholeFloat(token, used)) return "mismatch";
      if (!inRange) host.setErrno("ERANGE");
      if (!suppress) storeFloat(host, args.pointer(name), value, length);
      return done;
    }
    case "c":
      if (length === "l") return unsupported(host, name);
      return scanCharacters(host, directive, source, args, done);
    case "s":
    case "[": {
      if (length === "l") return unsupported(host, name);
      const { set } = directive;
      const bytes: number[] = [];
      let c = source.next();
      while (c !== -1 && bytes.length < limit && (set === null ? !isSpace(c) : set[c] === 1)) {
        bytes.push(c);
        c = source.next();
      }
      source.back(c);
      if (bytes.length === 0) return "mismatch";
      if (!suppress) host.writeString(args.pointer(name), Uint8Array.from(bytes));
      return done;
    }
    default:
      return otherDirective(host, name);
  }
}

/** glibc accepts an exponent without digits and `0x.`, but no part of `infinity`. */
function isWholeFloat(token: Uint8Array, used: number): boolean {
  const text = Buffer.from(token).toString("latin1");
  if (/^[+-]?[in]/i.test(text)) return used === token.length;
  return /^[+-]?0x\.$/i.test(text) || (used > 0 && !/^[+-]?0x$/i.test(text));
}

function scanCharacters(
  host: Host,
  directive: ScanDirective,
  source: CharacterSource,
  args: FormatArguments,
  done: ScanResult,
): ScanResult {
  const { limit } = directive;
  const bytes: number[] = [];
  while (bytes.length < limit) {
    const c = source.next();
    if (c === -1) break;
    bytes.push(c);
  }
  if (bytes.length < limit) return "end";
  if (!directive.suppress) host.writeBytes(args.pointer("%c"), Uint8Array.from(bytes));
  return done;
}

/** glibc converts with `strtol` or `strtoll`, which clamp, and then narrows. */
function clampLong(host: Host, value: bigint, conversion: string, length: string): bigint {
  const isLongLong = length === "ll" || length === "j" || length === "L" || length === "q";
  const bits = isLongLong || host.pointerBytes === 8 ? 64 : 32;
  const signed = conversion === "d" || conversion === "i";
  if (fitsInteger(signed || value >= 0n ? value : -value, bits, signed)) return value;
  host.setErrno("ERANGE");
  if (!signed) return (1n << BigInt(bits)) - 1n;
  const high = (1n << BigInt(bits - 1)) - 1n;
  return value > high ? high : -high - 1n;
}

function storeInteger(host: Host, to: Pointer, value: bigint, length: string): void {
  const bits = integerBits(host, length === "q" ? "ll" : length);
  host.writeScalar(to, signedInteger(bits), wrapInteger(value, bits, true));
}

function storeFloat(host: Host, to: Pointer, value: number, length: string): void {
  if (length === "") host.writeScalar(to, float, Math.fround(value));
  else host.writeScalar(to, double, value);
}

/** Reads characters one by one and counts them; characters can be put back. */
export type CharacterSource = {
  /** -1 at the end. */
  next(): number;
  back(character: number): void;
  consumed(): number;
};

/** A class, because calls are frequent: its methods are made once. */
export class StreamCharacters implements CharacterSource {
  private count = 0;
  private readonly stream: Stream;

  constructor(stream: Stream) {
    this.stream = stream;
  }

  next(): number {
    const character = readCharacter(this.stream);
    if (character !== -1) this.count++;
    return character;
  }

  back(character: number): void {
    if (character === -1) return;
    this.stream.pushedBack.push(character);
    this.count--;
  }

  consumed(): number {
    return this.count;
  }
}

export function stringCharacters(bytes: Uint8Array): CharacterSource {
  let at = 0;
  return {
    next: () => (at < bytes.length ? nth(bytes, at++) : -1),
    back(character) {
      if (character !== -1) at--;
    },
    consumed: () => at,
  };
}

/** Consumes the longest prefix of a number, at most `limit` characters; C allows only one to be put back. */
function collectInteger(source: CharacterSource, base: number, limit: number): Uint8Array {
  const token: number[] = [];
  let radix = base === 0 ? 10 : base;
  /** The number of digits so far; a hexadecimal prefix may follow a zero. */
  let digits = 0;
  while (token.length < limit) {
    const c = source.next();
    const isSign = (c === 43 || c === 45) && token.length === 0;
    const isPrefix = (c === 120 || c === 88) && (base === 0 || base === 16) && digits === 1 && token.at(-1) === 48;
    if (isPrefix) {
      radix = 16;
      digits++;
    } else if (digit(c) < radix) {
      if (digits === 0 && c === 48 && base === 0) radix = 8;
      digits++;
    } else if (!isSign) {
      source.back(c);
      break;
    }
    token.push(c);
  }
  return Uint8Array.from(token);
}

function collectFloat(source: CharacterSource, limit: number): Uint8Array {
  const token: number[] = [];
  const take = takeInto(token, source, limit);
  const word = (text: string) => [...text].every((letter) => take((c) => (c | 32) === letter.charCodeAt(0)));
  take((c) => c === 43 || c === 45);
  if (take((c) => (c | 32) === 105)) {
    if (word("nf") && take((c) => (c | 32) === 105)) word("nity");
    return Uint8Array.from(token);
  }
  if (take((c) => (c | 32) === 110)) {
    word("an");
    return Uint8Array.from(token);
  }
  let radix = 10;
  let exponent = 101;
  if (take((c) => c === 48) && take((c) => (c | 32) === 120)) {
    radix = 16;
    exponent = 112;
  }
  while (take((c) => digit(c) < radix));
  if (take((c) => c === 46)) while (take((c) => digit(c) < radix));
  if (token.some((c) => digit(c) < radix) && take((c) => (c | 32) === exponent)) {
    take((c) => c === 43 || c === 45);
    while (take((c) => digit(c) < 10));
  }
  return Uint8Array.from(token);
}

function takeInto(
  token: number[],
  source: CharacterSource,
  limit: number,
): (accepts: (c: number) => boolean) => boolean {
  return (accepts) => {
    if (token.length >= limit) return false;
    const c = source.next();
    if (c !== -1 && accepts(c)) {
      token.push(c);
      return true;
    }
    source.back(c);
    return false;
  };
}
