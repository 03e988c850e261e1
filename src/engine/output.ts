import { writeSync } from "node:fs";
import { TracefoldError } from "../base/errors.ts";

/**
 * Writes to a stream of the process, at once and in order, also when the process is about to end. A reader that went
 * away (`| head`) is no error: what it did not want is dropped.
 */
export type Output = { readonly write: (data: string | Uint8Array) => void };

export function openOutput(descriptor: number): Output {
  let closed = false;
  return {
    write(data) {
      const bytes = typeof data === "string" ? Buffer.from(data, "utf8") : data;
      let done = 0;
      while (!closed && done < bytes.length) {
        try {
          done += writeSync(descriptor, bytes, done, bytes.length - done);
        } catch (error) {
          const code = (error as NodeJS.ErrnoException).code;
          if (code === "EAGAIN") pause(2);
          else if (code === "EPIPE" || code === "EOF") closed = true;
          // Nobody can be told that what is said to the terminal is lost.
          else if (descriptor !== 1) closed = true;
          else throw cannotPrint(code);
        }
      }
    },
  };
}

function cannotPrint(code: string | undefined): TracefoldError {
  return new TracefoldError({
    code: "TF133",
    message: `cannot write to standard output (${code})`,
    help: "What was printed is not complete.",
  });
}

/** The other end of a non-blocking pipe is slow. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
