import type { Options, Values } from "./options/option.ts";

/**
 * A service talks with a program over standard input and output until that goes away. It runs in the main thread, and
 * gives its work to the engine.
 */
export type Service<O extends Options = Options> = {
  readonly name: string;
  readonly summary: string;
  /** Below the options in `--help`. */
  readonly teaching: string;
  readonly options: O;
  /** Returns the exit code. */
  serve(flags: Values<O>): Promise<number>;
};
