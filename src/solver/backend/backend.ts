import type { Cancellation } from "../../base/cancellation.ts";
import type { Limits } from "../solver.ts";

export type BackendName = "wasm" | "z3" | "cvc5";

/** A kind of solver. All speak SMT-LIB; they differ in how they are started and limited and in what they report. */
export type Backend = {
  readonly name: BackendName;
  /** Starts in the background; a failure shows in the first exchange. See `SolverOptions.cancellation`. */
  open(limits: Limits, cancellation: Cancellation): SolverConnection;
  /** Sent first in every conversation and script. */
  readonly options: string;
  /** The required answer to `(get-info :name)`. */
  readonly identity: string;
  /** Commands that set the limits of later checks; null if they are set at the start. */
  readonly limitCommands: ((limits: Limits) => string) | null;
};

export type SolverConnection = Connection & {
  /** Runs a script outside of the conversation. */
  script(text: string, milliseconds: number): Reply;
  /** Like `script` without waiting: null while it runs. */
  begin(text: string): () => Reply | null;
  /** Discards the conversation and begins a new one with `text`. */
  restart(text: string, milliseconds: number): Reply;
};

/** The reply to a text sent to a solver. After `lost` the connection is closed and its state is gone. */
export type Reply =
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "lost"; readonly cause: LostCause; readonly message: string };

/** `time`: limit reached. `memory`: out of memory. `died`: crashed or never started. `interrupted`: cancelled. */
export type LostCause = "time" | "memory" | "died" | "interrupted";

/** A conversation with one solver, in SMT-LIB commands. Synchronous, except for `open`. */
export type Connection = {
  /** Sends commands and waits for all of their output. */
  exchange(text: string, milliseconds: number): Reply;
  close(): void;
};
