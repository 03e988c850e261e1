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
