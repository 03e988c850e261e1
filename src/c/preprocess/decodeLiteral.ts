import { nth } from "../../base/checked.ts";
import { TracefoldError } from "../../base/errors.ts";
import { encodeSource } from "../../base/files.ts";
import type { SourceRange } from "../../base/sourceRange.ts";

/** The value of a character constant. Several characters are packed as in gcc, the last one lowest. */
export function decodeCharacter(text: string, range: SourceRange): { value: number; prefix: string } {
  const { prefix, body } = splitLiteral(text);
  const units = decodeBody(body, prefix, range);
  if (units.length === 0) throw new TracefoldError({ code: "TF104", message: "empty character constant", range });
  if (prefix === "u" || prefix === "U" || prefix === "L") {
    const last = nth(units, units.length - 1);
    return { value: prefix === "L" ? last | 0 : last, prefix };
  }
  // One character is a signed char widened to int; more are packed as unsigned bytes.
  if (units.length === 1) return { value: (nth(units, 0) << 24) >> 24, prefix: "" };
  return { value: units.reduce((value, unit) => (value << 8) | unit, 0), prefix: "" };
}

/** Joins adjacent literals. A wide literal makes its narrow neighbours wide. */
export function decodeStrings(literals: readonly string[], range: SourceRange): { units: number[]; prefix: string } {
  const parts = literals.map(splitLiteral);
  const prefix = parts.find((part) => part.prefix !== "" && part.prefix !== "u8")?.prefix ?? "";
  const units: number[] = [];
  for (const part of parts) {
    for (const unit of decodeBody(part.body, prefix, range)) units.push(unit);
  }
  return { units, prefix };
}

function splitLiteral(text: string): { prefix: string; body: string } {
  const open = text.search(/["']/);
  return { prefix: text.slice(0, open), body: text.slice(open + 1, -1) };
}

const SIMPLE: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  "0": 0,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  e: 27,
  E: 27,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};

/** Code units: UTF-8 bytes without a prefix, UTF-16 for `u`, code points for `U` and `L`. */
function decodeBody(body: string, prefix: string, range: SourceRange): number[] {
  const units: number[] = [];
  // A numeric escape that is too large loses its high bits, as in gcc.
  const mask = prefix === "u" ? 0xffff : prefix === "U" || prefix === "L" ? 0xffffffff : 0xff;
  for (let at = 0; at < body.length; ) {
    if (body[at] !== "\\") {
      const point = body.codePointAt(at)!;
      encode(point, prefix, units);
      at += point > 0xffff ? 2 : 1;
      continue;
    }
    const rest = body.slice(at + 1, at + 40);
    const splice = /^\r?\n/.exec(rest);
    const octal = /^[0-7]{1,3}/.exec(rest);
    const hex = /^x([0-9a-fA-F]+)/.exec(rest);
    const universal = /^(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
    if (splice) at += 1 + splice[0].length;
    else if (octal) {
      units.push(Number.parseInt(octal[0], 8) & mask);
      at += 1 + octal[0].length;
    } else if (hex) {
      units.push(Number(BigInt.asUintN(32, BigInt(`0x${hex[1]}`)) & BigInt(mask >>> 0)));
      at += 1 + hex[0].length;
    } else if (universal) {
      encode(Number.parseInt(universal[1] ?? nth(universal, 2), 16), prefix, units);
      at += 1 + universal[0].length;
    } else {
      if (/^[uU]/.test(rest)) {
        throw new TracefoldError({ code: "TF104", message: "incomplete universal character name", range });
      }
      // As in gcc, an unknown escape sequence is the character itself.
      const point = rest.codePointAt(0) ?? 92;
      encode(SIMPLE[rest[0] ?? ""] ?? point, prefix, units);
      if (point > 0xffff) at++;
      at += 2;
    }
  }
  return units;
}

function encode(point: number, prefix: string, into: number[]): void {
  if (prefix === "U" || prefix === "L") into.push(point);
  else if (prefix === "u") {
    if (point > 0xffff) into.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
    else into.push(point);
  } else if (point < 0x80) into.push(point);
  else for (const byte of encodeSource(String.fromCodePoint(point))) into.push(byte);
}
