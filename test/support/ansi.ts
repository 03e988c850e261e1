import type { Paint } from "../../src/render/layout.ts";

const wrap = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;

/** Colours as on a terminal. */
export const ansi: Paint = {
  bold: wrap(1),
  dim: wrap(2),
  red: wrap(31),
  green: wrap(32),
  yellow: wrap(33),
  cyan: wrap(36),
};

export function stripAnsi(text: string): string {
  return text.replaceAll(new RegExp(`${"\u001b"}\\[\\d+m`, "g"), "");
}
