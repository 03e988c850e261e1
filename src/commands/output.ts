import { mkdirSync, writeSync } from "node:fs";
import { join } from "node:path";
import picocolors from "picocolors";
import manifest from "../../package.json" with { type: "json" };
import { TracefoldError } from "../base/errors.ts";
import { writeWhole } from "../base/files.ts";
import { type Paint, plain } from "../render/layout.ts";
import { type StageName, stageNames } from "./explain/stages/stage.ts";

/**
 * Writes to a stream of the process at once and in order, even when the process is about to end. A closed reader (`|
 * head`) is no error.
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
          // Errors of the standard error stream cannot be reported anywhere.
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

/** Waits for the slow reader of a non-blocking pipe. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

export function paintOf(colours: boolean): Paint {
  return colours ? picocolors.createColors(true) : plain;
}

/** The exit codes (`docs/errors.md`). */
export const exitCodes = {
  fine: 0,
  programIsWrong: 1,
  inputIsWrong: 2,
  unknown: 3,
  defect: 70,
  /** For Ctrl-C and SIGTERM, by the convention of shells. */
  interrupted: 130,
  terminated: 143,
} as const;

/** Quotes words for a POSIX shell. Control characters are spelled out, for a terminal's sake. */
export function shellWords(words: readonly string[]): string {
  const quoted = (word: string) => {
    if (/^[\w./:=,+@%-]+$/.test(word)) return word;
    if (!/\p{Cc}/u.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
    const octal = (c: string) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`;
    return `$'${word.replaceAll(/[\\']/g, "\\$&").replaceAll(/\p{Cc}/gu, octal)}'`;
  };
  return words.map(quoted).join(" ");
}

export function printfCommand(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => {
    if (byte === 10) return "\\n";
    if (byte === 37) return "%%";
    if (byte === 92) return "\\\\";
    if (byte >= 32 && byte < 127) return String.fromCharCode(byte);
    return `\\${byte.toString(8).padStart(3, "0")}`;
  }).join("");
  return `printf '${text.replaceAll("'", "'\\''")}'`;
}

/** Writes the output of a stage to `DIR/4-folds.txt`. */
export function writeDump(folder: string, stage: StageName, text: string): void {
  const name = `${stageNames.indexOf(stage) + 1}-${stage}.${stage === "explanation" ? "json" : "txt"}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeWhole(join(folder, name), text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new TracefoldError({ code: "TF133", message: `--dump: cannot write to ${folder} (${code})` });
  }
}

export const packageVersion = (): string => manifest.version;
