import type { Options, Values } from "./options/option.ts";

/**
 * What runs in the main thread and gives its work to the engine, often several times: it talks with a program over
 * standard input and output until that goes away, or explains all failing tests of a run.
 */
export type Service<O extends Options = Options> = {
  readonly name: string;
  readonly summary: string;
  /** Below the options in `--help`. */
  readonly teaching: string;
  /** Its own arguments; absent if it takes none. */
  readonly argument?: { readonly words: string; readonly help: string };
  readonly options: O;
  /** Returns the exit code. The words come after `--`. */
  serve(flags: Values<O>, words: readonly string[], own: readonly string[]): Promise<number>;
};
