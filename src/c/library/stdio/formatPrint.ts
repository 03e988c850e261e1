import { nth } from "../../../base/checked.ts";
import { type ScalarValue, toBigInt } from "../../../ir/scalarValue.ts";
import type { ScalarType } from "../../../ir/type.ts";
import { double, int, type Pointer, pointer, signedInteger } from "../entry.ts";
import { type Host, longBits } from "../host.ts";
import { formatFloat, formatInteger, type NumberStyle } from "./formatNumber.ts";

/**
 * A parser of formats that keeps its result with the call: a call has mostly the same format, and is often made
 * again.
 */
export function formatParser<Part>(
  parse: (format: Uint8Array) => readonly Part[],
): (host: Host, format: Uint8Array) => readonly Part[] {
  const known = new WeakMap<object, { readonly format: Uint8Array; readonly parts: readonly Part[] }>();
  return (host, format) => {
    const call = host.call();
    const last = known.get(call);
    if (last !== undefined && isSame(last.format, format)) return last.parts;
    const kept = format.slice();
    const parts = parse(kept);
    known.set(call, { format: kept, parts });
    return parts;
  };
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Text to copy, a directive, or a directive that the format does not finish. */
type PrintPart =
  | { readonly kind: "text"; readonly bytes: Uint8Array }
  | { readonly kind: "directive"; readonly directive: FormatDirective }
  | { readonly kind: "unfinished" };

const partsOf = formatParser(parsePrintFormat);

function parsePrintFormat(format: Uint8Array): readonly PrintPart[] {
  const parts: PrintPart[] = [];
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf(37, at);
    const end = percent === -1 ? format.length : percent;
    if (end > at) parts.push({ kind: "text", bytes: format.slice(at, end) });
    if (percent === -1) break;
    const directive = parseDirective(format, percent + 1);
    if (directive === null) return [...parts, { kind: "unfinished" }];
    parts.push({ kind: "directive", directive });
    at = directive.end;
  }
  return parts;
}

/** The bytes that the `printf` family produces. */
export function formatPrint(host: Host, format: Uint8Array, args: FormatArguments): Uint8Array {
  const texts: Uint8Array[] = [];
  let size = 0;
  // Only the format was read so far.
  host.formed(0, args.next(), args.next());
  for (const part of partsOf(host, format)) {
    if (part.kind === "unfinished") return host.undefined("the format ends in the middle of a directive");
    const first = args.next();
    const text = part.kind === "text" ? part.bytes : formatOne(host, part.directive, args);
    texts.push(text);
    size += text.length;
    host.formed(text.length, first, args.next());
  }
  const result = new Uint8Array(size);
  let at = 0;
  for (const text of texts) {
    result.set(text, at);
    at += text.length;
  }
  return result;
}

export function integerBits(host: Host, length: string): 8 | 16 | 32 | 64 {
  switch (length) {
    case "hh":
      return 8;
    case "h":
      return 16;
    case "ll":
    case "j":
    case "L":
      return 64;
    case "l":
    case "z":
    case "t":
      return longBits(host);
    default:
      return 32;
  }
}

function formatOne(host: Host, directive: FormatDirective, args: FormatArguments): Uint8Array {
  const { conversion, length } = directive;
  const name = `%${length}${conversion}`;
  if (conversion === "%") return Uint8Array.of(37);
  const style = resolveStyle(directive, args);
  switch (conversion) {
    case "d":
    case "i": {
      const bits = integerBits(host, length);
      return latin(formatInteger(BigInt.asIntN(bits, args.integer(bits, name)), conversion, style));
    }
    case "u":
    case "x":
    case "X":
    case "o": {
      const bits = integerBits(host, length);
      return latin(formatInteger(BigInt.asUintN(bits, args.integer(bits, name)), conversion, style));
    }
    case "c":
      if (length === "l") return unsupported(host, name);
      return pad(Uint8Array.of(Number(BigInt.asUintN(8, args.integer(32, name)))), style);
    case "s":
      if (length === "l") return unsupported(host, name);
      return pad(stringArgument(host, args.pointer(name), style), style);
    case "p": {
      const pointer = args.pointer(name);
      if (pointer === 0) return pad(latin("(nil)"), style);
      const address = BigInt.asUintN(64, BigInt(host.pointerToInteger(pointer)));
      return latin(formatInteger(address, "x", { ...style, alternative: true }));
    }
    case "f":
    case "F":
    case "e":
    case "E":
    case "g":
    case "G":
    case "a":
    case "A":
      return latin(formatFloat(args.float(name, length === "L"), conversion, style));
    default:
      return otherDirective(host, name);
  }
}

function resolveStyle(directive: FormatDirective, args: FormatArguments): NumberStyle {
  const { plus, space, alternative, zero } = directive;
  const width = directive.width === "*" ? Number(BigInt.asIntN(32, args.integer(32, "*"))) : (directive.width ?? 0);
  const precision =
    directive.precision === "*" ? Number(BigInt.asIntN(32, args.integer(32, ".*"))) : (directive.precision ?? -1);
  // A negative width means left-aligned.
  return { left: directive.left || width < 0, plus, space, alternative, zero, width: Math.abs(width), precision };
}

function stringArgument(host: Host, pointer: Pointer, style: NumberStyle): Uint8Array {
  if (pointer === 0) return latin(style.precision >= 0 && style.precision < 6 ? "" : "(null)");
  const max = style.precision < 0 ? Number.POSITIVE_INFINITY : style.precision;
  return host.readString(pointer, max);
}

function latin(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

function pad(bytes: Uint8Array, style: NumberStyle): Uint8Array {
  const missing = style.width - bytes.length;
  if (missing <= 0) return bytes.slice();
  const result = new Uint8Array(style.width).fill(32);
  result.set(bytes, style.left ? 0 : missing);
  return result;
}

/** Conversions that glibc has beside the supported ones. */
const known = /[nmCS]$/;

/** A directive that nobody defines is a fault of the program. */
export function otherDirective(host: Host, directive: string): never {
  return known.test(directive) ? unsupported(host, directive) : host.undefined(`${directive} is no directive`);
}

export function unsupported(host: Host, directive: string): never {
  return host.unsupported(`the directive ${directive} is not supported`, "Use another directive there.");
}

/** Source of the variadic arguments of `printf` and `scanf`, in order. */
export type FormatArguments = {
  /** The caller reduces the integer to the width of the directive. */
  integer(bits: number, directive: string): bigint;
  float(directive: string, long: boolean): number;
  pointer(directive: string): Pointer;
  /** The index of the next argument of the call; 0 if the arguments are in memory. */
  next(): number;
};

/** Arguments of the call after the `fixed` ones. Their widths may differ from the directive's; their kinds may not. */
export function passedArguments(host: Host, fixed: number, values: readonly ScalarValue[]): FormatArguments {
  return new PassedArguments(host, fixed, values);
}

/** A class, because calls are frequent: its methods are made once. */
class PassedArguments implements FormatArguments {
  private index = 0;
  private readonly host: Host;
  private readonly fixed: number;
  private readonly values: readonly ScalarValue[];

  constructor(host: Host, fixed: number, values: readonly ScalarValue[]) {
    this.host = host;
    this.fixed = fixed;
    this.values = values;
  }

  next(): number {
    return this.fixed + this.index;
  }

  integer(_bits: number, directive: string): bigint {
    const type = this.typeOfNext(directive);
    const value = nth(this.values, this.index++);
    if (type.kind === "float") return this.mismatch(directive, type);
    return toBigInt(type.kind === "pointer" ? this.host.pointerToInteger(value as Pointer) : value);
  }

  float(directive: string): number {
    const type = this.typeOfNext(directive);
    const value = nth(this.values, this.index++);
    return type.kind === "float" ? (value as number) : this.mismatch(directive, type);
  }

  pointer(directive: string): Pointer {
    const type = this.typeOfNext(directive);
    const value = nth(this.values, this.index++);
    if (type.kind === "pointer") return value as Pointer;
    // A plain 0 for NULL is common and harmless.
    return value === 0 ? 0 : this.mismatch(directive, type);
  }

  private typeOfNext(directive: string): ScalarType {
    const { name, arguments: passed } = this.host.call();
    if (this.index >= this.values.length) this.host.undefined(`${name} has no argument for ${directive}`);
    return nth(passed, this.fixed + this.index).type;
  }

  private mismatch(directive: string, type: ScalarType): never {
    const kind = type.kind === "float" ? "a floating-point" : `a ${type.kind}`;
    return this.host.undefined(`${this.host.call().name} has ${kind} argument for ${directive}`);
  }
}

/** The arguments of a `va_list` as lowering lays them out: each at a multiple of 8 bytes. */
export function blockArguments(host: Host, block: Pointer): FormatArguments {
  let place = block;
  const take = (size: number, type: ScalarType): ScalarValue => {
    const value = host.readScalar(place, type);
    place += Math.ceil(size / 8) * 8;
    return value;
  };
  return {
    next: () => 0,
    integer: (bits) => toBigInt(bits > 32 ? take(8, signedInteger(64)) : take(4, int)),
    float: (_directive, long) => take(long ? 16 : 8, double) as number,
    pointer: () => take(host.pointerBytes, pointer) as Pointer,
  };
}

/** One `%` directive of `printf`, and the position after it. */
export type FormatDirective = {
  readonly left: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternative: boolean;
  readonly zero: boolean;
  /** A number, `"*"`, or null. */
  readonly width: number | "*" | null;
  readonly precision: number | "*" | null;
  readonly length: string;
  readonly conversion: string;
  readonly end: number;
};

/** `at` is after the `%`. null if the format ends inside the directive. */
export function parseDirective(format: Uint8Array, at: number): FormatDirective | null {
  const text = Buffer.from(format.buffer, format.byteOffset + at, Math.min(format.length - at, 64)).toString("latin1");
  const match = /^((?:[-+ #0']|I(?!64))*)(\*|\d*)(?:\.(\*|-?\d*))?(hh|h|ll|l|q|j|z|Z|t|L|I64|)(.)/s.exec(text);
  if (match === null) return null;
  const [all, flags, width, precision, length, conversion] = match as unknown as string[];
  return {
    left: flags!.includes("-"),
    plus: flags!.includes("+"),
    space: flags!.includes(" "),
    alternative: flags!.includes("#"),
    zero: flags!.includes("0"),
    width: width === "*" ? "*" : width === "" ? null : Number(width),
    // `%.f` has precision 0; a negative precision counts as absent.
    precision:
      precision === undefined || precision.startsWith("-") ? null : precision === "*" ? "*" : Number(precision),
    // `%I64d` is the directive of Windows for `long long`.
    length: length === "q" || length === "I64" ? "ll" : length === "Z" ? "z" : length!,
    conversion: conversion!,
    end: at + all!.length,
  };
}
