import type { CancelReason } from "../base/cancellation.ts";
import { Defect, type ErrorDetails, TracefoldError } from "../base/errors.ts";

export type EngineMessage =
  | { readonly kind: "phase"; readonly phase: string }
  | { readonly kind: "known"; readonly answer: unknown }
  | { readonly kind: "answer"; readonly job: string; readonly answer: unknown }
  | { readonly kind: "error"; readonly error: EngineError };

/** An error as data, because classes are lost between threads. */
export type EngineError =
  | { readonly kind: "tracefold"; readonly details: ErrorDetails }
  | { readonly kind: "defect"; readonly message: string; readonly stack: string };

/** The end of the work: an answer, an error, or a stop, with what was known by then. */
export type Ending<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "error"; readonly error: EngineError }
  | { readonly kind: "ended"; readonly reason: CancelReason; readonly known: Answer | null };

export function describeError(error: unknown): EngineError {
  if (error instanceof TracefoldError) {
    const { code, message, range, help } = error;
    return { kind: "tracefold", details: { code, message, range, help } };
  }
  const cause = error instanceof Defect && error.cause instanceof Error ? error.cause : error;
  const { message, stack } = cause instanceof Error ? cause : { message: String(cause), stack: undefined };
  return { kind: "defect", message, stack: stack ?? message };
}

export function rebuildError(error: EngineError): Error {
  if (error.kind === "tracefold") return new TracefoldError(error.details);
  const defect = new Defect(error.message);
  defect.stack = error.stack;
  return defect;
}
