import { type Host, longBits } from "../host.ts";
import type { Pointer } from "../pointer.ts";
import type { FormatArguments } from "./formatArguments.ts";
import { type Directive, parseDirective } from "./formatDirective.ts";
import { formatFloat, formatInteger, type NumberStyle } from "./formatNumber.ts";

/** The bytes that the `printf` family produces. */
export function formatPrint(host: Host, format: Uint8Array, args: FormatArguments): Uint8Array {
  const parts: Uint8Array[] = [];
  const add = (part: Uint8Array, first: number) => {
    parts.push(part);
    host.formed(part.length, first, args.next());
  };
  // What was read so far is the format.
  host.formed(0, args.next(), args.next());
  for (let at = 0; at < format.length; ) {
    const percent = format.indexOf(37, at);
    const end = percent === -1 ? format.length : percent;
    if (end > at) add(format.slice(at, end), args.next());
    if (percent === -1) break;
    const directive = parseDirective(format, percent + 1);
    if (directive === null) return host.undefined("the format ends in the middle of a directive");
    const first = args.next();
    add(formatOne(host, directive, args), first);
    at = directive.end;
  }
  return Buffer.concat(parts);
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

function formatOne(host: Host, directive: Directive, args: FormatArguments): Uint8Array {
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
      return unsupported(host, name);
  }
}

function resolveStyle(directive: Directive, args: FormatArguments): NumberStyle {
  const { plus, space, alternative, zero } = directive;
  const width = directive.width === "*" ? Number(BigInt.asIntN(32, args.integer(32, "*"))) : (directive.width ?? 0);
  const precision =
    directive.precision === "*" ? Number(BigInt.asIntN(32, args.integer(32, ".*"))) : (directive.precision ?? -1);
  // A negative width is a flag and a width.
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

export function unsupported(host: Host, directive: string): never {
  return host.unsupported(`the directive ${directive} is not supported`, "Use another directive there.");
}
