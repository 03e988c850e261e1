import { isBlank } from "../../../interpreter/expected.ts";
import { type Trace, wholeOutput } from "../../../interpreter/trace.ts";

/** Lines that the output lacks, or has in addition, while all others are as expected. */
export type LineChange = { readonly kind: "missing" | "extra"; readonly count: number };

/** Compares the whole output, not only the part up to the first difference; null if lines differ in another way. */
export function lineChange(trace: Trace): LineChange | null {
  const { outcome, settings } = trace;
  const wanted = settings.expected?.stdout;
  if (outcome.kind !== "wrong-output" || outcome.stream !== "stdout" || wanted === undefined) return null;
  const [expected, printed] = [wanted, wholeOutput(trace)].map((text) => linesOf(text, settings.expected?.compares));
  const at = outcome.difference.line - 1;
  const count = Math.abs(expected!.length - printed!.length);
  if (count === 0) return null;
  const isMissing = expected!.length > printed!.length;
  const [longer, shorter] = isMissing ? [expected!, printed!] : [printed!, expected!];
  const isSame = (lines: readonly string[], others: readonly string[]) => lines.join("\n") === others.join("\n");
  if (!isSame(longer.slice(at + count), shorter.slice(at))) return null;
  return { kind: isMissing ? "missing" : "extra", count };
}

function linesOf(text: Uint8Array, compares: "bytes" | "tokens" | undefined): readonly string[] {
  const lines = Buffer.from(text).toString("latin1").split("\n");
  if (compares === "tokens") {
    const last = lines.findLastIndex((line) => [...Buffer.from(line, "latin1")].some((byte) => !isBlank(byte)));
    return lines.slice(0, last + 1).map((line) => line.trim().replace(/\s+/g, " "));
  }
  return lines;
}
