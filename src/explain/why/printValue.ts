import type { ScalarValue } from "../../ir/scalarValue.ts";
import type { ScalarType } from "../../ir/type.ts";
import type { LiteralStyle } from "./literalStyles.ts";

/** A number of the run as the source would write it. Pointers have names, which are found elsewhere. */
export function printValue(value: ScalarValue, type: ScalarType, style: LiteralStyle): string {
  switch (type.kind) {
    case "float":
      return type.plain ? `${value}` : printFloat(Number(value), type.bits);
    case "bool":
      return value === 0 ? "false" : "true";
    case "pointer":
    case "int":
      return printInteger(value, style);
  }
}

function printInteger(value: ScalarValue, style: LiteralStyle): string {
  switch (style.kind) {
    case "names":
      return style.enumerators.find((each) => each.value === BigInt(value))?.name ?? `${value}`;
    case "character":
      return printCharacter(Number(value)) ?? `${value}`;
    case "hexadecimal":
      return value < 0 ? `${value}` : `0x${value.toString(16).padStart(2, "0")}`;
    case "octal":
      return value <= 0 ? `${value}` : `0${value.toString(8)}`;
    case "decimal":
      return `${value}`;
  }
}

const escapes: Record<number, string> = { 0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 39: "\\'", 92: "\\\\" };

/** As a character constant; null for a byte that has none. */
export function printCharacter(code: number): string | null {
  const text = escapes[code] ?? (code >= 32 && code < 127 ? String.fromCharCode(code) : null);
  return text === null ? null : `'${text}'`;
}

/** The shortest digits that are this very value at its width. */
export function printFloat(value: number, bits: 32 | 64): string {
  let text = `${value}`;
  if (bits === 32) {
    for (let digits = 1; digits <= 9; digits++) {
      const short = `${Number(value.toPrecision(digits))}`;
      if (Math.fround(Number(short)) === value) {
        text = short;
        break;
      }
    }
  }
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** Bytes up to a zero as the source writes a string. */
export function printString(bytes: readonly number[], most = 24): string {
  const shown = bytes.length > most ? bytes.slice(0, most - 1) : bytes;
  const text = shown
    .map((byte) => {
      if (byte === 34) return '\\"';
      const known = byte === 39 ? undefined : escapes[byte];
      if (known !== undefined) return known;
      return byte >= 32 && byte < 127 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");
  return `"${text}${bytes.length > most ? "…" : ""}"`;
}
