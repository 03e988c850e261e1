import type { CancelReason } from "../base/cancellation.ts";
import { Defect, formatError, TracefoldError } from "../base/errors.ts";

export type EngineMessage =
  | { readonly kind: "phase"; readonly phase: string }
  | { readonly kind: "news"; readonly news: unknown }
  | { readonly kind: "answer"; readonly command: string; readonly answer: unknown }
  | { readonly kind: "error"; readonly error: EngineError };

/** An error as data, because classes are lost between threads. */
export type EngineError =
  | {
      readonly kind: "tracefold";
      readonly text: string;
      readonly limit: boolean;
      /** The arguments of its constructor. */
      readonly details: ConstructorParameters<typeof TracefoldError>[0] | null;
    }
  | { readonly kind: "defect"; readonly message: string; readonly stack: string };

/** The end of the work: an answer, an error, or a stop without a result. */
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
