import type { Limit } from "./outcome.ts";

/** Thrown where a run uses up what it may use; never leaves this folder. */
export class LimitReached extends Error {
  readonly limit: Limit;

  constructor(limit: Limit) {
    super(limit);
    this.limit = limit;
  }
}
