import type { Cancellation } from "../../base/cancellation.ts";
import type { Limits } from "../solver.ts";
import type { Connection, Reply } from "./connection.ts";

export type BackendName = "wasm" | "z3" | "cvc5";

/**
 * A kind of solver. All of them speak SMT-LIB; what differs is how they are started, how they are told their limits
 * and what they say about themselves.
 */
export type Backend = {
  readonly name: BackendName;
  /** Starts in the background; failing to start shows in the first exchange. See `SolverOptions.cancellation`. */
  open(limits: Limits, cancellation: Cancellation): SolverConnection;
  /** Sent first in every conversation and script. */
  readonly options: string;
  /** What `(get-info :name)` must say. */
  readonly identity: string;
  /** Commands that set the limits of the checks to come; null when they are set at the start. */
  readonly limitCommands: ((limits: Limits) => string) | null;
};

export type SolverConnection = Connection & {
  /** A script apart from the conversation. */
  script(text: string, milliseconds: number): Reply;
  /** The same without waiting for it: null while it runs. */
  begin(text: string): () => Reply | null;
  /** Forgets the conversation and begins a new one with `text`. */
  restart(text: string, milliseconds: number): Reply;
};
