import type { Cancellation } from "../../base/cancellation.ts";
import type { Limits } from "../solver.ts";

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

/** What came back for a text sent to a solver. After `lost` the connection is closed and its state is gone. */
export type Reply =
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "lost"; readonly cause: LostCause; readonly message: string };

/**
 * `time`: no answer within the limit. `memory`: out of memory. `died`: killed, crashed, or never started. `interrupted`:
 * nobody waits for the answer any more.
 */
export type LostCause = "time" | "memory" | "died" | "interrupted";

/** A conversation with one solver, in SMT-LIB commands. Everything is synchronous but `open`, which may go on behind. */
export type Connection = {
  /** Sends commands and waits for all of their output. */
  exchange(text: string, milliseconds: number): Reply;
  close(): void;
};
