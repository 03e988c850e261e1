import type { ByteCondition } from "../search/byteConditions.ts";

/** `byte 1 is '0' to '9'; byte 2 is '\\t' to '\\r' or ' ' (each on its own: all values of it were run)`. */
export function bytesPhrase(bytes: readonly ByteCondition[]): string {
  const parts = bytes.map(({ argument, byte, values }) => {
    const where = argument === null ? `byte ${byte}` : `byte ${byte} of argument ${argument}`;
    return `${where} is ${valuesPhrase(values)}`;
  });
  return `${parts.join("; ")} (each on its own: all values of it were run)`;
}

function valuesPhrase(values: ByteCondition["values"]): string {
  const parts = values.map(([first, last]) =>
    first === last ? character(first) : `${character(first)}${last === first + 1 ? ", " : " to "}${character(last)}`,
  );
  if (isAll(values)) return "any";
  return parts.length <= mostRanges
    ? parts.join(", ")
    : `${parts.slice(0, mostRanges - 1).join(", ")} or one of ${countOf(values.slice(mostRanges - 1))} others`;
}

/** More ranges than this are counted. */
const mostRanges = 4;

function countOf(values: ByteCondition["values"]): number {
  return values.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

function isAll(values: ByteCondition["values"]): boolean {
  return values.length === 1 && values[0]![0] <= 1 && (values[0]![1] === 127 || values[0]![1] === 255);
}

const named: Readonly<Record<number, string>> = {
  0: "'\\0'",
  9: "'\\t'",
  10: "'\\n'",
  13: "'\\r'",
  39: "'\\''",
  92: "'\\\\'",
};

function character(value: number): string {
  const isPrintable = value >= 32 && value < 127;
  return named[value] ?? (isPrintable ? `'${String.fromCharCode(value)}'` : `0x${value.toString(16).padStart(2, "0")}`);
}
