import type { Cancellation } from "./cancellation.ts";
import { TracefoldError } from "./errors.ts";

/** For work that has nothing to hand over half done: ends it once nobody wants it any more. `doing`: "loading the program". */
export function assertWanted(cancellation: Cancellation, doing: string): void {
  const { reason } = cancellation;
  if (reason === null) return;
  throw reason === "timeout"
    ? new TracefoldError({
        code: "TF342",
        message: `the time was up while ${doing}`,
        help: "Allow more with --timeout.",
      })
    : new TracefoldError({ code: "TF345", message: `interrupted while ${doing}`, help: "Run it again." });
}

/** What work gives, or `otherwise` where it was ended by `assertWanted`. */
export function unlessCancelled<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof TracefoldError && (error.code === "TF342" || error.code === "TF345")) return otherwise;
    throw error;
  }
}
