import type { CancelReason } from "../base/cancellation.ts";
import { Defect, formatError, TracefoldError } from "../base/errors.ts";

/** What the engine's thread says: at last an answer or an error. */
export type EngineMessage =
  | { readonly kind: "phase"; readonly phase: string }
  | { readonly kind: "news"; readonly news: unknown }
  | { readonly kind: "answer"; readonly command: string; readonly answer: unknown }
  | { readonly kind: "error"; readonly error: EngineError };

/** How an error crosses the thread boundary, where classes get lost. */
export type EngineError =
  | {
      readonly kind: "tracefold";
      readonly text: string;
      readonly limit: boolean;
      /** What it is made from again. */
      readonly details: ConstructorParameters<typeof TracefoldError>[0] | null;
    }
  | { readonly kind: "defect"; readonly message: string; readonly stack: string };

/** How work ends: with its answer, with an error, or stopped before it could say anything. */
export type Ending<Answer> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "error"; readonly error: EngineError }
  | { readonly kind: "ended"; readonly reason: CancelReason };

export function describeError(error: unknown): EngineError {
  if (error instanceof TracefoldError) {
    const { code, message, range, help } = error;
    return {
      kind: "tracefold",
      text: formatError(error),
      limit: error.kind === "limit",
      details: { code, message, range, help },
    };
  }
  const cause = error instanceof Defect && error.cause instanceof Error ? error.cause : error;
  const { message, stack } = cause instanceof Error ? cause : { message: String(cause), stack: undefined };
  return { kind: "defect", message, stack: stack ?? message };
}
