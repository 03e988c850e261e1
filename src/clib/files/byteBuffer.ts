/** The program printed more than is kept. */
export class OutputExhausted extends Error {}

/** Bytes that grow; `length` of them are in use. */
export type ByteBuffer = { bytes: Uint8Array; length: number };

/** More than this in one file ends the run: a program that prints in an endless loop. */
const maxLength = 2 ** 28;

export function byteBuffer(content: Uint8Array = new Uint8Array(0)): ByteBuffer {
  return { bytes: content.slice(), length: content.length };
}

/** Bytes between the end and a place behind it that is written become zeros. */
export function writeAt(buffer: ByteBuffer, at: number, bytes: Uint8Array): void {
  const end = at + bytes.length;
  if (end > buffer.bytes.length) {
    if (end > maxLength) throw new OutputExhausted();
    const larger = new Uint8Array(Math.max(end, buffer.bytes.length * 2, 256));
    larger.set(buffer.bytes.subarray(0, buffer.length));
    buffer.bytes = larger;
  }
  if (at > buffer.length) buffer.bytes.fill(0, buffer.length, at);
  buffer.bytes.set(bytes, at);
  buffer.length = Math.max(buffer.length, end);
}

export function contentOf({ bytes, length }: ByteBuffer): Uint8Array {
  return bytes.slice(0, length);
}
