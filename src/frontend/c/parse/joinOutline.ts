import type { Outliner, Pieces } from "./outliner.ts";

/** The finished outline: its text, and which token each of its characters stands for. */
export type Outline = {
  readonly text: string;
  /** By offset; the spaces between pieces belong to the piece before them. */
  readonly tokens: Int32Array;
  /** The number of deferred operands: the statements of the outline's last function. */
  readonly deferred: number;
};

/** Puts the pieces into one text. The deferred operands follow as the statements of one more function. */
export function joinOutline(o: Outliner): Outline {
  const lines: string[] = [];
  const tokens = new Int32Array(measure(o.pieces) + o.deferred.reduce((sum, pieces) => sum + measure(pieces), 64));
  let length = 0;
  const append = (text: string, token: number): void => {
    if (text === "") return;
    const end = length + text.length + 1;
    tokens.fill(token, length, end);
    length = end;
  };
  const join = (pieces: Pieces): void => {
    const shown = pieces.texts.includes("") ? pieces.texts.filter((text) => text !== "") : pieces.texts;
    if (shown.length > 0) lines.push(shown.join(" "));
    pieces.texts.forEach((text, index) => {
      append(text, pieces.tokens[index]!);
    });
  };
  join(o.pieces);
  if (o.deferred.length > 0) {
    lines.push("int x ( ) {");
    append("int x ( ) {", 0);
    for (const pieces of o.deferred) join(pieces);
    lines.push("}");
    append("}", 0);
  }
  return { text: lines.join("\n"), tokens: tokens.subarray(0, length), deferred: o.deferred.length };
}

export function tokenOfOffset(outline: Outline, offset: number): number {
  return outline.tokens[Math.min(offset, outline.tokens.length - 1)] ?? 0;
}

function measure(pieces: Pieces): number {
  return pieces.texts.reduce((sum, text) => sum + text.length + 1, 0);
}
