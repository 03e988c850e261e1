/** The program printed more than is kept. */
export class OutputExhausted extends Error {}

/** Standard input as given, standard output and error as bytes. */
export type StandardStreams = {
  readonly input: Uint8Array;
  inputPosition: number;
  /** Characters that `ungetc` pushed back, last one first to be read. */
  readonly pushedBack: number[];
  /** A read met the end. */
  inputEnded: boolean;
  readonly output: ByteBuffer;
  readonly errors: ByteBuffer;
  /** Receives standard output as it is written; nothing is kept then. */
  readonly sink: ((bytes: Uint8Array) => void) | null;
};

export type ByteBuffer = { bytes: Uint8Array; length: number };

/** More output than this ends the run: a program that prints in an endless loop. */
const maxOutput = 2 ** 28;

export function createStreams(input: Uint8Array, sink: StandardStreams["sink"]): StandardStreams {
  return {
    input,
    inputPosition: 0,
    pushedBack: [],
    inputEnded: false,
    output: { bytes: new Uint8Array(256), length: 0 },
    errors: { bytes: new Uint8Array(0), length: 0 },
    sink,
  };
}

export function writeStream(streams: StandardStreams, which: "output" | "errors", bytes: Uint8Array): void {
  if (which === "output" && streams.sink !== null) {
    if (bytes.length > 0) streams.sink(bytes);
    return;
  }
  const buffer = streams[which];
  const needed = buffer.length + bytes.length;
  if (needed > buffer.bytes.length) {
    if (needed > maxOutput) throw new OutputExhausted();
    const larger = new Uint8Array(Math.max(needed, buffer.bytes.length * 2));
    larger.set(buffer.bytes.subarray(0, buffer.length));
    buffer.bytes = larger;
  }
  buffer.bytes.set(bytes, buffer.length);
  buffer.length = needed;
}

export function outputOf(streams: StandardStreams, which: "output" | "errors"): Uint8Array {
  const { bytes, length } = streams[which];
  return bytes.slice(0, length);
}

/** The next character of standard input, or -1 at its end. */
export function readCharacter(streams: StandardStreams): number {
  const pushed = streams.pushedBack.pop();
  if (pushed !== undefined) return pushed;
  if (streams.inputPosition < streams.input.length) return streams.input[streams.inputPosition++]!;
  streams.inputEnded = true;
  return -1;
}
