import { spelledOut } from "../base/text.ts";
import { initializerName } from "../ir/reservedNames.ts";
import type { ProofResult } from "../jobs/compress/compressReport.ts";
import type { RunInput } from "../jobs/run/runReport.ts";
import type { Paint } from "./paint.ts";

/** How many inputs are listed before the rest is only counted. */
const MOST_INPUTS = 20;

/** `1,434 steps`, `1 step`. */
export function counted(n: number, what: string): string {
  return `${n.toLocaleString("en-US")} ${what}${n === 1 ? "" : "s"}`;
}

/** A statement in one line, however it was written; control characters of its texts are spelled out. */
export function oneLine(text: string): string {
  return spelledOut(text.replaceAll(/\s*[\n\r]\s*/g, " "), "");
}

/** Above the steps of a function. What static variables start as is set by no function of the program. */
export function functionPhrase(name: string, file: string | undefined, mainFile: string | undefined): string {
  const where = name === initializerName ? "at the start" : `in ${name}`;
  return !file || !mainFile || file === mainFile ? where : `${where} (${file})`;
}

export function inputsPhrase(inputs: readonly RunInput[]): string {
  if (inputs.length === 0) return "none";
  const shown = inputs.slice(0, MOST_INPUTS).map(({ value }) => `${value}`);
  const rest = inputs.length - shown.length;
  return shown.join(", ") + (rest > 0 ? `, … (${rest.toLocaleString("en-US")} more)` : "");
}

/** `proof checked (15 triples, cvc5)`, or what is wrong with it. */
export function proofPhrase(proof: ProofResult, unit: "triple" | "condition", paint: Paint): string {
  const size = counted(proof.triples, unit);
  const { failures } = proof;
  const undecided = failures.filter(isUndecided).length;
  const rejected = failures.length - undecided;
  if (rejected > 0) return paint.red(`proof NOT accepted: ${rejected.toLocaleString("en-US")} of ${size} rejected`);
  if (undecided > 0)
    return paint.yellow(`proof not complete: ${undecided.toLocaleString("en-US")} of ${size} undecided`);
  if (proof.checked)
    return paint.green(`proof checked (${proof.checker === null ? size : `${size}, ${proof.checker}`})`);
  return proof.triples === 0 ? "no proof" : paint.yellow(`proof not checked (${size})`);
}

/** One line for each part of the proof that the checker did not accept. */
export function proofFailureLines(proof: ProofResult): string[] {
  return proof.failures.map((failure) => {
    return `  ${isUndecided(failure) ? "undecided" : "rejected"}: ${failure.name}: ${failure.answer}`;
  });
}

function isUndecided({ answer }: ProofResult["failures"][number]): boolean {
  return answer.startsWith("unknown");
}
