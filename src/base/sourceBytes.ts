/**
 * Source files are bytes, mostly of UTF-8. A byte that is not becomes the lone surrogate U+DC00 + byte, as Python's `surrogateescape`
 * has it: no text has one, so that it is a byte again where a literal is translated.
 */
const escaped = 0xdc00;

export function decodeSource(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString("utf8");
  // A mark of the order of bytes is a character like others.
  if (!text.includes("\ufffd") || Buffer.from(text, "utf8").equals(buffer)) return text;
  let decoded = "";
  for (let at = 0; at < buffer.length; ) {
    const length = characterLength(buffer, at);
    decoded += length === 0 ? String.fromCharCode(escaped + buffer[at]!) : buffer.toString("utf8", at, at + length);
    at += Math.max(length, 1);
  }
  return decoded;
}

/** The bytes that a text was decoded from. */
export function encodeSource(text: string): Uint8Array {
  if (!/[\udc80-\udcff]/.test(text)) return Buffer.from(text, "utf8");
  const parts = text.split(/((?<![\ud800-\udbff])[\udc80-\udcff])/);
  return Buffer.concat(
    parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part, "utf8") : Buffer.of(part.charCodeAt(0) - escaped))),
  );
}

/** Of the character of UTF-8 that begins at a byte; 0 where none does. */
function characterLength(bytes: Buffer, at: number): number {
  const first = bytes[at]!;
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  return bytes.toString("utf8", at, at + length).includes("\ufffd") && !isReplacement(bytes, at) ? 0 : length;
}

function isReplacement(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd;
}
