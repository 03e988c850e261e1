import { TracefoldError } from "../../base/errors.ts";

/** A value for a nondeterministic read: whole numbers exactly, others as a double. */
export type InputValue = bigint | number;

/** `3,0,-7`: numbers between commas or spaces, decimal, hexadecimal, binary or floating; `#` starts a comment. */
export function parseInputs(text: string, origin: string): InputValue[] {
  const values: InputValue[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const words = line.replace(/#.*/, "").split(/[\s,]+/);
    for (const word of words.filter((each) => each !== "")) {
      const value = parseNumber(word);
      if (value === null) {
        throw new TracefoldError({
          code: "TF191",
          message: `${origin}${text.includes("\n") ? `, line ${index + 1}` : ""}: "${word}" is not a number`,
          help: "Inputs are numbers separated by commas or spaces: 3, 0, -7, 0xff, 2.5.",
        });
      }
      values.push(value);
    }
  }
  return values;
}

function parseNumber(word: string): InputValue | null {
  const match = /^([+-]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|\d+)$/.exec(word);
  if (match) {
    const magnitude = BigInt(match[2]!);
    return match[1] === "-" ? -magnitude : magnitude;
  }
  if (/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(word)) return Number(word);
  if (/^[+-]?(inf|infinity)$/i.test(word)) return word.startsWith("-") ? -Infinity : Infinity;
  return /^nan$/i.test(word) ? Number.NaN : null;
}
